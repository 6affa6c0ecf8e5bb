#pragma once

#include <cstdint>

namespace dpadapt::platform {

/** A number of this process, never 0, that none of the processes has from which it was forked. It
 *  is of this copy of the library. Where the kernel wipes no page at a fork, the process id alone
 *  tells. Throws std::bad_alloc, the first time only. */
[[nodiscard]] std::uint64_t process_stamp();

}  // namespace dpadapt::platform
