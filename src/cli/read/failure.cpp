#include "cli/read/failure.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

#include "cli/system/system.hpp"

namespace dpadapt::cli {

namespace {

ExitCode exit_code(dpa_status status) {
    switch (status) {
        case DPA_E_OPTION:
        case DPA_E_OPTION_NAME:
        case DPA_E_OPTION_TYPE:
        case DPA_E_STATE:        // of a ledger that is locked
        case DPA_E_UNSUPPORTED:  // another setting is needed, so the command line has to change
            return kUsage;
        case DPA_E_DIMENSION:
        case DPA_E_EMPTY:
        case DPA_E_NONFINITE:
        case DPA_E_FORMAT:
        case DPA_E_LABEL:
        case DPA_E_OVERFLOW:
            return kBadData;
        case DPA_E_STORE:
            return kNotWritten;
        case DPA_E_BUDGET:
            return kNoBudget;
        default:
            return kComputationFailed;
    }
}

}  // namespace

void check(dpa_status status) {
    if (status == DPA_OK) return;
    if (status == DPA_E_CANCELLED) throw Failure(kInterrupted, "interrupted");
    throw Failure(exit_code(status), dpa_last_error());
}

namespace {

std::atomic<dpa_cancel *> active_token{nullptr};
std::atomic<bool> interrupted{false};
static_assert(std::atomic<dpa_cancel *>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int /*signal*/) {
    interrupted = true;
    if (dpa_cancel *token = active_token.load()) dpa_cancel_request(token);
}

}  // namespace

InterruptGuard::InterruptGuard() : token_(made<CancelHandle>(dpa_cancel_create)) {
    active_token = token_.get();
    at_interrupt(on_interrupt);
}

InterruptGuard::~InterruptGuard() { active_token = nullptr; }

void check_interrupted() {
    if (interrupted) throw Failure(kInterrupted, "interrupted");
}

namespace {

constexpr std::size_t kReserve = 1U << 20U;  // a mapping of its own, which free() gives back

std::atomic<void *> reserve = nullptr;

void give_back() {
    void *kept = reserve.exchange(nullptr);
    if (kept == nullptr) throw std::bad_alloc();
    std::free(kept);
}

}  // namespace

void keep_memory_reserve() {
    reserve = std::malloc(kReserve);
    std::set_new_handler(give_back);
}

}  // namespace dpadapt::cli
