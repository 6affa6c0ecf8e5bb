#pragma once

#include <dpadapt/arrow.h>

#include <utility>

#include "base/platform/float_state.hpp"

namespace dpadapt::arrow {

/** A structure of Arrow's, which is released once. */
template <typename Structure>
class Owned {
  public:
    explicit Owned(const Structure &value) : value_(value) {}
    Owned(const Owned &) = delete;
    Owned &operator=(const Owned &) = delete;
    Owned(Owned &&other) noexcept : value_(std::exchange(other.value_, {})) {}
    Owned &operator=(Owned &&) = delete;
    ~Owned() {
        if (value_.release != nullptr) call_host(value_.release, &value_);
    }

    [[nodiscard]] const Structure &operator*() const { return value_; }
    [[nodiscard]] const Structure *operator->() const { return &value_; }

  private:
    Structure value_;
};

}  // namespace dpadapt::arrow
