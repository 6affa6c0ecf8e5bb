#pragma once

#include <dpadapt/status.h>

#include <stdexcept>
#include <string>

#include "cli/handles.hpp"

namespace dpadapt::cli {

/** Exit codes of the program, as listed by --help. */
enum ExitCode {
    kSuccess = 0,
    kComputationFailed = 1,
    kUsage = 2,
    kBadData = 3,
    kNotWritten = 4,
    kRescued = 5,
    kInterrupted = 130
};

/** The text for a terminal: control characters, which a cell of any file can have, are told and not
 *  obeyed. Line feeds and tabs stay. */
[[nodiscard]] std::string printable(const std::string &text);

/** What the program says on standard error when it gives up, and its exit code. */
class Failure : public std::runtime_error {
  public:
    Failure(ExitCode code, const std::string &message)
        : std::runtime_error(printable(message)), code_(code) {}

    [[nodiscard]] ExitCode code() const noexcept { return code_; }

  private:
    ExitCode code_;
};

/** Throws the library's message as a Failure unless the call succeeded. */
void check(dpa_status status);

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

/** From now on the first allocation that fails gets memory that was put aside, and only later ones
 *  throw: destructors of JSON allocate, and a result that was paid for must reach its file. */
void keep_memory_reserve();

}  // namespace dpadapt::cli
