/** How dpadapt.hpp writes a file: the file keeps its old content until the new one is complete and
 *  on the disk. A full disk or a kill leaves the old file, and perhaps a ".dpadapt-..." beside it.
 *  */
#ifndef DPADAPT_NEW_FILE_HPP
#define DPADAPT_NEW_FILE_HPP

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>

#ifndef _WIN32
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace dpa::detail {

inline std::filesystem::path folder_of(const std::filesystem::path &path) {
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

#ifdef _WIN32

/** Through a name of its own, which then replaces the other; the folder decides who may read it. */
inline void write_file(const std::string &name, std::span<const uint8_t> bytes,
                       bool /*is_private*/) {
    const std::filesystem::path path(std::u8string(name.begin(), name.end()));
    std::filesystem::path fresh(path);
    fresh += ".dpadapt-new";
    std::ofstream file(fresh, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(fresh, path, error);
    if (file && !error) return;
    std::filesystem::remove(fresh, error);
    throw std::runtime_error(name + ": cannot be written");
}

#else

/** Whether a link lies in a folder that all may write to, and belongs neither to this user nor to
 *  the folder's owner. The kernel does not follow such a link (fs.protected_symlinks), but cannot
 *  help where a program reads links itself. */
inline bool is_planted(const std::filesystem::path &path) {
    struct stat link {};
    struct stat folder {};
    if (lstat(path.c_str(), &link) != 0 || stat(folder_of(path).c_str(), &folder) != 0)
        return false;
    return (folder.st_mode & S_IWOTH) != 0 && link.st_uid != geteuid() &&
           link.st_uid != folder.st_uid;
}

/** The path with its last part no symbolic link; it need not exist. */
inline std::filesystem::path without_link(std::filesystem::path path) {
    constexpr int most_links = 40;  // like the kernel, which then says what is wrong
    std::error_code error;
    for (int k = 0; k < most_links && std::filesystem::is_symlink(path, error); ++k) {
        if (is_planted(path))
            throw std::runtime_error(path.string() +
                                     ": cannot be written through: a link of another user, in a "
                                     "folder that all may write to");
        path = path.parent_path() / std::filesystem::read_symlink(path, error);
    }
    return path;
}

inline void write_directly(const std::filesystem::path &path, std::span<const uint8_t> bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw std::runtime_error(path.string() + ": cannot be written");
}

/** A name of this process and call; that of a killed one is passed over. */
inline std::filesystem::path new_name(const std::filesystem::path &folder, long process) {
    static std::atomic<unsigned> count{0};
    return folder / (".dpadapt-" + std::to_string(process) + '-' + std::to_string(count++));
}

/** A file under a new name, which is removed unless it becomes another. */
class NewFile {
  public:
    NewFile(const std::filesystem::path &folder, mode_t mode) {
        do {
            path_ = new_name(folder, getpid());
            file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        } while (file_ < 0 && errno == EEXIST);
    }
    NewFile(const NewFile &) = delete;
    NewFile &operator=(const NewFile &) = delete;
    ~NewFile() {
        const int reason = errno;
        if (file_ >= 0) close(file_);
        if (exists_) unlink(path_.c_str());
        errno = reason;
    }
    [[nodiscard]] bool write(std::span<const uint8_t> bytes) {
        exists_ = file_ >= 0;
        while (file_ >= 0 && !bytes.empty()) {
            const ssize_t count = ::write(file_, bytes.data(), bytes.size());
            if (count < 0 && errno != EINTR) return false;
            if (count > 0) bytes = bytes.subspan(static_cast<size_t>(count));
        }
        return exists_;
    }
    [[nodiscard]] bool has_mode(mode_t mode) const { return fchmod(file_, mode) == 0; }
    /** On the disk, under the other name, and its folder too. */
    [[nodiscard]] bool becomes(const std::filesystem::path &path) {
        if (fsync(file_) != 0) return false;
        const int closed = close(file_);  // network file systems report a full disk here
        file_ = -1;
        if (closed != 0 || rename(path_.c_str(), path.c_str()) != 0) return false;
        exists_ = false;
        const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder < 0) return errno == EACCES;  // a folder to write in but not to read
        const bool synced = fsync(folder) == 0 || errno == EINVAL;
        close(folder);
        return synced;
    }

  private:
    std::filesystem::path path_;
    int file_ = -1;
    bool exists_ = false;
};

/** Replaces the file's content, through links; pipes and devices are written as they are. A file
 *  that is new has the mode of the umask, or is for its owner alone if it is private. */
inline void write_file(const std::string &name, std::span<const uint8_t> bytes, bool is_private) {
    const std::filesystem::path path = without_link(name);
    struct stat now {};
    const bool exists = stat(path.c_str(), &now) == 0;
    if (exists && !S_ISREG(now.st_mode)) return write_directly(path, bytes);
    // The folder's permission would be enough to replace a file that is protected from writing.
    const bool is_allowed = !exists || access(path.c_str(), W_OK) == 0;
    if (is_allowed) {
        NewFile file(folder_of(path), exists || is_private ? 0600 : 0666);
        if (file.write(bytes) && (!exists || file.has_mode(now.st_mode & 0777U)) &&
            file.becomes(path))
            return;
    }
    throw std::runtime_error(name +
                             ": cannot be written: " + std::generic_category().message(errno));
}

#endif

}  // namespace dpa::detail

#endif
