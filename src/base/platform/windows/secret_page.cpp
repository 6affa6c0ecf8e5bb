#include "base/platform/secret_page.hpp"

#include "base/platform/windows/system.hpp"

// after windows.h
#include <bcrypt.h>

#include <algorithm>
#include <cerrno>
#include <new>

namespace dpadapt::platform {
namespace {

/** In no report of a crash, where Windows has that (10, version 1703). */
void exclude_from_reports(void *memory, std::size_t size) noexcept {
    const HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
    if (kernel == nullptr) return;
    using Exclude = HRESULT(WINAPI *)(const void *, DWORD);
    const auto exclude = reinterpret_cast<Exclude>(
        reinterpret_cast<void *>(GetProcAddress(kernel, "WerRegisterExcludedMemoryBlock")));
    if (exclude != nullptr) exclude(memory, static_cast<DWORD>(size));
}

void include_in_reports(void *memory) noexcept {
    const HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
    if (kernel == nullptr) return;
    using Include = HRESULT(WINAPI *)(const void *);
    const auto include = reinterpret_cast<Include>(
        reinterpret_cast<void *>(GetProcAddress(kernel, "WerUnregisterExcludedMemoryBlock")));
    if (include != nullptr) include(memory);
}

}  // namespace

SecretPage take_secret_page(std::size_t size) {
    SecretPage page;
    page.memory = VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (page.memory == nullptr) throw std::bad_alloc();
    static_cast<void>(VirtualLock(page.memory, size));
    exclude_from_reports(page.memory, size);
    page.wiped_on_fork = true;  // nothing forks
    return page;
}

void give_back_page(void *memory, std::size_t /*size*/) noexcept {
    include_in_reports(memory);
    VirtualFree(memory, 0, MEM_RELEASE);
}

int process_id() noexcept { return static_cast<int>(GetCurrentProcessId()); }

std::ptrdiff_t read_system_random(void *bytes, std::size_t size) noexcept {
    constexpr std::size_t kMost = std::size_t{1} << 20U;
    const std::size_t count = std::min(size, kMost);
    if (BCryptGenRandom(nullptr, static_cast<PUCHAR>(bytes), static_cast<ULONG>(count),
                        BCRYPT_USE_SYSTEM_PREFERRED_RNG) < 0) {
        errno = EIO;
        return -1;
    }
    return static_cast<std::ptrdiff_t>(count);
}

}  // namespace dpadapt::platform
