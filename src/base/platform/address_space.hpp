#pragma once

#include <cstddef>

namespace dpadapt::platform {

/** Whether the addresses that the process may take have a limit of their own (ulimit -v or -d). */
[[nodiscard]] bool addresses_are_limited() noexcept;

/** Whether so many bytes of addresses in a row can be had, to write there. */
[[nodiscard]] bool has_addresses(std::size_t bytes) noexcept;

}  // namespace dpadapt::platform
