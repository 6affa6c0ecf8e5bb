#include "cli/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <tuple>

#include "cli/failure.hpp"

namespace dpadapt::cli {

namespace {

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = write(file, text.data(), text.size());
        if (count < 0 && errno != EINTR) return false;
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/** A new name is on the disk when its folder is. */
bool sync_folder(const std::string &folder) {
    const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return errno == EACCES;  // a folder to write in but not to read
    const bool synced = fsync(file) == 0 || errno == EINVAL;
    const int reason = errno;
    close(file);
    errno = reason;
    return synced;
}

}  // namespace

NewFile::NewFile(const std::string &folder, const std::string &prefix, const std::string &ending)
    : folder_(folder), path_(folder + '/' + prefix + "XXXXXX" + ending) {
    file_ = mkostemps(path_.data(), static_cast<int>(ending.size()), O_CLOEXEC);
    exists_ = file_ >= 0;
}

NewFile::~NewFile() {
    const int reason = errno;
    if (file_ >= 0) close(file_);
    if (exists_) unlink(path_.c_str());
    errno = reason;
}

bool NewFile::reserve(std::size_t bytes) {
    const auto size = static_cast<off_t>(bytes);
#ifdef __APPLE__
    const int error = ftruncate(file_, size) == 0 ? 0 : errno;
#else
    const int error = posix_fallocate(file_, 0, size);
#endif
    errno = error;
    reserved_ = true;
    return error == 0 || error == EOPNOTSUPP || error == EINVAL;  // of file systems that cannot
}

bool NewFile::write(std::string_view text, mode_t mode) {
    if (!write_all(file_, text)) return false;
    if (reserved_ && ftruncate(file_, static_cast<off_t>(text.size())) != 0) return false;
    if (fchmod(file_, mode) != 0 || fsync(file_) != 0) return false;
    const int closed = close(file_);  // network file systems report a full disk here
    file_ = -1;
    return closed == 0;
}

bool NewFile::becomes(const std::string &path) {
    if (rename(path_.c_str(), path.c_str()) != 0) return false;
    exists_ = false;
    return sync_folder(folder_);
}

namespace {

/** Device and inode; of a file that is still to be made those of its folder, with its name. */
using Identity = std::tuple<dev_t, ino_t, std::string>;

std::optional<Identity> identity(const std::string &path) {
    struct stat found {};
    if (path.empty()) return {};
    if (stat(path.c_str(), &found) == 0) {
        if (!S_ISREG(found.st_mode)) return {};
        return Identity{found.st_dev, found.st_ino, ""};
    }
    const std::string target = follow_links(path);
    if (stat(folder_of(target).c_str(), &found) != 0) return {};
    return Identity{found.st_dev, found.st_ino, std::filesystem::path(target).filename()};
}

/** The path, and what each link leads to. */
std::vector<std::string> followed(const std::string &path) {
    constexpr std::size_t kMostLinks = 40;  // like the kernel, which then says what is wrong
    std::vector<std::string> paths{path};
    std::error_code error;
    while (paths.size() <= kMostLinks && std::filesystem::is_symlink(paths.back(), error)) {
        const std::filesystem::path link(paths.back());
        paths.push_back(link.parent_path() / std::filesystem::read_symlink(link, error));
    }
    return paths;
}

}  // namespace

void check_outputs(const std::vector<NamedFile> &outputs, const std::vector<NamedFile> &inputs) {
    std::vector<NamedFile> others = inputs;
    for (const NamedFile &output : outputs) {
        if (output.path == "-")
            throw Failure(kUsage, std::string(output.flag) + " needs the name of a file, not -");
        const std::optional<Identity> file = identity(output.path);
        for (const NamedFile &other : others) {
            if (!file || file != identity(other.path)) continue;
            throw Failure(kUsage, std::string(output.flag) + " and " + other.flag +
                                      " are the same file: " + output.path);
        }
        others.push_back(output);
    }
}

bool is_same_input(const std::string &one, const std::string &other) {
    const auto found = [](const std::string &path) {
        return identity(path == "-" ? "/dev/stdin" : path);
    };
    if (one.empty() || other.empty()) return false;
    const std::optional<Identity> file = found(one);
    return one == other || (file && file == found(other));
}

bool is_standard_output(const std::string &path) {
    struct stat file {};
    struct stat output {};
    return stat(path.c_str(), &file) == 0 && fstat(STDOUT_FILENO, &output) == 0 &&
           file.st_dev == output.st_dev && file.st_ino == output.st_ino;
}

std::string follow_links(const std::string &path) { return followed(path).back(); }

std::string planted_link(const std::string &path) {
    const std::vector<std::string> paths = followed(path);
    for (std::size_t k = 0; k + 1 < paths.size(); ++k) {
        struct stat link {};
        struct stat folder {};
        if (lstat(paths[k].c_str(), &link) != 0 || stat(folder_of(paths[k]).c_str(), &folder) != 0)
            continue;
        const bool is_open = (folder.st_mode & S_IWOTH) != 0;
        if (is_open && link.st_uid != geteuid() && link.st_uid != folder.st_uid) return paths[k];
    }
    return {};
}

std::string folder_of(const std::string &path) {
    const std::string folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder;
}

}  // namespace dpadapt::cli
