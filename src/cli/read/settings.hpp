#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/read/failure.hpp"

namespace dpadapt::cli {

/** Draws a bar on standard error for every phase of a long call of the library. */
class ProgressBar {
  public:
    ProgressBar &operator=(ProgressBar &&) = delete;
    ~ProgressBar();

    /** Attaches the bar to the options, which it must outlive; does nothing unless standard error
     *  is a terminal. */
    void watch(dpa_options *options);
    /** Completes the last bar. */
    void finish();

  private:
    static int32_t report(const dpa_progress *progress, void *self) noexcept;
    void show(const std::string &phase, double share);
    void draw(double share);

    std::string phase_;  // empty: no bar is open
    int drawn_ = 0;
};

/** Options from texts "key=value", of which no two may give an option different values.
 *  @param replacements  The same, of the command itself: they count instead. */
[[nodiscard]] OptionsHandle parse_options(const std::vector<std::string> &assignments,
                                          const std::vector<std::string> &replacements = {});

/** The value as text of an option that the assignments may give. */
[[nodiscard]] std::string option_text(const std::vector<std::string> &assignments, const char *key);

/** The options of one computation, tied to Ctrl-C and to the progress bar. */
class Settings {
  public:
    /** @param assignments   Texts "key=value" as given to --set.
     *  @param replacements  See parse_options(). */
    explicit Settings(const std::vector<std::string> &assignments,
                      const std::vector<std::string> &replacements = {});

    [[nodiscard]] const dpa_options *options() const noexcept { return options_.get(); }
    /** An option's value as text. */
    [[nodiscard]] std::string get(const char *key) const {
        return filled_text(dpa_options_get, options(), key);
    }
    /** Whether the option private_domain protects that sample, "source" or "target". */
    [[nodiscard]] bool is_private(const std::string &domain) const;
    /** Whether any is protected, so that a result costs privacy. */
    [[nodiscard]] bool is_private() const { return is_private("source") || is_private("target"); }
    /** Throws Failure(kUsage) for an assignment to an option that such calls do not read.
     *  @param calls  A word of the table of options, such as "evaluations". */
    void check_read(const std::vector<std::string> &assignments, const std::string &calls) const;
    [[nodiscard]] ProgressBar &progress() noexcept { return progress_; }

  private:
    InterruptGuard interrupt_;
    ProgressBar progress_;
    OptionsHandle options_;
};

}  // namespace dpadapt::cli
