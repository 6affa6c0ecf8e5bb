#pragma once

#include <cstddef>
#include <cstdint>

namespace dpadapt::platform {

/** A number of this process, never 0, that none of the processes has from which it was forked. It
 *  is of this copy of the library. Where the kernel wipes no page at a fork, the process id alone
 *  tells. Throws std::bad_alloc, the first time only. */
[[nodiscard]] std::uint64_t process_stamp();

/** Whether the addresses that the process may take have a limit of their own (ulimit -v or -d). */
[[nodiscard]] bool addresses_are_limited() noexcept;

/** Whether so many bytes of addresses in a row can be had, to write there. */
[[nodiscard]] bool has_addresses(std::size_t bytes) noexcept;

}  // namespace dpadapt::platform
