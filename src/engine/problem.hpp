#pragma once

#include <mutex>
#include <optional>

#include "engine/usage.hpp"
#include "privacy/ledger.hpp"
#include "problem/sample.hpp"

namespace dpadapt::engine {

/** The samples, what has been spent on their private records, and who is using them. */
class Problem {
  public:
    struct Shape {
        std::size_t source_rows = 0;
        std::size_t target_rows = 0;
        std::size_t features = 0;
    };

    /** Replaces the sample of that domain. Throws Error(DPA_E_STATE) while a call uses the problem,
     *  Error(DPA_E_DIMENSION) for other features than the other sample's. */
    void replace(privacy::Domains domain, Sample sample);

    /** These throw Error(DPA_E_STATE) while the sample is missing; `name` is the problem's. */
    [[nodiscard]] const Sample &source(const char *name = "problem") const;
    [[nodiscard]] const Sample &target(const char *name = "problem") const;
    void check_complete() const;

    /** Zeros for what is missing. Any thread, at any time. */
    [[nodiscard]] Shape shape() const;

    privacy::Ledger ledger;
    mutable Usage usage;

  private:
    std::optional<Sample> source_;
    std::optional<Sample> target_;
    mutable std::mutex replacing_;  ///< held by `replace`, and by those who look meanwhile
};

}  // namespace dpadapt::engine
