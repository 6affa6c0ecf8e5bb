#pragma once

#include <dpadapt/version.h>

#define DPA_TEXT_OF(x) #x
#define DPA_TEXT(x) DPA_TEXT_OF(x)

namespace dpadapt {

inline constexpr const char *kVersion =
    DPA_TEXT(DPA_VERSION_MAJOR) "." DPA_TEXT(DPA_VERSION_MINOR) "." DPA_TEXT(DPA_VERSION_PATCH);

}  // namespace dpadapt

#undef DPA_TEXT
#undef DPA_TEXT_OF
