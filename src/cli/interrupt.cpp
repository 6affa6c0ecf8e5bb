#include "cli/interrupt.hpp"

#include <atomic>
#include <csignal>

#include "cli/failure.hpp"

namespace dpadapt::cli {
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

InterruptGuard::InterruptGuard() {
    dpa_cancel *token = nullptr;
    check(dpa_cancel_create(&token));
    token_.reset(token);
    active_token = token;

    struct sigaction before {};
    sigaction(SIGINT, nullptr, &before);
    if (before.sa_handler == SIG_IGN) return;  // started in the background: Ctrl-C is for others
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // without SA_RESTART: blocked reads return
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
}

InterruptGuard::~InterruptGuard() { active_token = nullptr; }

void check_interrupted() {
    if (interrupted) throw Failure(kInterrupted, "interrupted");
}

}  // namespace dpadapt::cli
