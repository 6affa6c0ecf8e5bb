#include "base/control.hpp"

#include <utility>

namespace dpadapt {

namespace {

constexpr double kMostWork = 1 << 23;

thread_local Control *asked = nullptr;
thread_local double work = 0.0;

}  // namespace

ControlScope::ControlScope(Control &control) noexcept
    : before_(std::exchange(asked, &control)), work_before_(std::exchange(work, 0.0)) {}

ControlScope::ControlScope() noexcept
    : before_(std::exchange(asked, nullptr)), work_before_(work) {}

ControlScope::~ControlScope() {
    asked = before_;
    work = work_before_;
}

void pause_call() {
    if (asked != nullptr) asked->pause();
}

void count_work(double numbers) {
    work += numbers;
    if (work < kMostWork) return;
    work = 0.0;
    pause_call();
}

}  // namespace dpadapt
