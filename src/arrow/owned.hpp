#pragma once

#include <dpadapt/arrow.h>

#include <utility>

namespace dpadapt::arrow {

/** A structure of Arrow's, which is released once. */
template <typename Structure>
class Owned {
  public:
    Owned() = default;
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    Owned(Owned &&other) noexcept : value_(std::exchange(other.value_, {})) {}
    Owned &operator=(Owned &&) = delete;
    ~Owned() {
        if (value_.release != nullptr) value_.release(&value_);
    }

    [[nodiscard]] const Structure &operator*() const { return value_; }
    [[nodiscard]] const Structure *operator->() const { return &value_; }
    /** To be filled by the other side, once. */
    [[nodiscard]] Structure *place() { return &value_; }

  private:
    Structure value_{};
};

}  // namespace dpadapt::arrow
