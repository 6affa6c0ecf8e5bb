#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace dpadapt {

/** The phases of a call, as the caller's progress function is told them; options.h documents
 *  each. */
constexpr std::string_view kPhases[] = {"preprocess",
                                        "public fit",
                                        "choose alpha",
                                        "discrepancy",
                                        "solve",
                                        "private steps",
                                        "weighted fit",
                                        "matching",
                                        "interior point",
                                        "likelihood",
                                        "leave-one-out",
                                        "moment matching",
                                        "discrepancy minimization",
                                        "candidates",
                                        "selection",
                                        "evaluation",
                                        "forecast",
                                        "votes"};

/** One of them: a text that is none does not compile. */
struct Phase {
    consteval Phase(const char *text) : name(text) {
        for (const std::string_view phase : kPhases)
            if (phase == text) return;
        throw "not in the list of phases";
    }

    const char *name;
};

/** Where a long call stands; shown to the caller's progress function. */
struct Progress {
    static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

    template <std::integral Count = int, std::integral Limit = int>
    Progress(Phase of, Count done = 0, Limit most = 0, double value = kNone, double bound = kNone)
        : phase(of),
          iteration(static_cast<std::int64_t>(done)),
          limit(static_cast<std::int64_t>(most)),
          objective(value),
          gap(bound) {}

    Phase phase;
    std::int64_t iteration;
    std::int64_t limit;
    double objective;
    double gap;
};

/** The caller's line into a running call: every loop reports here and may be stopped here. */
class Control {
  public:
    Control &operator=(Control &&) = delete;
    virtual ~Control() = default;

    /** Called on the calling thread; throws Error(DPA_E_CANCELLED) when the caller wants to stop.
     */
    virtual void report(const Progress &progress) = 0;

    /** The same on the way through many rows, with nothing new to tell. */
    virtual void pause() {}
};

/** Whose control the loops of this thread ask. It belongs to the thread, not to the arguments of a
 *  hundred functions: reading rows, sums and sorts know nothing of callers, and take long where
 *  rows are many. */
class ControlScope {
  public:
    /** While it lives, to this one; the one before is back afterwards. */
    explicit ControlScope(Control &control) noexcept;
    /** While it lives, to nobody: of a call that cannot be stopped. */
    ControlScope() noexcept;
    ControlScope &operator=(ControlScope &&) = delete;
    ~ControlScope();

  private:
    Control *before_;
    double work_before_;
};

/** Asks the control of this thread, if it has one, at once whether to go on; throws what that
 *  throws. */
void pause_call();

/** Each loop over rows calls it once a block with about how many numbers the block takes. Every few
 *  milliseconds of such work, always the same amount, it asks the thread's control, if there is
 *  one, and throws what that throws. */
void count_work(double numbers);

/** The same of rows of so many numbers each. */
inline void count_work(std::size_t rows, std::size_t numbers) {
    constexpr std::size_t kOfRow = 16;  // what it costs besides
    count_work(static_cast<double>(rows) * static_cast<double>(numbers + kOfRow));
}

}  // namespace dpadapt
