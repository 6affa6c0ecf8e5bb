#pragma once

// Where a file is to be written, and how: the same names for each system.
#if defined(_WIN32)
#include "base/platform/windows/target.hpp"
#else
#include "base/platform/posix/target.hpp"
#endif
