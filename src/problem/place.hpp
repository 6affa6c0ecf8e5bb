#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dpadapt {

using Bytes = std::vector<std::uint8_t>;

/** Where private records are that this process does not see. */
class Place {
  public:
    Place() = default;
    Place(const Place &) = delete;
    Place &operator=(const Place &) = delete;
    virtual ~Place() = default;

    /** Carries out a request, which is public or made of released values, over all records: the
     *  sums of its parts, in any order (records/partial.hpp). Each record must be in one part. */
    [[nodiscard]] virtual std::vector<Bytes> carry_out(std::span<const std::uint8_t> request) = 0;

    /** Whether each part knows the numbers of its records in the sample. */
    [[nodiscard]] virtual bool knows_numbers() const { return false; }
};

}  // namespace dpadapt
