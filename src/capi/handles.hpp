#pragma once

#include <dpadapt/options.h>
#include <dpadapt/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/estimate.hpp"
#include "engine/plan.hpp"
#include "engine/search.hpp"

enum class HandleTag : std::uint64_t {
    none = 0,
    options = 0x6470612d6f707401,
    problem = 0x6470612d70726f02,
    discrepancy = 0x6470612d64697303,
    solution = 0x6470612d736f6c04,
    cancel = 0x6470612d63616e05,
    plan = 0x6470612d706c6106,
    search = 0x6470612d73656107,
    ledger = 0x6470612d6c656408,
};

/** What is behind an opaque handle. Its tag comes first, so that a handle of another type, which
 *  bindings can pass, is found out. */
template <HandleTag kind, typename Value>
struct Tagged {
    static constexpr HandleTag kTag = kind;
    HandleTag tag = kTag;
    Value value{};
};

struct dpa_cancel_s : Tagged<HandleTag::cancel, std::atomic<bool>> {};
struct dpa_problem_s : Tagged<HandleTag::problem, dpadapt::engine::Problem> {};
struct dpa_discrepancy_s : Tagged<HandleTag::discrepancy, dpadapt::engine::Estimate> {};
struct dpa_solution_s : Tagged<HandleTag::solution, dpadapt::Solution> {};
struct dpa_plan_s : Tagged<HandleTag::plan, dpadapt::engine::Plan> {};
/** Problems that use it keep it alive. */
struct dpa_ledger_s : Tagged<HandleTag::ledger, std::shared_ptr<dpadapt::privacy::SharedLedger>> {};
struct dpa_search_s : Tagged<HandleTag::search, dpadapt::engine::Search> {};

struct dpa_options_s : Tagged<HandleTag::options, dpadapt::engine::OptionValues> {
    dpa_progress_fn progress = nullptr;
    void *user = nullptr;
    const dpa_cancel *cancel = nullptr;
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

/** What is behind it. */
template <typename Handle>
auto &value_of(Handle *handle, const char *name) {
    return checked(handle, name).value;
}

/** The pointer, if it is not NULL; else Error(DPA_E_INVALID_ARGUMENT). */
template <typename T>
T &required(T *pointer, const char *name) {
    if (pointer == nullptr)
        throw Error(DPA_E_INVALID_ARGUMENT, std::string(name) + " must not be NULL");
    return *pointer;
}

/** Stores NULL first, so that a failed call never leaves a stale handle behind, and makes the
 *  handle before its value is computed: no result that was paid for is lost for want of memory. */
template <typename Handle, typename Compute>
void create(Handle **out, const Compute &compute) {
    required(out, "out") = nullptr;
    auto handle = std::make_unique<Handle>();
    handle->value = compute();
    *out = handle.release();
}

template <typename Handle>
void create(Handle **out) {
    required(out, "out") = nullptr;
    *out = new Handle;
}

template <typename Handle>
void destroy(Handle *handle) {
    if (handle == nullptr || handle->tag != Handle::kTag) return;
    handle->tag = HandleTag::none;
    delete handle;
}

}  // namespace dpadapt::capi
