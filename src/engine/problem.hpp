#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "engine/options.hpp"
#include "engine/usage.hpp"
#include "privacy/ledger.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

/** The samples, what has been spent on their private records, and who is using them. */
class Problem {
  public:
    /** Replaces the sample of that domain. Throws Error(DPA_E_STATE) while a call uses the problem,
     *  Error(DPA_E_DIMENSION) for other features than the other sample's. */
    void replace(privacy::Domains domain, Sample sample);

    /** The target's rows belong to persons, by their ids, and from now on private calls protect
     *  persons. Throws Error(DPA_E_STATE) before a target is set, while a call uses the problem,
     *  and once something was released about records, or persons, of this target. */
    void group_target(std::span<const std::int64_t> ids);

    /** Whether they protect persons of the target. */
    [[nodiscard]] bool protects_persons() const { return persons_; }

    /** These throw Error(DPA_E_STATE) while the sample is missing; `name` is the problem's. */
    [[nodiscard]] const Sample &source(const char *name = "problem") const;
    [[nodiscard]] const Sample &target(const char *name = "problem") const;
    void check_complete() const;
    [[nodiscard]] bool has_source() const { return source_.has_value(); }

    /** Of the arrays; zeros for what is missing. Any thread, at any time. */
    [[nodiscard]] privacy::SampleSizes rows() const;

    /** What may be told where that is protected: the same, but the number of persons, where the
     *  private target has them, for that of its rows. */
    [[nodiscard]] privacy::SampleSizes sizes(privacy::Domains domains) const;

    /** From now on private calls are paid from the shared ledger, which may lock the problem. */
    void use(const std::shared_ptr<privacy::SharedLedger> &shared);

    /** From now on everything but private calls about these samples is refused. */
    void lock(privacy::Domains domains);
    [[nodiscard]] bool locked() const { return locked_; }

    /** Throws Error(DPA_E_STATE) for what a locked problem refuses, and for a target without
     *  persons where they are protected. */
    void check_allowed(const PrivacySettings &settings) const;

    /** The same before a call that may pay, which is described for the ledger. */
    void admit(const PrivacySettings &settings, const OptionValues &values);

    /** Before a result about a target that these settings leave public: without privacy it is an
     *  exposure; where the source is private, the ledger keeps to that. */
    void use_public_target(const PrivacySettings &settings);

    privacy::Ledger ledger;
    mutable Usage usage;

  private:
    std::atomic<bool> locked_ = false;
    std::atomic<bool> persons_ = false;
    std::optional<Sample> source_;
    std::optional<Sample> target_;
    mutable std::mutex replacing_;  ///< held by `replace`, and by those who look meanwhile
};

}  // namespace dpadapt::engine
