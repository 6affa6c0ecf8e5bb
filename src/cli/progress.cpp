#include "cli/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "cli/failure.hpp"

namespace dpadapt::cli {

ProgressBar::~ProgressBar() {
    if (!phase_.empty()) std::cerr << std::endl;
}

void ProgressBar::watch(dpa_options *options) {
    if (isatty(STDERR_FILENO) == 0) return;
    check(dpa_options_set_progress(options, report, this));
}

// A phase mostly ends before its limit; the full bar says that it is done.
void ProgressBar::finish() {
    if (phase_.empty()) return;
    advance(limit_);
    std::cerr << std::endl;
    phase_.clear();
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
    if (phase != phase_) {
        finish();
        begin(phase, std::max<std::int64_t>(dpa_progress_limit(progress), 1));
    }
    advance(dpa_progress_iteration(progress));
}

void ProgressBar::begin(const std::string &phase, std::int64_t limit) {
    std::cerr << phase
              << "\n0%   10   20   30   40   50   60   70   80   90   100%\n"
                 "|----|----|----|----|----|----|----|----|----|----|\n"
              << std::flush;
    phase_ = phase;
    limit_ = limit;
    drawn_ = 0;
}

void ProgressBar::advance(std::int64_t count) {
    constexpr int kWidth = 51;
    const double share = static_cast<double>(count) / static_cast<double>(limit_);
    const int stars = static_cast<int>(kWidth * std::clamp(share, 0.0, 1.0));
    if (stars <= drawn_) return;
    std::cerr << std::string(static_cast<std::size_t>(stars - drawn_), '*') << std::flush;
    drawn_ = stars;
}

}  // namespace dpadapt::cli
