#include "base/platform/owner_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/platform/threads.hpp"

namespace dpadapt::platform {

std::intptr_t create_for_owner(const std::string &path) noexcept {
    const CancellationHold hold;
    return open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

void close_file(std::intptr_t file) noexcept {
    const CancellationHold hold;
    close(static_cast<int>(file));
}

bool is_for_owner_alone(const std::string &path) noexcept {
    struct stat facts {};
    return stat(path.c_str(), &facts) == 0 && (facts.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

}  // namespace dpadapt::platform
