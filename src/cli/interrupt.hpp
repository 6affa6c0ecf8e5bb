#pragma once

#include "cli/handles.hpp"

namespace dpadapt::cli {

/** While it lives, Ctrl-C asks the library's calls that use the token to stop; one at a time. A
 * second Ctrl-C ends the program at once. */
class InterruptGuard {
  public:
    InterruptGuard();
    InterruptGuard(const InterruptGuard &) = delete;
    InterruptGuard &operator=(const InterruptGuard &) = delete;
    ~InterruptGuard();

    [[nodiscard]] dpa_cancel *token() const noexcept { return token_.get(); }

  private:
    CancelHandle token_;
};

/** Throws Failure(kInterrupted) after Ctrl-C. */
void check_interrupted();

}  // namespace dpadapt::cli
