#include "capi/handles.hpp"

#include <bit>
#include <chrono>
#include <new>

namespace dpadapt::capi {

namespace {

// A state: generation, users, open.
constexpr std::uint64_t kOpen = 1;
constexpr std::uint64_t kUser = 2;
constexpr unsigned kGenerationShift = 32;
constexpr std::uint64_t kUsers = (std::uint64_t{1} << kGenerationShift) - kUser;

// A handle: a bit that no address of a user's process has, generation, slot, kind, an odd bit. All
// but the two bits are mixed with a number of this copy of the library.
constexpr std::uint64_t kMark = (std::uint64_t{1} << 62U) + 1;
constexpr unsigned kKindShift = 1;
constexpr unsigned kIndexShift = kKindShift + kKindBits, kIndexBits = 24;
constexpr unsigned kNumberShift = kIndexShift + kIndexBits;
static_assert(kNumberShift + 32 <= 62 && sizeof(void *) == sizeof(HandleNumber));

constexpr std::uint32_t kFirst = 64;  // slots of block 0; block k > 0 doubles what is there
constexpr unsigned kBlocks = kIndexBits - 6 + 1;

std::array<Slot, kFirst> first_block;
std::array<std::atomic<Slot *>, kBlocks> blocks{first_block.data()};
std::atomic<std::uint32_t> slots{0};   // that have ever been used
std::atomic<std::uint64_t> vacant{0};  // index + 1 of the first one; above, the number of changes
std::atomic<std::uint64_t> chosen_salt{0};
thread_local Uses *innermost = nullptr;

constexpr std::uint64_t kSalted = ((std::uint64_t{1} << (kNumberShift + 32)) - 1) & ~kMark;

/** The last step of SplitMix64, which mixes all bits. */
std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ bits >> 30U) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ bits >> 27U) * 0x94d049bb133111ebU;
    return bits ^ bits >> 31U;
}

/** Of this copy of the library in this process: another copy has its data elsewhere, and one that
 *  is loaded later another time. It is chosen by the first handle, and a forked child keeps it with
 *  the handles. No entropy: it is no secret, and must not fail. */
std::uint64_t salt() {
    std::uint64_t now = chosen_salt.load(std::memory_order_relaxed);
    if (now != 0) return now;
    const auto place = std::bit_cast<std::uint64_t>(&chosen_salt);
    const auto time =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    const std::uint64_t fresh = (mixed(place) ^ mixed(mixed(time))) & kSalted;
    return chosen_salt.compare_exchange_strong(now, fresh | kMark) ? fresh | kMark : now;
}

/** Makes a handle of these, and these of a handle. */
HandleNumber salted(std::uint64_t bits) { return bits ^ (salt() & kSalted); }

unsigned block_of(std::uint32_t index) {
    return index < kFirst ? 0 : static_cast<unsigned>(std::bit_width(index)) - 6;
}

std::uint32_t start_of(unsigned block) { return block == 0 ? 0 : kFirst << (block - 1); }

Slot &slot_at(std::uint32_t index) {
    const unsigned block = block_of(index);
    return blocks[block].load(std::memory_order_acquire)[index - start_of(block)];
}

void provide(unsigned block) {
    if (blocks[block].load(std::memory_order_acquire) != nullptr) return;
    Slot *fresh = new Slot[start_of(block)];
    Slot *none = nullptr;
    if (!blocks[block].compare_exchange_strong(none, fresh)) delete[] fresh;
}

Slot *unused_slot() {
    std::uint32_t index = slots.load();
    do {
        if (index >> kIndexBits != 0) throw std::bad_alloc();
        provide(block_of(index));
    } while (!slots.compare_exchange_weak(index, index + 1));
    Slot &slot = slot_at(index);
    slot.index = index;
    return &slot;
}

std::uint64_t changed(std::uint64_t head, std::uint32_t first) {
    return ((head >> 32U) + 1) << 32U | first;
}

