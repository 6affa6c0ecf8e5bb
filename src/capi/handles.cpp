#include "capi/handles.hpp"

#include <chrono>
#include <map>
#include <new>

#include "base/mutex.hpp"
#include "base/platform/threads.hpp"
#include "base/splitmix.hpp"

namespace dpadapt::capi {

namespace {

// A handle: a bit that no address of a user's process has, 61 bits, an odd bit.
constexpr HandleNumber kMark = (HandleNumber{1} << 62U) + 1, kBits = kMark - 2;
constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15U;  // odd, so that no number comes twice
static_assert(sizeof(void *) == sizeof(HandleNumber));

struct Object {
    std::uint32_t kind;
    std::shared_ptr<void> object;  // null until it is made
};

struct Objects {
    std::map<HandleNumber, Object> all;  // has no memory when it is empty
    std::uint64_t last = 0;

    Object *live(HandleNumber handle, std::uint32_t kind) {
        const auto found = all.find(handle);
        const bool is_live = found != all.end() && found->second.kind == kind;
        return is_live && found->second.object != nullptr ? &found->second : nullptr;
    }
};

struct Table {
    Mutex mutex;
    Objects objects DPA_GUARDED_BY(mutex);
};

/** They are never destroyed: other threads, and functions that run at the process's end, may still
 *  use handles. */
struct Tables {
    Table tokens, others;

    /** Numbers begin elsewhere in each copy of the library in this process: another copy has its
     *  data elsewhere, and one that is loaded later another time. A forked child keeps them with
     *  the handles. No entropy: it is no secret, and must not fail. */
    Tables() noexcept {
        const auto time = std::chrono::steady_clock::now().time_since_epoch().count();
        const std::uint64_t first = SplitMix64(std::bit_cast<std::uint64_t>(this))() ^
                                    SplitMix64(~static_cast<std::uint64_t>(time))();
        others.objects.last = first;
        tokens.objects.last = first + (std::uint64_t{1} << 60U);  // meet after 2^60 handles
    }
    void lock() DPA_THREAD_SAFETY(no_thread_safety_analysis) {
        tokens.mutex.lock();
        others.mutex.lock();
    }
    void unlock() DPA_THREAD_SAFETY(no_thread_safety_analysis) {
        others.mutex.unlock();
        tokens.mutex.unlock();
    }
};

/** Signals wait while this thread forks with the tables locked. */
alignas(SignalHold) thread_local std::byte forking[sizeof(SignalHold)];

Tables &tables() {
    alignas(Tables) static std::byte place[sizeof(Tables)];
    static Tables *const made = [] {
        // A child of fork must find the mutexes free.
        const auto after = [] {
            tables().unlock();
            std::launder(reinterpret_cast<SignalHold *>(forking))->~SignalHold();
        };
        platform::at_fork(
            [] {
                new (forking) SignalHold;
                tables().lock();
            },
            after, after);
        return new (place) Tables;
    }();
    return *made;
}

/** Runs `use` on the objects of a kind under the mutex. Signals are blocked: a handler may request
 *  to cancel, and must not find its own thread holding the mutex. */
auto locked(std::uint32_t kind, const auto &use) {
    const auto use_locked = [&](Table &table) {
        const Lock lock(table.mutex);
        return use(table.objects);
    };
    if (kind != kCancel) return use_locked(tables().others);
    const SignalHold hold;
    return use_locked(tables().tokens);
}

thread_local Uses *innermost = nullptr;

}  // namespace

ReservedHandle::ReservedHandle(std::uint32_t kind)
    : kind_(kind), number_(locked(kind, [&](Objects &objects) {
          const HandleNumber number = kMark | ((objects.last += kStep) << 1U & kBits);
          objects.all.emplace(number, Object{kind, nullptr});
          return number;
      })) {}

ReservedHandle::~ReservedHandle() {
    if (number_ != 0) locked(kind_, [&](Objects &objects) { return objects.all.erase(number_); });
}

HandleNumber ReservedHandle::fill(std::shared_ptr<void> object) noexcept {
    locked(kind_,
           [&](Objects &objects) { objects.all.find(number_)->second.object = std::move(object); });
    return std::exchange(number_, 0);
}

Uses::Uses() noexcept : outer_(innermost) { innermost = this; }

Uses::~Uses() { innermost = outer_; }

void *Uses::find(HandleNumber handle, std::uint32_t kind) {
    std::shared_ptr<void> object = locked(kind, [&](Objects &objects) {
        const Object *live = objects.live(handle, kind);
        return live != nullptr ? live->object : nullptr;
    });
    void *const result = object.get();
    Uses &uses = *innermost;
    if (result != nullptr && uses.count_ < uses.few_.size()) {
        uses.few_[uses.count_++] = std::move(object);
    } else if (result != nullptr) {
        uses.more_.push_back(std::move(object));
    }
    return result;
}

bool request_cancel(HandleNumber token) noexcept {
    return locked(kCancel, [&](Objects &objects) {
        const Object *live = objects.live(token, kCancel);
        if (live != nullptr) static_cast<dpa_cancel_s *>(live->object.get())->value = true;
        return live != nullptr;
    });
}

void close(HandleNumber handle, std::uint32_t kind) noexcept {
    const auto last = locked(kind, [&](Objects &objects) {  // goes after the lock
        std::shared_ptr<void> object;
        if (Object *live = objects.live(handle, kind)) {
            object = std::move(live->object);
            objects.all.erase(handle);
        }
        return object;
    });
}

}  // namespace dpadapt::capi
