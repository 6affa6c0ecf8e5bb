// The work of another place, for tests.
#pragma once

#include "records/partial.hpp"

namespace dpadapt::records {

/** The bytes of a sum over those rows. */
inline Bytes carry_out(std::span<const std::uint8_t> request, const Sample &part,
                       std::size_t threads, std::uint64_t first) {
    Partial sum(request);
    sum.add(part, threads, first);
    return sum.write();
}

}  // namespace dpadapt::records
