#pragma once

#include <filesystem>
#include <vector>

#include "base/platform/posix/files.hpp"

namespace dpadapt::platform::files {

/** Whether the folder is open to all, and `owner` is neither this user nor the folder's owner. The
 *  kernel (fs.protected_symlinks) does not check links that a program reads itself. */
inline bool is_planted(const std::string &path, uid_t owner) {
    struct stat folder {};
    return owner != geteuid() && stat(folder_of(path).c_str(), &folder) == 0 &&
           (folder.st_mode & S_IWOTH) != 0 && owner != folder.st_uid;
}

constexpr const char *kPlanted = " belongs to another user, in a folder that all may write to";

/** The path, and what each link leads to, as far as there are names. */
inline std::vector<std::string> followed(const std::string &path) {
    constexpr std::size_t kMostLinks = 40;  // like the kernel, which then says what is wrong
    std::vector<std::string> paths{path};
    std::error_code error;
    while (paths.size() <= kMostLinks && std::filesystem::is_symlink(paths.back(), error)) {
        const std::filesystem::path link(paths.back());
        paths.push_back(link.parent_path() / std::filesystem::read_symlink(link, error));
    }
    return paths;
}

/** Where a file is to be written. */
struct Target {
    std::string path;     // of what is replaced, no link; as given if that is written directly
    std::string planted;  // what belongs to another user on the way there; empty if nothing does
    int reason = 0;       // why it cannot be written, as errno has it
    bool exists = false;
    struct stat now {};  // if it exists

    /** Pipes and devices are not replaced. */
    [[nodiscard]] bool is_direct() const { return exists && !S_ISREG(now.st_mode); }
    [[nodiscard]] bool is(const struct stat &other) const {
        return now.st_dev == other.st_dev && now.st_ino == other.st_ino &&
               (now.st_mode & S_IFMT) == (other.st_mode & S_IFMT);
    }
};

inline Target find_target(const std::string &given) {
    Target target{given, {}, 0, false, {}};
    target.exists = stat(given.c_str(), &target.now) == 0;
    if (!target.exists) target.reason = errno == ENOENT ? 0 : errno;
    if (target.reason != 0) return target;
    struct stat found {};
    const std::vector<std::string> paths = followed(given);
    for (const std::string &path : paths)
        if (lstat(path.c_str(), &found) == 0 && is_planted(path, found.st_uid))
            target.planted = path;
    if (target.exists && is_planted(paths.back(), target.now.st_uid))
        target.planted = paths.back();      // even if the loop did not see it
    if (target.is_direct()) return target;  // names in /proc/self/fd lead to no file
    target.path = paths.back();
    // The folder's permission would be enough to replace a file that is protected from writing.
    if (target.exists && faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0)
        target.reason = errno;
    else if (target.exists && !(lstat(target.path.c_str(), &found) == 0 && target.is(found)))
        target.reason = ESTALE;
    return target;
}

/** What is written directly; no descriptor if it is something else by now. */
inline Descriptor open_directly(const Target &target) {
    struct stat found {};
    Descriptor file(again([&] { return open(target.path.c_str(), O_WRONLY | O_CLOEXEC); }));
    if (file.get() < 0 || (fstat(file.get(), &found) == 0 && target.is(found))) return file;
    errno = ESTALE;
    return Descriptor();
}

/** Gives a file group, mode and owner of the one it replaces. If the group cannot be set, it gets
 *  no rights; the owner is set for root only. */
inline bool take_over(int file, const Target &target) {
    const struct stat &replaced = target.now;
    struct stat own {};
    mode_t mode = replaced.st_mode & 0777U;
    if (fchown(file, static_cast<uid_t>(-1), replaced.st_gid) != 0 &&
        (fstat(file, &own) != 0 || own.st_gid != replaced.st_gid))
        mode &= ~static_cast<mode_t>(S_IRWXG);
    if (fchmod(file, mode) != 0) return false;
    (void)!fchown(file, replaced.st_uid, static_cast<gid_t>(-1));
    return true;
}

}  // namespace dpadapt::platform::files
