#include "base/platform/new_file.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <utility>

#include "base/platform/posix/files.hpp"
#include "base/platform/threads.hpp"

namespace dpadapt::platform {

using namespace files;

namespace {

/** A descriptor that is closed at the end, whatever the reason of a failure was. */
class Descriptor {
  public:
    explicit Descriptor(int file) : file_(file) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    ~Descriptor() {
        const int reason = errno;
        if (file_ >= 0) ::close(file_);
        errno = reason;
    }
    [[nodiscard]] int get() const { return file_; }
    /** Network file systems report a full disk here. */
    [[nodiscard]] bool close() { return ::close(std::exchange(file_, -1)) == 0; }

  private:
    int file_;
};

[[noreturn]] void refuse(const std::string &link) {
    throw Error(DPA_E_STORE, "cannot write through " + in_quotes(link) +
                                 ": a link of another user, in a folder that all may write to");
}

/** Of a name of this process and call; that of a killed one is passed over. */
int create(std::string &name, const std::string &folder, mode_t mode) {
    static std::atomic<unsigned> count{0};
    for (;;) {
        name = folder + "/.dpadapt-" + std::to_string(getpid()) + '-' + std::to_string(count++);
        const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file >= 0 || errno != EEXIST) return file;
    }
}

/** @param now  Facts of the file that is replaced; null if there is none. */
bool replace(const std::string &path, std::span<const std::uint8_t> content, const struct stat *now,
             mode_t mode) {
    const std::string folder = folder_of(path);
    std::string name;
    Descriptor file(create(name, folder, mode));
    if (file.get() < 0) return false;
    const bool done = write_all(file.get(), 0, content) &&
                      (now == nullptr || fchmod(file.get(), now->st_mode & 0777U) == 0) &&
                      sync(file.get()) && file.close() &&
                      std::rename(name.c_str(), path.c_str()) == 0;
    if (done) return sync_folder(folder.c_str());
    const int reason = errno;
    unlink(name.c_str());
    errno = reason;
    return false;
}

bool write_directly(const std::string &path, std::span<const std::uint8_t> content) {
    Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file.get() >= 0 && write_all(file.get(), 0, content) && file.close();
}

}  // namespace

void replace_file(const std::string &given, std::span<const std::uint8_t> content, bool for_owner) {
    const CancellationHold hold;
    const std::string path = without_link(given, refuse);
    struct stat now {};
    const bool exists = stat(path.c_str(), &now) == 0;
    // The folder's permission would be enough to replace a file that is protected from writing.
    const bool done = exists && !S_ISREG(now.st_mode) ? write_directly(path, content)
                      : exists
                          ? access(path.c_str(), W_OK) == 0 && replace(path, content, &now, 0600)
                          : replace(path, content, nullptr, for_owner ? 0600 : 0666);
    if (!done) fail("cannot write", given, errno);
}

std::vector<std::uint8_t> read_file(const std::string &path) {
    const CancellationHold hold;
    const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.get() < 0) fail("cannot read", path, errno);
    std::vector<std::uint8_t> content;
    std::array<std::uint8_t, std::size_t{1} << 13U> block;  // threads may have small stacks
    for (;;) {
        const ssize_t count = read(file.get(), block.data(), block.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot read", path, errno);
        if (count == 0) return content;
        content.insert(content.end(), block.begin(), block.begin() + count);
    }
}

}  // namespace dpadapt::platform
