#pragma once

#include <dpadapt/options.h>
#include <dpadapt/types.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "discrepancy/estimate.hpp"
#include "engine/options.hpp"
#include "engine/usage.hpp"
#include "privacy/report.hpp"
#include "problem/sample.hpp"
#include "select/grid.hpp"
#include "solution/solution.hpp"

// What is behind the opaque handles. The first member of each is a tag, so that a handle of another
// type, which bindings can pass, is found out.
enum class HandleTag : std::uint64_t {
    none = 0,
    options = 0x6470612d6f707401,
    problem = 0x6470612d70726f02,
    discrepancy = 0x6470612d64697303,
    solution = 0x6470612d736f6c04,
    cancel = 0x6470612d63616e05,
    plan = 0x6470612d706c6106,
    search = 0x6470612d73656107,
};

struct dpa_cancel_s {
    static constexpr HandleTag kTag = HandleTag::cancel;
    HandleTag tag = kTag;
    std::atomic<bool> requested{false};
};

struct dpa_options_s {
    static constexpr HandleTag kTag = HandleTag::options;
    HandleTag tag = kTag;
    dpadapt::engine::OptionValues values;
    dpa_progress_fn progress = nullptr;
    void *user = nullptr;
    const dpa_cancel *cancel = nullptr;
};

struct dpa_problem_s {
    static constexpr HandleTag kTag = HandleTag::problem;
    HandleTag tag = kTag;
    std::optional<dpadapt::Sample> source;
    std::optional<dpadapt::Sample> target;
    dpadapt::privacy::Ledger ledger;
    mutable dpadapt::engine::Usage usage;
    mutable std::mutex
        replacing;  ///< held while a sample is replaced, and by those who look from another thread

    struct Shape {
        std::size_t source_rows = 0;
        std::size_t target_rows = 0;
        std::size_t features = 0;
    };
    [[nodiscard]] Shape shape() const;
};

struct dpa_discrepancy_s {
    static constexpr HandleTag kTag = HandleTag::discrepancy;
    HandleTag tag = kTag;
    dpadapt::Discrepancy value;
    dpadapt::privacy::Domains domains =
        0;                     ///< whose private records only the value, with noise, tells of
    std::uint64_t ledger = 0;  ///< which paid for it
    bool seeded = false;
    std::size_t features = 0;
};

struct dpa_solution_s {
    static constexpr HandleTag kTag = HandleTag::solution;
    HandleTag tag = kTag;
    dpadapt::Solution value;
};

struct dpa_plan_s {
    static constexpr HandleTag kTag = HandleTag::plan;
    HandleTag tag = kTag;
    dpadapt::privacy::Plan value;
    dpadapt::privacy::ReportFacts facts;
};

namespace dpadapt::capi {

/** What a search tells of its candidates, one after the other. */
struct SearchTable {
    std::vector<std::uint64_t> points;  ///< of the grid
    std::vector<dpa_status> status;
    std::vector<std::string> reason;  ///< why it was left out
    std::vector<double> losses;       ///< empty: not released
    std::size_t chosen = 0;
};

}  // namespace dpadapt::capi

struct dpa_search_s {
    static constexpr HandleTag kTag = HandleTag::search;
    HandleTag tag = kTag;
    dpadapt::select::Grid grid;
    std::optional<dpadapt::capi::SearchTable> table;  ///< of the last run
    mutable dpadapt::engine::Usage usage;
};

struct dpa_progress_s {
    dpadapt::Progress value;
};

namespace dpadapt::capi {

/** The handle, if it is one of this type; else Error(DPA_E_HANDLE). */
template <typename Handle>
Handle &checked(Handle *handle, const char *name) {
    if (handle == nullptr)
        throw Error(DPA_E_HANDLE, std::string(name) + " must be a handle, but is NULL");
    if (handle->tag != Handle::kTag)
        throw Error(DPA_E_HANDLE,
                    std::string(name) + " must be a live handle of its type, but is another one");
    return *handle;
}

/** The pointer, if it is not NULL; else Error(DPA_E_INVALID_ARGUMENT). */
template <typename T>
T &required(T *pointer, const char *name) {
    if (pointer == nullptr)
        throw Error(DPA_E_INVALID_ARGUMENT, std::string(name) + " must not be NULL");
    return *pointer;
}

/** Stores NULL first, so that a failed call never leaves a stale handle behind. */
template <typename Handle>
Handle *&output(Handle **out) {
    required(out, "out") = nullptr;
    return *out;
}

/** Makes a handle; on failure nothing is made and *out is NULL. */
template <typename Handle>
void create(Handle **out) {
    Handle *&result = output(out);
    result = new Handle;
}

template <typename Handle>
void destroy(Handle *handle) {
    if (handle == nullptr || handle->tag != Handle::kTag) return;
    handle->tag = HandleTag::none;
    delete handle;
}

}  // namespace dpadapt::capi
