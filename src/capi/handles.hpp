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
#include <utility>
#include <vector>

#include "engine/estimate.hpp"
#include "engine/evaluation.hpp"
#include "engine/plan.hpp"
#include "engine/search.hpp"
#include "records/partial.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::capi {

/** What a caller holds: no address, but the number of a slot, its kind and its generation. So of a
 *  handle that has been destroyed, or was never made, or is of another copy of the library in the
 *  process, nothing is read. */
using HandleNumber = std::uint64_t;

constexpr unsigned kKindBits = 4;  // of the kinds of handles

/** The place of one object. Slots are never given back to the system; nothing here waits, so a
 *  child of fork finds no lock that is held for ever. */
struct Slot {
    std::atomic<std::uint64_t> state{0};  // generation (32 bits), users (31), whether it is open
    std::atomic<std::uint32_t> next{0};   // among the vacant ones: index + 1
    std::uint32_t index = 0;
    void *object = nullptr;
    void (*dispose)(void *) = nullptr;
};

/** A slot for an object that is still to be made; vacant again if none was. */
class ReservedSlot {
  public:
    ReservedSlot();  // throws std::bad_alloc
    ReservedSlot(const ReservedSlot &) = delete;
    ReservedSlot &operator=(const ReservedSlot &) = delete;
    ~ReservedSlot();

    /** Once: the slot owns the object from now on. */
    HandleNumber fill(std::uint32_t kind, void *object, void (*dispose)(void *)) noexcept;

  private:
    Slot *slot_;
};

/** The objects that a call of this thread uses: they stay until it ends, whoever destroys their
 *  handles meanwhile. */
class Uses {
  public:
    Uses() noexcept;
    Uses(const Uses &) = delete;
    Uses &operator=(const Uses &) = delete;
    ~Uses();

    /** The object, for the innermost call of the thread; null if the handle is not a live one of
     *  this kind. */
    static void *find(HandleNumber handle, std::uint32_t kind);

  private:
    [[nodiscard]] Slot *&place();

    Uses *outer_;
    std::size_t count_ = 0;
    std::array<Slot *, 6> few_{};
    std::vector<Slot *> more_;
};

/** Ends the handle, once; the object goes with its last user. Other handles are left alone. */
void close(HandleNumber handle, std::uint32_t kind) noexcept;

}  // namespace dpadapt::capi

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
Handle *hand_out(ReservedSlot &slot, std::unique_ptr<Handle> object) {
    const auto dispose = [](void *old) { delete static_cast<Handle *>(old); };
    return std::bit_cast<Handle *>(slot.fill(Handle::kKind, object.release(), dispose));
}

/** Stores NULL first, so that a failed call never leaves a stale handle behind, and makes the
 *  handle before its value is computed: no result that was paid for is lost for want of memory. */
template <typename Handle, typename Compute>
void create(Handle **out, const Compute &compute) {
    required(out, "out") = nullptr;
    ReservedSlot slot;
    auto object = std::make_unique<Handle>();
    object->value = compute();
    *out = hand_out(slot, std::move(object));
}

template <typename Handle>
void create(Handle **out) {
    required(out, "out") = nullptr;
    ReservedSlot slot;
    *out = hand_out(slot, std::make_unique<Handle>());
}

template <typename Handle>
void destroy(Handle *handle) {
    close(std::bit_cast<HandleNumber>(handle), Handle::kKind);
}

}  // namespace dpadapt::capi
