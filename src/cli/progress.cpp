#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "cli/failure.hpp"

namespace dpadapt::cli {

ProgressBar::~ProgressBar() {
    if (bar_ && bar_->count() < bar_->expected_count()) std::cerr << std::endl;
}

void ProgressBar::watch(dpa_options *options) {
    if (isatty(STDERR_FILENO) == 0) return;
    check(dpa_options_set_progress(options, report, this));
}

// A phase mostly ends before its limit; the full bar says that it is done.
void ProgressBar::finish() {
    if (bar_) advance(bar_->expected_count());
    bar_.reset();
}

int32_t ProgressBar::report(const dpa_progress *progress, void *self) noexcept {
    try {
        static_cast<ProgressBar *>(self)->show(progress);
        return 0;
    } catch (const std::exception &) {
        return 1;  // memory exhausted: exceptions must not cross the library
    }
}

void ProgressBar::show(const dpa_progress *progress) {
    const std::string phase = dpa_progress_phase(progress);
    if (phase != phase_ || !bar_) {
        finish();
        phase_ = phase;
        const auto limit = std::max<int64_t>(dpa_progress_limit(progress), 1);
        bar_.emplace(static_cast<unsigned long>(limit), std::cerr, phase + '\n');
    }
    advance(static_cast<unsigned long>(dpa_progress_iteration(progress)));
}

void ProgressBar::advance(unsigned long count) {
    const unsigned long reached = std::min(count, bar_->expected_count());
    if (reached > bar_->count()) *bar_ += reached - bar_->count();
}

}  // namespace dpadapt::cli
