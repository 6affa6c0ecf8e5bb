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
    dpadapt::engine::OptionValues value;
    dpa_progress_fn progress = nullptr;
    void *user = nullptr;
    const dpa_cancel *cancel = nullptr;
};

struct dpa_problem_s {
    static constexpr HandleTag kTag = HandleTag::problem;
    HandleTag tag = kTag;
    dpadapt::engine::Problem value;
};

struct dpa_discrepancy_s {
    static constexpr HandleTag kTag = HandleTag::discrepancy;
    HandleTag tag = kTag;
    dpadapt::engine::Estimate value;
};

struct dpa_solution_s {
    static constexpr HandleTag kTag = HandleTag::solution;
    HandleTag tag = kTag;
    dpadapt::Solution value;
};

struct dpa_plan_s {
    static constexpr HandleTag kTag = HandleTag::plan;
    HandleTag tag = kTag;
    dpadapt::engine::Plan value;
};

struct dpa_search_s {
    static constexpr HandleTag kTag = HandleTag::search;
    HandleTag tag = kTag;
    dpadapt::engine::Search value;
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

/** Stores NULL first, so that a failed call never leaves a stale handle behind, and makes the handle
 *  before its value is computed: no result that was paid for is lost for want of memory. */
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
