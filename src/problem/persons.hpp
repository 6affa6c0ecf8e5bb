#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dpadapt {

/** Which rows of a sample belong to which person. How many persons there are is public, who has
 *  which and how many rows is not. */
class Persons {
  public:
    /** Rows with the same id belong to the same person. */
    explicit Persons(std::span<const std::int64_t> ids);

    /** Persons whose rows are in another place: only their number is known here. */
    [[nodiscard]] static Persons elsewhere(std::size_t count);

    [[nodiscard]] std::size_t count() const { return count_; }

    /** The rows of a person, in the sample's order. */
    [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t person) const {
        return std::span(order_).subspan(first_[person], first_[person + 1] - first_[person]);
    }

  private:
    Persons() = default;

    std::size_t count_ = 0;
    std::vector<std::uint32_t> order_;  ///< rows, person after person
    std::vector<std::size_t> first_;    ///< of each person among them, and the end
};

}  // namespace dpadapt
