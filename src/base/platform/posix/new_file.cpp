#include "base/platform/new_file.hpp"

#include <array>
#include <csignal>

#include "base/platform/target.hpp"
#include "base/platform/threads.hpp"

namespace dpadapt::platform {

using namespace files;

namespace {

/** @param mode  Of the new file, until it takes over that of an old one. */
bool replace(const Target &target, std::span<const std::uint8_t> content, mode_t mode) {
    std::string name;
    Descriptor file(create(name, folder_of(target.path) + "/.dpadapt-", "", mode));
    if (file.get() < 0) return false;
    const bool done = write_all(file.get(), 0, content) &&
                      (!target.exists || take_over(file.get(), target)) && sync(file.get()) &&
                      file.close() && move_over(name, target.path);
    if (done) return true;
    const int reason = errno;
    unlink(name.c_str());
    errno = reason;
    return false;
}

bool broken_pipe_pends() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
}

/** A pipe that nobody reads is an error to the host, and not its end: the signal is taken here. */
bool write_directly(const Target &target, std::span<const std::uint8_t> content) {
    const bool pended = broken_pipe_pends();
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    Descriptor file;
    do file = open_directly(target);
    while (file.get() < 0 && errno == EINTR);
    const bool done = file.get() >= 0 && write_all(file.get(), 0, content) && file.close();
    const int reason = errno;
    int taken = 0;
    if (!done && reason == EPIPE && !pended && broken_pipe_pends()) sigwait(&held, &taken);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = reason;
    return done;
}

}  // namespace

void replace_file(const std::string &path, std::span<const std::uint8_t> content, bool for_owner) {
    const CancellationHold hold;
    const Target target = find_target(path);
    if (!target.planted.empty())
        throw Error(DPA_E_STORE, "cannot write " + in_quotes(path) + ": " +
                                     in_quotes(target.planted) + kPlanted);
    if (target.reason != 0) fail("cannot write", path, target.reason);
    if (!(target.is_direct() ? write_directly(target, content)
                             : replace(target, content, for_owner || target.exists ? 0600 : 0666)))
        fail("cannot write", path, errno);
    if (!target.is_direct() && !sync_folder(folder_of(target.path).c_str()))
        fail("the new file is in its place, but perhaps not on the disk:", path, errno);
}

std::vector<std::uint8_t> read_file(const std::string &path) {
    const CancellationHold hold;
    const Descriptor file(again([&] { return open(path.c_str(), O_RDONLY | O_CLOEXEC); }));
    if (file.get() < 0) fail("cannot read", path, errno);
    std::vector<std::uint8_t> content;
    std::array<std::uint8_t, std::size_t{1} << 13U> block;  // threads may have small stacks
    for (;;) {
        const ssize_t count = again([&] { return read(file.get(), block.data(), block.size()); });
        if (count < 0) fail("cannot read", path, errno);
        if (count == 0) return content;
        content.insert(content.end(), block.begin(), block.begin() + count);
    }
}

}  // namespace dpadapt::platform
