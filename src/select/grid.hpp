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

/** The product of axes, or some points of it drawn at random. The first axis varies slowest. */
class Grid {
  public:
    /** Throws Error(DPA_E_OPTION) for a name that is there already, Error(DPA_E_OVERFLOW) from 2^63
     *  points on. */
    void add(Axis axis);

    /** Keeps that many different points, uniformly at random; 0: all. Throws
     *  Error(DPA_E_INVALID_ARGUMENT) when there are fewer. The points are drawn by `points`, from
     *  all axes that there are then. */
    void draw(std::uint64_t count, std::uint64_t seed);

    [[nodiscard]] const std::vector<Axis> &axes() const { return axes_; }

    /** How many points are kept. */
    [[nodiscard]] std::uint64_t count() const { return drawn_ != 0 ? drawn_ : size_; }

    /** Their numbers in the product, ascending. Throws Error(DPA_E_OVERFLOW) beyond 2^20. */
    [[nodiscard]] std::vector<std::uint64_t> points() const;

    /** Which of its values each axis has at a point. */
    [[nodiscard]] std::vector<std::size_t> places(std::uint64_t point) const;

  private:
    std::vector<Axis> axes_;
    std::uint64_t size_ = 1;
    std::uint64_t drawn_ = 0;
    std::uint64_t seed_ = 0;
};

}  // namespace dpadapt::select
