#include "cli/new_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

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

}  // namespace dpadapt::cli
