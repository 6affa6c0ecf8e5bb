#include "base/platform/new_file.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/error.hpp"
#include "base/platform/owner_file.hpp"
#include "base/platform/windows/system.hpp"
#include "base/text.hpp"

namespace dpadapt::platform {
namespace {

constexpr std::size_t kMostAtOnce = std::size_t{1} << 30U;

[[noreturn]] void fail(const char *what, const std::string &path, DWORD reason) {
    if (reason == ERROR_NOT_ENOUGH_MEMORY || reason == ERROR_OUTOFMEMORY) throw std::bad_alloc();
    throw Error(DPA_E_STORE, std::string(what) + ' ' + in_quotes(path) + ": " +
                                 std::system_category().message(static_cast<int>(reason)));
}

/** A name of this process and call. */
std::string new_name(const std::string &path) {
    static std::atomic<unsigned> count{0};
    return path + ".dpadapt-" + std::to_string(GetCurrentProcessId()) + '-' +
           std::to_string(count++);
}

HANDLE create(const std::string &name, bool for_owner) {
    if (for_owner) return handle_of(create_for_owner(name));
    return CreateFileW(wide(name).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                       FILE_ATTRIBUTE_NORMAL, nullptr);
}

bool write_all(HANDLE file, std::span<const std::uint8_t> content) {
    while (!content.empty()) {
        DWORD count = 0;
        const auto most = static_cast<DWORD>(std::min(content.size(), kMostAtOnce));
        if (WriteFile(file, content.data(), most, &count, nullptr) == 0) return false;
        content = content.subspan(count);
    }
    return FlushFileBuffers(file) != 0;
}

}  // namespace

// The list of access of the file that is replaced stays: ReplaceFile takes it over.
void replace_file(const std::string &path, std::span<const std::uint8_t> content, bool for_owner) {
    const std::string name = new_name(path);
    const bool exists = GetFileAttributesW(wide(path).c_str()) != INVALID_FILE_ATTRIBUTES;
    const HANDLE file = create(name, for_owner || exists);
    if (file == INVALID_HANDLE_VALUE) fail("cannot write", path, GetLastError());
    bool done = write_all(file, content);
    DWORD reason = GetLastError();
    CloseHandle(file);
    if (done) {
        done = exists ? ReplaceFileW(wide(path).c_str(), wide(name).c_str(), nullptr, 0, nullptr,
                                     nullptr) != 0
                      : MoveFileExW(wide(name).c_str(), wide(path).c_str(),
                                    MOVEFILE_WRITE_THROUGH) != 0;
        reason = GetLastError();
    }
    if (done) return;
    DeleteFileW(wide(name).c_str());
    fail("cannot write", path, reason);
}

std::vector<std::uint8_t> read_file(const std::string &path) {
    std::ifstream file(std::filesystem::path(wide(path)), std::ios::binary);
    std::vector<std::uint8_t> content{std::istreambuf_iterator<char>(file), {}};
    if (!file || !file.eof()) fail("cannot read", path, GetLastError());
    return content;
}

}  // namespace dpadapt::platform