Slot *vacant_slot() {
    std::uint64_t head = vacant.load();
    while (const auto first = static_cast<std::uint32_t>(head)) {
        Slot &slot = slot_at(first - 1);
        if (vacant.compare_exchange_weak(head, changed(head, slot.next.load()))) return &slot;
    }
    return nullptr;
}

void vacate(Slot &slot) {
    std::uint64_t head = vacant.load();
    do slot.next.store(static_cast<std::uint32_t>(head));
    while (!vacant.compare_exchange_weak(head, changed(head, slot.index + 1)));
}

/** Its object has no user and no handle any more. */
void dispose(Slot &slot) {
    slot.dispose(slot.object);
    slot.object = nullptr;
    const std::uint64_t next = (slot.state.load() >> kGenerationShift) + 1;
    if (next >> 32U != 0) return;  // all its generations are used: no stale handle may fit again
    slot.state.store(next << kGenerationShift);
    vacate(slot);
}

/** Replaces the state of a live handle's slot by change(state); null if it is no live one. */
template <typename Change>
Slot *update(HandleNumber given, std::uint32_t kind, std::uint64_t &state, const Change &change) {
    const std::uint64_t handle = salted(given);
    const auto index = static_cast<std::uint32_t>(handle >> kIndexShift) & ((1U << kIndexBits) - 1);
    const std::uint64_t generation = (handle & ~kMark) >> kNumberShift;
    const std::uint64_t own = kMark | generation << kNumberShift |
                              std::uint64_t{index} << kIndexShift | kind << kKindShift;
    if (handle != own || index >= slots.load()) return nullptr;
    Slot &slot = slot_at(index);
    state = slot.state.load();
    do {
        if (state >> kGenerationShift != generation || (state & kOpen) == 0) return nullptr;
    } while (!slot.state.compare_exchange_weak(state, change(state)));
    return &slot;
}

}  // namespace

ReservedSlot::ReservedSlot() : slot_(vacant_slot()) {
    if (slot_ == nullptr) slot_ = unused_slot();
}

ReservedSlot::~ReservedSlot() {
    if (slot_ != nullptr) vacate(*slot_);
}

HandleNumber ReservedSlot::fill(std::uint32_t kind, void *object,
                                void (*dispose)(void *)) noexcept {
    Slot &slot = *slot_;
    slot_ = nullptr;
    slot.object = object;
    slot.dispose = dispose;
    const std::uint64_t state = slot.state.fetch_add(kOpen);
    return salted(kMark | (state >> kGenerationShift) << kNumberShift |
                  std::uint64_t{slot.index} << kIndexShift | kind << kKindShift);
}

Uses::Uses() noexcept : outer_(innermost) { innermost = this; }

Uses::~Uses() {
    innermost = outer_;
    for (std::size_t k = 0; k < count_; ++k) {
        Slot *slot = k < few_.size() ? few_[k] : more_[k - few_.size()];
        if (slot == nullptr) continue;
        const std::uint64_t left = slot->state.fetch_sub(kUser) - kUser;
        if ((left & (kUsers | kOpen)) == 0) dispose(*slot);
    }
}

Slot *&Uses::place() {
    if (count_ >= few_.size()) more_.push_back(nullptr);
    Slot *&result = count_ < few_.size() ? few_[count_] : more_.back();
    ++count_;
    return result;
}

void *Uses::find(HandleNumber handle, std::uint32_t kind) {
    std::uint64_t state = 0;
    Slot *&place = innermost->place();  // first, as it may lack memory
    place = update(handle, kind, state, [](std::uint64_t now) { return now + kUser; });
    return place != nullptr ? place->object : nullptr;
}

void close(HandleNumber handle, std::uint32_t kind) noexcept {
    std::uint64_t state = 0;
    Slot *slot = update(handle, kind, state, [](std::uint64_t now) { return now - kOpen; });
    if (slot != nullptr && (state & kUsers) == 0) dispose(*slot);
}

}  // namespace dpadapt::capi
