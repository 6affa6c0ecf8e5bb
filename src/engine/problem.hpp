#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/usage.hpp"
#include "privacy/ledger.hpp"
#include "problem/preprocess.hpp"
#include "problem/sample.hpp"
#include "problem/settings.hpp"

namespace dpadapt::engine {

class OptionValues;

/** The samples, what has been spent on their private records, and who is using them. */
class Problem {
  public:
    /** Replaces the sample of that domain. Throws Error(DPA_E_STATE) while a call uses the problem,
     *  Error(DPA_E_DIMENSION) for other features than the other sample's, or than the map of the
     *  source reads. */
    void replace(privacy::Domains domain, Sample sample);

    /** A target of so many persons, whose rows are in another place; else as replace and
     *  group_target. */
    void replace_by_persons(Sample elsewhere, std::size_t persons);

    /** Rows of the source, which is to be set yet, have other columns and are mapped to those of
     *  the target. Throws Error(DPA_E_STATE) where there is a source already. */
    void map_source(SourceMap map);

    /** The target's rows belong to persons, by their ids, and from now on private calls protect
     *  persons. Throws Error(DPA_E_STATE) before a target is set, while a call uses the problem,
     *  and once something was released about records, or persons, of this target. */
    void group_target(std::span<const std::int64_t> ids);

    /** The source is made of several, by their ids. */
    void group_source(std::span<const std::int64_t> ids);

    /** Null where it is one. */
    [[nodiscard]] const Persons *sources() const { return sources_.get(); }

    /** Takes the scores of a given model from the labels of that sample. Throws Error(DPA_E_STATE)
     *  where it has none, or scores or persons already. */
    void set_scores(privacy::Domains domain, std::span<const double> scores);

    /** Gives the rows of that sample weights. Throws Error(DPA_E_STATE) where it is missing. */
    void set_weights(privacy::Domains domain, std::span<const double> weights);

    /** Throws Error(DPA_E_STATE) if one sample has scores and the other has none,
     *  Error(DPA_E_UNSUPPORTED) where labels are no numbers. */
    void check_scores(const LossSettings &loss) const;

    /** Whether they protect persons of the target. */
    [[nodiscard]] bool protects_persons() const { return persons_; }

    /** These throw Error(DPA_E_STATE) while the sample is missing; `name` is the problem's. */
    [[nodiscard]] const Sample &source(const char *name = "problem") const;
    [[nodiscard]] const Sample &target(const char *name = "problem") const;
    void check_complete() const;
    [[nodiscard]] bool has_source() const {
        replacing_.assert_unchanging();
        return source_.has_value();
    }
    [[nodiscard]] bool has_target() const {
        replacing_.assert_unchanging();
        return target_.has_value();
    }

    /** Of the arrays; zeros for what is missing. Any thread, at any time. */
    [[nodiscard]] privacy::SampleSizes rows() const;

    /** rows() as it may be published: of a private target with persons their number, not that of
     *  rows. */
    [[nodiscard]] privacy::SampleSizes sizes(privacy::Domains domains) const;

    /** Throws Error(DPA_E_STATE) if that unit does not fit the target: persons are set for records,
     *  or missing for persons. */
    void check_unit(privacy::Unit unit) const;

    /** Fixes the unit of all targets to come, as part of the budget. */
    void fix_unit(privacy::Unit unit);

    /** From now on private calls are paid from the shared ledger, which may lock the problem. */
    void use(const std::shared_ptr<privacy::SharedLedger> &shared,
             std::shared_ptr<const privacy::Job> job = nullptr);

    /** From now on everything but private calls about these samples, and what reads, is refused.
     *  Throws Error(DPA_E_STATE) without a budget: no other can be chosen later. */
    void lock(privacy::Domains domains);
    [[nodiscard]] bool locked() const { return locked_; }

    /** Throws Error(DPA_E_STATE) for what a locked problem refuses, and for a target without
     *  persons where they are protected. */
    void check_allowed(const PrivacySettings &settings) const;

    /** Calls its argument with each part of what a call reads besides rows and options. */
    using Beside = std::function<void(const std::function<void(const void *, std::size_t)> &)>;

    /** The same before a call that may pay, which is described for the ledger.
     *  @param what  The kind of call. */
    void admit(const PrivacySettings &settings, const OptionValues &values, const std::string &what,
               const Beside &beside = nullptr);

    /** Identifies the rows and the noise of the next calls. Throws Error(DPA_E_STATE) without a
     *  job. */
    [[nodiscard]] std::string mark_of_job() const;

    /** A budget that is fixed decides which noise discrepancies have, unless the options do: it
     *  keeps something for Laplace noise, or nothing. And it keeps nothing for sampled releases. */
    void follow_budget(Settings &settings) const;

    /** Before a result about a target that these settings leave public: without privacy it is an
     *  unprotected use; where the source is private, the ledger keeps to that. */
    void use_public_target(const PrivacySettings &settings);

    privacy::Ledger ledger;
    mutable Usage usage;

  private:
    [[nodiscard]] std::optional<Sample> put(privacy::Domains domain, Sample sample);
    void check_persons_can_be_told(bool anew) const;
    [[nodiscard]] privacy::Unit unit_of(privacy::Domains domains) const;
    [[nodiscard]] std::shared_ptr<const privacy::Job> job_about_rows() const;

    /** Before each change of a sample or of facts about its rows. Throws Error(DPA_E_STATE) if it
     *  is set and the problem is locked: the budget protects these. */
    void check_open(privacy::Domains domain) const;

    [[nodiscard]] std::optional<Sample> &sample(privacy::Domains domain) DPA_REQUIRES(replacing_) {
        return domain == privacy::kSource ? source_ : target_;
    }

    std::atomic<bool> locked_ = false;
    std::atomic<bool> persons_ = false;
    /// Held by changes of the samples, and by those who look meanwhile. Calls, which `usage` keeps
    /// apart from changes, look without it.
    mutable Mutex replacing_;
    std::optional<Sample> source_ DPA_GUARDED_BY(replacing_);
    std::optional<Sample> target_ DPA_GUARDED_BY(replacing_);
    std::optional<privacy::Unit> unit_;  ///< that the budget has
    privacy::Domains scored_ = 0;
    std::optional<SourceMap> map_;
    std::shared_ptr<const Persons> sources_;  ///< whose rows are those of a source
};

}  // namespace dpadapt::engine
