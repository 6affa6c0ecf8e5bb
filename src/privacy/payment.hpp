#pragma once

#include <cstdint>
#include <optional>

#include "privacy/ledger.hpp"
#include "privacy/plan.hpp"
#include "random/key.hpp"

namespace dpadapt::privacy {

/** What a private call pays, and the key of the noise that it gets for it: no key without
 *  payment. */
class Payment {
  public:
    /** Enters all releases of the plan into the ledger, whose budget the first call fixes, and
     *  takes the key.
     *  @param domains      What is private.
     *  @param unsafe_seed  Fixes the noise, which then protects nobody.
     *  The noise of a job has the job's key.
     *  Throws Error(DPA_E_OPTION) without a budget, Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY),
     *  std::bad_alloc, and nothing is paid. */
    void charge(const Plan &plan, Domains domains, const std::optional<std::int64_t> &unsafe_seed,
                Ledger &ledger);

    /** Throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] const random::Key &key() const;

  private:
    struct Noise {
        Noise(const std::optional<std::int64_t> &unsafe_seed, const Ledger &ledger);
        random::Key key;
    };

    std::optional<Noise> noise_;
};

}  // namespace dpadapt::privacy
