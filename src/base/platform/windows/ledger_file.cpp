#include "base/platform/ledger_file.hpp"

#include <algorithm>
#include <new>
#include <system_error>

#include "base/error.hpp"
#include "base/platform/owner_file.hpp"
#include "base/platform/windows/system.hpp"
#include "base/text.hpp"

namespace dpadapt::privacy {
namespace {

using platform::handle_of;
using platform::wide;

constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;

[[noreturn]] void fail(const std::string &what, const std::string &path, DWORD reason) {
    if (reason == ERROR_NOT_ENOUGH_MEMORY || reason == ERROR_OUTOFMEMORY) throw std::bad_alloc();
    throw Error(DPA_E_STORE, what + ' ' + in_quotes(path) + ": " +
                                 std::system_category().message(static_cast<int>(reason)));
}

OVERLAPPED place_of(std::uint64_t at) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(at);
    place.OffsetHigh = static_cast<DWORD>(at >> 32U);
    return place;
}

/** One byte beyond all content: locks of Windows would keep others from reading what they cover. */
OVERLAPPED lock_place() { return place_of(std::uint64_t{0x7FFFFFFF} << 32U); }

std::uint64_t size_of(HANDLE file, const char *what, const std::string &path) {
    LARGE_INTEGER size{};
    if (GetFileSizeEx(file, &size) == 0) fail(what, path, GetLastError());
    return static_cast<std::uint64_t>(size.QuadPart);
}

bool write_at(HANDLE file, std::uint64_t at, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        OVERLAPPED place = place_of(at);
        DWORD count = 0;
        const auto most = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
        if (WriteFile(file, bytes.data(), most, &count, &place) == 0) return false;
        bytes = bytes.subspan(count);
        at += count;
    }
    return true;
}

/** The count; 0 at the end of the file. */
DWORD read_at(HANDLE file, std::uint64_t at, std::span<std::uint8_t> bytes,
              const std::string &path) {
    OVERLAPPED place = place_of(at);
    DWORD count = 0;
    const auto most = static_cast<DWORD>(std::min(bytes.size(), kMostAtOnce));
    if (ReadFile(file, bytes.data(), most, &count, &place) != 0) return count;
    if (GetLastError() != ERROR_HANDLE_EOF) fail("cannot read the ledger", path, GetLastError());
    return 0;
}

}  // namespace

LedgerFile::LedgerFile(const std::string &path, Access access) : path_(path), file_(-1) {
    const bool writes = access == Access::write;
    const HANDLE file =
        CreateFileW(wide(path).c_str(), writes ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ,
                    kShared, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) fail("cannot open the ledger", path_, GetLastError());
    file_ = reinterpret_cast<std::intptr_t>(file);
    OVERLAPPED place = lock_place();
    if (LockFileEx(file, writes ? LOCKFILE_EXCLUSIVE_LOCK : 0, 0, 1, 0, &place) != 0) return;
    const DWORD reason = GetLastError();
    CloseHandle(file);
    fail("cannot lock the ledger", path_, reason);
}

LedgerFile::~LedgerFile() {
    OVERLAPPED place = lock_place();
    UnlockFileEx(handle_of(file_), 0, 1, 0, &place);
    CloseHandle(handle_of(file_));
}

std::vector<std::uint8_t> LedgerFile::read_from(std::size_t begin) const {
    const HANDLE file = handle_of(file_);
    if (GetFileType(file) != FILE_TYPE_DISK)
        fail("a ledger must be a regular file, not", path_, ERROR_INVALID_PARAMETER);
    const auto size = static_cast<std::size_t>(size_of(file, "cannot read the ledger", path_));
    std::vector<std::uint8_t> bytes(size - std::min(begin, size));
    for (std::size_t at = 0; at < bytes.size();) {
        const DWORD count = read_at(file, begin + at, std::span(bytes).subspan(at), path_);
        if (count == 0) bytes.resize(at);  // somebody cuts it without its lock
        at += count;
    }
    return bytes;
}

void LedgerFile::append(std::span<const std::uint8_t> block) {
    const HANDLE file = handle_of(file_);
    const std::uint64_t end = size_of(file, "cannot write the ledger", path_);
    if (!write_at(file, end, block)) {
        const DWORD reason = GetLastError();
        // Nothing has been read for a part of an entry; if it stays, the file is refused.
        FILE_END_OF_FILE_INFO size{};
        size.EndOfFile.QuadPart = static_cast<LONGLONG>(end);
        SetFileInformationByHandle(file, FileEndOfFileInfo, &size, sizeof size);
        fail("cannot write the ledger", path_, reason);
    }
    if (FlushFileBuffers(file) == 0) fail("cannot write the ledger", path_, GetLastError());
}

std::string LedgerFile::real_path(const std::string &path) {
    const HANDLE file = CreateFileW(wide(path).c_str(), 0, kShared, nullptr, OPEN_EXISTING,
                                    FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (file == INVALID_HANDLE_VALUE) fail("cannot open the ledger", path, GetLastError());
    const std::string found = platform::real_path_of(file);
    const DWORD reason = GetLastError();
    CloseHandle(file);
    if (found.empty()) fail("cannot open the ledger", path, reason);
    return found;
}

std::string LedgerFile::new_path(const std::string &path) {
    const std::size_t slash = path.find_last_of("/\\");
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    return real_path(slash == std::string::npos ? "." : path.substr(0, slash + 1)) + '\\' + name;
}

void LedgerFile::create(const std::string &path, std::span<const std::uint8_t> content) {
    const std::intptr_t made = platform::create_for_owner(path);
    if (made == -1) fail("cannot make the ledger", path, GetLastError());
    const HANDLE file = handle_of(made);
    const bool written = write_at(file, 0, content) && FlushFileBuffers(file) != 0;
    const DWORD reason = GetLastError();
    platform::close_file(made);
    if (written) return;
    DeleteFileW(wide(path).c_str());
    fail("cannot write the ledger", path, reason);
}

}  // namespace dpadapt::privacy
