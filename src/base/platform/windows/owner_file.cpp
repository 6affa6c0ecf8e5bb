#include "base/platform/owner_file.hpp"

#include "base/platform/windows/system.hpp"

// after windows.h
#include <aclapi.h>
#include <sddl.h>

#include <memory>
#include <vector>

namespace dpadapt::platform {
namespace {

struct Close {
    void operator()(void *handle) const noexcept { CloseHandle(handle); }
};
struct Free {
    void operator()(void *memory) const noexcept { LocalFree(memory); }
};
using Local = std::unique_ptr<void, Free>;

/** TOKEN_USER of this process; empty if the system does not tell. */
std::vector<unsigned char> user_of_process() {
    HANDLE token = nullptr;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token) == 0) return {};
    const std::unique_ptr<void, Close> closed(token);
    DWORD size = 0;
    GetTokenInformation(token, TokenUser, nullptr, 0, &size);
    std::vector<unsigned char> user(size);
    if (size == 0 || GetTokenInformation(token, TokenUser, user.data(), size, &size) == 0)
        return {};
    return user;
}

PSID sid_in(std::vector<unsigned char> &user) {
    return reinterpret_cast<TOKEN_USER *>(user.data())->User.Sid;
}

/** A list of access with one entry, which takes over nothing from the folder. */
Local only_for(PSID user) {
    LPWSTR name = nullptr;
    if (ConvertSidToStringSidW(user, &name) == 0) return {};
    const Local freed(name);
    const std::wstring text = L"D:P(A;;FA;;;" + std::wstring(name) + L")";
    PSECURITY_DESCRIPTOR descriptor = nullptr;
    ConvertStringSecurityDescriptorToSecurityDescriptorW(text.c_str(), SDDL_REVISION_1, &descriptor,
                                                         nullptr);
    return Local(descriptor);
}

bool is_system(PSID sid) { return IsWellKnownSid(sid, WinLocalSystemSid) != 0; }

/** Whether each entry that allows something allows it to that user or the system. */
bool allows_only(PACL list, PSID user) {
    for (DWORD k = 0; k < list->AceCount; ++k) {
        void *entry = nullptr;
        if (GetAce(list, k, &entry) == 0) return false;
        auto *allowed = static_cast<ACCESS_ALLOWED_ACE *>(entry);
        if (allowed->Header.AceType == ACCESS_DENIED_ACE_TYPE || allowed->Mask == 0) continue;
        if (allowed->Header.AceType != ACCESS_ALLOWED_ACE_TYPE) return false;
        PSID who = &allowed->SidStart;
        if (EqualSid(who, user) == 0 && !is_system(who)) return false;
    }
    return true;
}

std::intptr_t create(const std::string &path) {
    std::vector<unsigned char> user = user_of_process();
    if (user.empty()) return -1;
    const Local access = only_for(sid_in(user));
    if (!access) return -1;
    SECURITY_ATTRIBUTES owner_alone{};
    owner_alone.nLength = sizeof owner_alone;
    owner_alone.lpSecurityDescriptor = access.get();
    return reinterpret_cast<std::intptr_t>(
        CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, 0, &owner_alone, CREATE_NEW,
                    FILE_ATTRIBUTE_NORMAL, nullptr));
}

bool is_alone(const std::string &path) {
    std::vector<unsigned char> user = user_of_process();
    PACL list = nullptr;
    PSECURITY_DESCRIPTOR descriptor = nullptr;
    const DWORD failed =
        GetNamedSecurityInfoW(wide(path).data(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr,
                              nullptr, &list, nullptr, &descriptor);
    const Local freed(descriptor);
    // Without a list, everybody may do everything.
    return failed == ERROR_SUCCESS && list != nullptr && !user.empty() &&
           allows_only(list, sid_in(user));
}

}  // namespace

std::intptr_t create_for_owner(const std::string &path) noexcept {
    try {
        return create(path);
    } catch (const std::bad_alloc &) {
        SetLastError(ERROR_NOT_ENOUGH_MEMORY);
        return -1;
    }
}

void close_file(std::intptr_t file) noexcept { CloseHandle(handle_of(file)); }

bool is_for_owner_alone(const std::string &path) noexcept {
    try {
        return is_alone(path);
    } catch (const std::bad_alloc &) {
        return false;
    }
}

}  // namespace dpadapt::platform
