#pragma once

#include <cstddef>

#include "base/control.hpp"

namespace dpadapt {

/** Whose control the loops of this thread ask. It belongs to the thread, not to the arguments of a
 *  hundred functions: reading rows, sums and sorts know nothing of callers, and take long where
 *  rows are many. */
class Attention {
  public:
    /** While it lives, to this one; the one before is back afterwards. */
    explicit Attention(Control &control) noexcept;
    /** While it lives, to nobody: of a call that cannot be stopped. */
    Attention() noexcept;
    Attention(const Attention &) = delete;
    Attention &operator=(const Attention &) = delete;
    ~Attention();

  private:
    Control *before_;
    double work_before_;
};

/** Every loop over rows says, before or after each block, about how many numbers it takes up. The
 *  control is asked whenever that makes some milliseconds, always after the same work. Threads
 *  without a control, such as helpers, are not held up. Throws what the control throws. */
void worked(double numbers);

/** The same of rows of so many numbers each. */
inline void worked(std::size_t rows, std::size_t numbers) {
    constexpr std::size_t kOfRow = 16;  // what it costs besides
    worked(static_cast<double>(rows) * static_cast<double>(numbers + kOfRow));
}

}  // namespace dpadapt
