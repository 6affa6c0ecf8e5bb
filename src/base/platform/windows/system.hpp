#pragma once

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cstdint>
#include <string>

namespace dpadapt::platform {

inline HANDLE handle_of(std::intptr_t file) noexcept { return reinterpret_cast<HANDLE>(file); }

/** UTF-16 of a path in UTF-8; empty, which no file has as its name, if it is not UTF-8. */
[[nodiscard]] std::wstring wide(const std::string &text);

[[nodiscard]] std::string narrow(const std::wstring &text);

}  // namespace dpadapt::platform
