#include "base/platform/windows/system.hpp"

#include <algorithm>

namespace dpadapt::platform {

std::wstring wide(const std::string &text) {
    const int size = static_cast<int>(text.size());
    const int count =
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text.data(), size, nullptr, 0);
    std::wstring result(count > 0 ? static_cast<std::size_t>(count) : 0, L'\0');
    MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), count);
    std::replace(result.begin(), result.end(), L'/', L'\\');
    return result;
}

std::string narrow(const std::wstring &text) {
    const int size = static_cast<int>(text.size());
    const int count =
        WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
    std::string result(count > 0 ? static_cast<std::size_t>(count) : 0, '\0');
    WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), count, nullptr, nullptr);
    return result;
}

std::string real_path_of(HANDLE file) {
    std::wstring name(32768, L'\0');
    const auto size = static_cast<DWORD>(name.size());
    const DWORD count = GetFinalPathNameByHandleW(file, name.data(), size, 0);
    if (count == 0 || count >= size) return {};
    name.resize(count);
    return narrow(name);
}

}  // namespace dpadapt::platform
