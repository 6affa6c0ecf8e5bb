#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

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
class Vacancy {
  public:
    Vacancy();  // throws std::bad_alloc
    Vacancy(const Vacancy &) = delete;
    Vacancy &operator=(const Vacancy &) = delete;
    ~Vacancy();

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
