#pragma once

#include <dpadapt/options.h>
#include <dpadapt/types.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "capi/slots.hpp"
#include "engine/estimate.hpp"
#include "engine/evaluation.hpp"
#include "engine/plan.hpp"
#include "engine/search.hpp"
#include "records/partial.hpp"
#include "schema/labelled_schema.hpp"

/** What a handle of this kind stands for. */
template <std::uint32_t kind, typename Value>
struct Handled {
    static_assert(kind < 1U << dpadapt::capi::kKindBits);
    static constexpr std::uint32_t kKind = kind;
    Value value{};
};

struct dpa_cancel_s : Handled<1, std::atomic<bool>> {};
struct dpa_problem_s : Handled<2, dpadapt::engine::Problem> {};
struct dpa_discrepancy_s : Handled<3, dpadapt::engine::Estimate> {};
struct dpa_solution_s : Handled<4, dpadapt::Solution> {};
struct dpa_plan_s : Handled<5, dpadapt::engine::Plan> {};
struct dpa_search_s : Handled<6, dpadapt::engine::Search> {};
/** Problems that use it keep it alive. */
struct dpa_ledger_s : Handled<8, std::shared_ptr<dpadapt::privacy::SharedLedger>> {};

struct dpa_evaluation_s : Handled<10, dpadapt::evaluate::Measured> {};

/** Shared with the pass that its total belongs to. */
struct dpa_partial_s : Handled<9, std::shared_ptr<dpadapt::records::Partial>> {};

struct dpa_table_s : Handled<11, std::unique_ptr<dpadapt::schema::NamedTable>> {};
struct dpa_schema_s : Handled<12, std::unique_ptr<const dpadapt::schema::LabelledSchema>> {};

struct dpa_options_s : Handled<7, dpadapt::engine::OptionValues> {
    dpa_progress_fn progress = nullptr;
    void *user = nullptr;
    dpa_cancel *cancel = nullptr;
};

struct dpa_progress_s {
    dpadapt::Progress value;
};

namespace dpadapt::capi {

/** What the handle stands for, until the call ends; Error(DPA_E_HANDLE) if it is not a live one of
 *  this type. */
template <typename Handle>
Handle &checked(Handle *handle, const char *name) {
    using Plain = std::remove_const_t<Handle>;
    if (handle == nullptr)
        throw Error(DPA_E_HANDLE, std::string(name) + " must be a handle, but is NULL");
    void *object = Uses::find(std::bit_cast<HandleNumber>(handle), Plain::kKind);
    if (object == nullptr)
        throw Error(DPA_E_HANDLE, std::string(name) +
                                      " must be a live handle of its type, but is "
                                      "destroyed or another one");
    return *static_cast<Plain *>(object);
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

/** The handle of an object that its slot owns from now on. */
template <typename Handle>
Handle *hand_out(Vacancy &slot, std::unique_ptr<Handle> object) {
    const auto dispose = [](void *old) { delete static_cast<Handle *>(old); };
    return std::bit_cast<Handle *>(slot.fill(Handle::kKind, object.release(), dispose));
}

/** Stores NULL first, so that a failed call never leaves a stale handle behind, and makes the
 *  handle before its value is computed: no result that was paid for is lost for want of memory. */
template <typename Handle, typename Compute>
void create(Handle **out, const Compute &compute) {
    required(out, "out") = nullptr;
    Vacancy slot;
    auto object = std::make_unique<Handle>();
    object->value = compute();
    *out = hand_out(slot, std::move(object));
}

template <typename Handle>
void create(Handle **out) {
    required(out, "out") = nullptr;
    Vacancy slot;
    *out = hand_out(slot, std::make_unique<Handle>());
}

template <typename Handle>
void destroy(Handle *handle) {
    close(std::bit_cast<HandleNumber>(handle), Handle::kKind);
}

}  // namespace dpadapt::capi
