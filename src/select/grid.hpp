#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dpadapt::select {

/** The values that one option takes, as text. */
struct Axis {
    std::string name;
    std::vector<std::string> values;
};

/** The product of axes. The first axis varies slowest. */
class Grid {
  public:
    /** Throws Error(DPA_E_OPTION) for a name that is there already, Error(DPA_E_OVERFLOW) from 2^63
     *  points on. */
    void add(Axis axis);

    [[nodiscard]] const std::vector<Axis> &axes() const { return axes_; }

    [[nodiscard]] std::uint64_t count() const { return size_; }

    /** Their numbers in the product, ascending. Throws Error(DPA_E_OVERFLOW) beyond 2^20. */
    [[nodiscard]] std::vector<std::uint64_t> points() const;

    /** Which of its values each axis has at a point. */
    [[nodiscard]] std::vector<std::size_t> places(std::uint64_t point) const;

  private:
    std::vector<Axis> axes_;
    std::uint64_t size_ = 1;
};

}  // namespace dpadapt::select
