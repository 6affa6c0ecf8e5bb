#include "base/platform/target.hpp"

#include "base/platform/owner_file.hpp"
#include "base/platform/windows/system.hpp"

// after windows.h
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

namespace dpadapt::platform::files {

int reason_of(long error) noexcept {
    switch (error) {
        case ERROR_FILE_NOT_FOUND:
        case ERROR_PATH_NOT_FOUND:
        case ERROR_INVALID_NAME:
            return ENOENT;
        case ERROR_ACCESS_DENIED:
        case ERROR_SHARING_VIOLATION:
        case ERROR_WRITE_PROTECT:
            return EACCES;
        case ERROR_DISK_FULL:
        case ERROR_HANDLE_DISK_FULL:
            return ENOSPC;
        case ERROR_FILE_EXISTS:
        case ERROR_ALREADY_EXISTS:
            return EEXIST;
        case ERROR_NOT_ENOUGH_MEMORY:
            return ENOMEM;
        case ERROR_BROKEN_PIPE:
        case ERROR_NO_DATA:
        case ERROR_PIPE_NOT_CONNECTED:
            return EPIPE;
        case ERROR_INVALID_HANDLE:
            return EBADF;
        case ERROR_DIRECTORY:
            return ENOTDIR;
        default:
            return EIO;
    }
}

namespace {

bool done(BOOL result) {
    if (result == 0) errno = reason_of(static_cast<long>(GetLastError()));
    return result != 0;
}

int open_for_owner(const std::string &path) {
    const std::intptr_t file = create_for_owner(path);
    if (file == -1) errno = reason_of(static_cast<long>(GetLastError()));
    return file == -1 ? -1 : _open_osfhandle(file, _O_BINARY | _O_NOINHERIT);
}

int open_for_others(const std::string &path) {
    return _wopen(wide(path).c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                  _S_IREAD | _S_IWRITE);
}

}  // namespace

int create(std::string &name, const std::string &begin, const std::string &end, unsigned mode) {
    static std::atomic<unsigned> count{0};
    for (;;) {
        name = begin + std::to_string(GetCurrentProcessId()) + '-' + std::to_string(count++) + end;
        const int file = mode == 0600 ? open_for_owner(name) : open_for_others(name);
        if (file >= 0 || errno != EEXIST) return file;
    }
}

bool sync(int file) { return _commit(file) == 0; }

// Not _write(), which calls a pipe without a reader an invalid argument.
std::ptrdiff_t write_some(int file, std::string_view text) {
    constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;
    const auto size = static_cast<DWORD>(std::min(text.size(), kMostAtOnce));
    DWORD count = 0;
    if (!done(WriteFile(handle_of(_get_osfhandle(file)), text.data(), size, &count, nullptr)))
        return -1;
    return static_cast<std::ptrdiff_t>(count);
}

bool write_all(int file, std::size_t /*begin*/, std::string_view text) {
    while (!text.empty()) {
        const std::ptrdiff_t count = write_some(file, text);
        if (count < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

// A file that another process reads or replaces at this moment is free again soon.
bool move_over(const std::string &from, const std::string &to) {
    constexpr int kTries = 100;
    constexpr DWORD kMilliseconds = 10;
    const std::wstring old = wide(from);
    const std::wstring name = wide(to);
    for (int tries = 1;; ++tries) {
        const bool moved =
            GetFileAttributesW(name.c_str()) == INVALID_FILE_ATTRIBUTES
                ? done(MoveFileExW(old.c_str(), name.c_str(), MOVEFILE_WRITE_THROUGH))
                : done(ReplaceFileW(name.c_str(), old.c_str(), nullptr, 0, nullptr, nullptr));
        if (moved || tries == kTries || GetFileAttributesW(old.c_str()) == INVALID_FILE_ATTRIBUTES)
            return moved;
        Sleep(kMilliseconds);
    }
}

void remove(const std::string &path) { DeleteFileW(wide(path).c_str()); }

std::string folder_of(const std::string &path) {
    const std::size_t end = path.find_last_of("/\\:");
    if (end == std::string::npos) return ".";
    return path[end] == ':' ? path.substr(0, end + 1) + '.' : path.substr(0, end);
}

Target find_target(const std::string &given) {
    Target target{given, {}, 0, false, false};
    const HANDLE file =
        CreateFileW(wide(given).c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    target.exists = file != INVALID_HANDLE_VALUE;
    if (!target.exists) {
        const int reason = reason_of(static_cast<long>(GetLastError()));
        target.reason = reason == ENOENT ? 0 : reason;
        return target;
    }
    BY_HANDLE_FILE_INFORMATION found{};
    target.direct = GetFileType(file) != FILE_TYPE_DISK;
    const bool known = !target.direct && GetFileInformationByHandle(file, &found) != 0;
    const std::string path = known ? real_path_of(file) : "";
    if (!path.empty()) target.path = path;
    CloseHandle(file);
    if (known && (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) target.reason = EISDIR;
    if (known && (found.dwFileAttributes & FILE_ATTRIBUTE_READONLY) != 0) target.reason = EACCES;
    return target;
}

Descriptor open_directly(const Target &target) {
    return Descriptor(_wopen(wide(target.path).c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT));
}

}  // namespace dpadapt::platform::files
