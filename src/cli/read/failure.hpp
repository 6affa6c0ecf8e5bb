#pragma once

#include <dpadapt/dpadapt.h>
#include <dpadapt/status.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/read/text.hpp"

namespace dpadapt::cli {

/** Releases a handle of the library by its destroy function. */
template <auto destroy>
struct Destroyer {
    void operator()(auto *handle) const noexcept { destroy(handle); }
};

using OptionsHandle = std::unique_ptr<dpa_options, Destroyer<dpa_options_destroy>>;
using ProblemHandle = std::unique_ptr<dpa_problem, Destroyer<dpa_problem_destroy>>;
using DiscrepancyHandle = std::unique_ptr<dpa_discrepancy, Destroyer<dpa_discrepancy_destroy>>;
using PlanHandle = std::unique_ptr<dpa_plan, Destroyer<dpa_plan_destroy>>;
using LedgerHandle = std::unique_ptr<dpa_ledger, Destroyer<dpa_ledger_destroy>>;
using SolutionHandle = std::unique_ptr<dpa_solution, Destroyer<dpa_solution_destroy>>;
using SchemaHandle = std::unique_ptr<dpa_schema, Destroyer<dpa_schema_destroy>>;
using SearchHandle = std::unique_ptr<dpa_search, Destroyer<dpa_search_destroy>>;
using EvaluationHandle = std::unique_ptr<dpa_evaluation, Destroyer<dpa_evaluation_destroy>>;
using CancelHandle = std::unique_ptr<dpa_cancel, Destroyer<dpa_cancel_destroy>>;

/** Exit codes of the program, as listed by --help. */
enum ExitCode {
    kSuccess = 0,
    kComputationFailed = 1,
    kUsage = 2,
    kBadData = 3,
    kNotWritten = 4,
    kRescued = 5,
    kNoBudget = 6,
    kInterrupted = 130
};

/** What the program says on standard error when it gives up, and its exit code. */
class Failure : public std::runtime_error {
  public:
    Failure(ExitCode code, const std::string &line)
        : Failure(code, std::vector<std::string>{line}) {}
    Failure(ExitCode code, const std::vector<std::string> &lines)
        : std::runtime_error(in_lines(lines)), code_(code) {}

    [[nodiscard]] ExitCode code() const noexcept { return code_; }

  private:
    ExitCode code_;
};

/** Throws the library's message as a Failure unless the call succeeded. */
void check(dpa_status status);

/** The handle that a function of the library stores behind its last argument. */
template <typename Handle, typename... Arguments>
[[nodiscard]] Handle made(auto function, const Arguments &...arguments) {
    typename Handle::pointer result = nullptr;
    check(function(arguments..., &result));
    return Handle(result);
}

/** The number that it stores there. */
template <typename Number = double, typename... Arguments>
[[nodiscard]] Number number_of(auto function, const Arguments &...arguments) {
    Number number{};
    check(function(arguments..., &number));
    return number;
}

/** While it lives, Ctrl-C asks the library's calls that use the token to stop; one at a time. A
 * second Ctrl-C ends the program at once. */
class InterruptGuard {
  public:
    InterruptGuard();
    InterruptGuard &operator=(InterruptGuard &&) = delete;
    ~InterruptGuard();

    [[nodiscard]] dpa_cancel *token() const noexcept { return token_.get(); }

  private:
    CancelHandle token_;
};

/** Throws Failure(kInterrupted) after Ctrl-C. */
void check_interrupted();

/** Calls what reads the rows of a file, or computes from them; where memory ends, it says whose. */
void within_memory(const std::string &path, const auto &call) {
    try {
        call();
    } catch (const std::bad_alloc &) {
        throw Failure(kComputationFailed, path + ": memory exhausted by its rows");
    }
}

/** From now on the first allocation that fails gets memory that was put aside, and only later ones
 *  throw: destructors of JSON allocate, and a result that was paid for must reach its file. */
void keep_memory_reserve();

/** What a function of the library writes, whatever its size: after these arguments it takes out,
 *  out_len and needed. */
template <typename Buffer, typename... Arguments>
[[nodiscard]] Buffer filled(auto function, const Arguments &...arguments) {
    Buffer buffer;
    std::size_t size = 0;
    dpa_status status = function(arguments..., nullptr, 0, &size);
    while (status == DPA_E_BUFFER) {  // a ledger may grow between two calls
        buffer.resize(size);
        status = function(arguments..., buffer.data(), buffer.size(), &size);
    }
    check(status);
    buffer.resize(size);
    return buffer;
}

/** The same of a text, without its final zero. */
template <typename... Arguments>
[[nodiscard]] std::string filled_text(auto function, const Arguments &...arguments) {
    auto text = filled<std::string>(function, arguments...);
    text.pop_back();
    return text;
}

}  // namespace dpadapt::cli
