#include "base/platform/process.hpp"

namespace dpadapt::platform {

// A job limits memory, not addresses.
bool addresses_are_limited() noexcept { return false; }

bool has_addresses(std::size_t /*bytes*/) noexcept { return true; }

}  // namespace dpadapt::platform
