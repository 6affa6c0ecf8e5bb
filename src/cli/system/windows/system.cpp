#include "cli/system/system.hpp"

#include "base/platform/windows/system.hpp"

// after windows.h
#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "base/platform/target.hpp"

namespace dpadapt::cli {

void prepare_streams() {
    for (int stream = 0; stream <= 2; ++stream) {
        // Opened the wrong way round: use of a stream that was closed still fails, as it should.
        if (_get_osfhandle(stream) < 0) _open("NUL", stream == 0 ? _O_WRONLY : _O_RDONLY);
        _setmode(stream, _O_BINARY);
    }
    static const UINT before = GetConsoleOutputCP();
    SetConsoleOutputCP(CP_UTF8);
    std::atexit([] { SetConsoleOutputCP(before); });
}

// As elsewhere, the handler is gone when it is called.
void at_interrupt(void (*handler)(int)) {
    if (std::signal(SIGINT, handler) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
}

bool has_terminal() { return _isatty(2) != 0; }

double most_memory() {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof memory;
    GlobalMemoryStatusEx(&memory);
    return static_cast<double>(memory.ullTotalPhys);
}

bool has_limited_addresses() { return false; }

namespace {

HANDLE handle_of_stream(int stream) { return platform::handle_of(_get_osfhandle(stream)); }

/** Of a file, or of a folder if that is asked for. */
std::optional<Identity> identity_of(HANDLE file, bool of_folder = false) {
    BY_HANDLE_FILE_INFORMATION found{};
    if (GetFileType(file) != FILE_TYPE_DISK || GetFileInformationByHandle(file, &found) == 0)
        return {};
    if (((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) != of_folder) return {};
    const std::uint64_t high = found.nFileIndexHigh;
    return Identity{found.dwVolumeSerialNumber, (high << 32U) | found.nFileIndexLow, ""};
}

HANDLE open_to_ask(const std::string &path) {
    return CreateFileW(platform::wide(path).c_str(), 0,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                       OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
}

/** Its letters alone tell names apart, not whether they are capital ones. */
std::string small_name(const std::string &path) {
    std::wstring name = platform::wide(path.substr(path.find_last_of("/\\:") + 1));
    CharLowerBuffW(name.data(), static_cast<DWORD>(name.size()));
    return platform::narrow(name);
}

}  // namespace

std::optional<Identity> identity(const std::string &path) {
    if (path.empty()) return {};
    HANDLE file = open_to_ask(path);
    const bool exists = file != INVALID_HANDLE_VALUE;
    if (!exists) file = open_to_ask(platform::files::folder_of(path) + '/');
    if (file == INVALID_HANDLE_VALUE) return {};
    std::optional<Identity> found = identity_of(file, !exists);
    CloseHandle(file);
    if (found && !exists) found->name = small_name(path);
    return found;
}

std::optional<Identity> identity_of_standard_input() { return identity_of(handle_of_stream(0)); }

bool is_standard_output(const std::string &path) {
    const std::optional<Identity> output = identity_of(handle_of_stream(1));
    return output && output == identity(path);
}

int copy_of_standard_input() { return _dup(0); }

int copy_of_standard_output() { return _dup(1); }

bool reserve_room(int file, std::size_t bytes) { return set_size(file, bytes); }

bool set_size(int file, std::size_t bytes) {
    return _chsize_s(file, static_cast<long long>(bytes)) == 0;
}

int why_unwritable(int stream, std::size_t /*bytes*/) {
    DWORD count = 0;
    if (WriteFile(handle_of_stream(stream), "", 0, &count, nullptr) != 0) return 0;
    return platform::files::reason_of(static_cast<long>(GetLastError()));
}

}  // namespace dpadapt::cli
