#pragma once

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <cstdint>
#include <string>

namespace dpadapt::platform {

inline HANDLE handle_of(std::intptr_t file) noexcept { return reinterpret_cast<HANDLE>(file); }

/** UTF-16 of a path in UTF-8, with \ for each /, which not every function takes; empty, which no
 *  file has as its name, if it is not UTF-8. */
[[nodiscard]] std::wstring wide(const std::string &text);

[[nodiscard]] std::string narrow(const std::wstring &text);

/** Absolute and without links; empty if the system does not tell. */
[[nodiscard]] std::string real_path_of(HANDLE file);

}  // namespace dpadapt::platform
