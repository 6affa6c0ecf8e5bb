#pragma once

#include <dpadapt/options.h>
#include <dpadapt/types.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/estimate.hpp"
#include "engine/evaluation.hpp"
#include "engine/options.hpp"
#include "engine/plan.hpp"
#include "engine/search.hpp"
#include "records/partial.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::capi {

/** What a caller holds: no address, but a number that is never used twice. So of a handle that has
 *  been destroyed, or was never made, or is of another copy of the library in the process, nothing
 *  is read. */
using HandleNumber = std::uint64_t;

constexpr std::uint32_t kCancel = 1;  // the kind of tokens, which signal handlers may use

/** A handle for an object that is still to be made; it ends if none was. */
class ReservedHandle {
  public:
    explicit ReservedHandle(std::uint32_t kind);  // throws std::bad_alloc
    ReservedHandle &operator=(ReservedHandle &&) = delete;
    ~ReservedHandle();

    /** Once: the handle stands for the object from now on. */
    HandleNumber fill(std::shared_ptr<void> object) noexcept;

  private:
    std::uint32_t kind_;
    HandleNumber number_;
};

/** The objects that a call of this thread uses: they stay until it ends, whoever destroys their
 *  handles meanwhile. */
class Uses {
  public:
    Uses() noexcept;
    Uses &operator=(Uses &&) = delete;
    ~Uses();

    /** The object, for the innermost call of the thread; null if the handle is not a live one of
     *  this kind. */
    static void *find(HandleNumber handle, std::uint32_t kind);

  private:
    Uses *outer_;
    std::size_t count_ = 0;
    std::array<std::shared_ptr<void>, 6> few_{};  // a signal handler allocates nothing
    std::vector<std::shared_ptr<void>> more_;
};

/** Sets the flag of a token, if it is a live one. It takes no share, which could become the last: a
 *  signal handler frees nothing. */
bool request_cancel(HandleNumber token) noexcept;

/** Ends the handle, once; the object goes with its last user. Other handles are left alone. */
void close(HandleNumber handle, std::uint32_t kind) noexcept;

}  // namespace dpadapt::capi

/** What a handle of this kind stands for. */
template <std::uint32_t kind, typename Value>
struct Handled {
    static constexpr std::uint32_t kKind = kind;
    Value value{};
};

struct dpa_cancel_s : Handled<dpadapt::capi::kCancel, std::atomic<bool>> {};
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
auto &value_of(auto *handle, const char *name) { return checked(handle, name).value; }

/** The pointer, if it is not NULL; else Error(DPA_E_INVALID_ARGUMENT). */
template <typename T>
T &required(T *pointer, const char *name) {
    if (pointer == nullptr)
        throw Error(DPA_E_INVALID_ARGUMENT, std::string(name) + " must not be NULL");
    return *pointer;
}

/** Stores NULL first, so that a failed call never leaves a stale handle behind, and makes the
 *  handle before its value is computed, if one is: no result that was paid for is lost for want of
 *  memory. */
template <typename Handle, typename... Compute>
void create(Handle **out, const Compute &...compute) {
    required(out, "out") = nullptr;
    ReservedHandle reserved(Handle::kKind);
    const auto object = std::make_shared<Handle>();
    ((object->value = compute()), ...);
    *out = std::bit_cast<Handle *>(reserved.fill(object));
}

template <typename Handle>
void destroy(Handle *handle) {
    close(std::bit_cast<HandleNumber>(handle), Handle::kKind);
}

}  // namespace dpadapt::capi
