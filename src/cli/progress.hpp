#pragma once

#include <cstdint>
#include <string>

#include "cli/handles.hpp"

namespace dpadapt::cli {

/** Draws a bar on standard error for every phase of a long call of the library. */
class ProgressBar {
  public:
    ProgressBar() = default;
    ProgressBar(const ProgressBar &) = delete;
    ProgressBar &operator=(const ProgressBar &) = delete;
    ~ProgressBar();

    /** Attaches the bar to the options, which it must outlive; does nothing unless standard error
     * is a terminal. */
    void watch(dpa_options *options);

    /** Completes the last bar. */
    void finish();

  private:
    static int32_t report(const dpa_progress *progress, void *self) noexcept;
    void show(const dpa_progress *progress);
    void begin(const std::string &phase, std::int64_t limit);
    void advance(std::int64_t count);

    std::string phase_;  // empty: no bar is open
    std::int64_t limit_ = 1;
    int drawn_ = 0;
};

}  // namespace dpadapt::cli
