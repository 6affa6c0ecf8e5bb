#pragma once

#include <optional>

#include "base/control.hpp"
#include "base/secret.hpp"
#include "objective/weights.hpp"
#include "privacy/payment.hpp"
#include "privacy/plan.hpp"
#include "privacy/release.hpp"
#include "problem/plan_request.hpp"
#include "problem/private_problem.hpp"
#include "random/key.hpp"
#include "solution/inference.hpp"
#include "sums/integer_sums.hpp"

namespace dpadapt::records {

/** A call that reads private records: first its plan, which public data decide, then the payment,
 *  and the noise only for that. */
class PaidCall {
  public:
    explicit PaidCall(Settings settings) : settings_(std::move(settings)) {}
    PaidCall &operator=(PaidCall &&) = delete;
    virtual ~PaidCall() = default;

    [[nodiscard]] const Settings &settings() const { return settings_; }
    [[nodiscard]] const privacy::Plan &plan() const { return plan_; }

    /** Pays: enters all releases into the ledger, whose budget the first call fixes, and takes the
     *  key of the noise. Throws Error(DPA_E_BUDGET), Error(DPA_E_ENTROPY), std::bad_alloc where the
     *  call will find no memory, and nothing is paid. */
    void charge(privacy::Ledger &ledger);

    /** Noise of the call; throws Error(DPA_E_INTERNAL) before it is paid for. */
    [[nodiscard]] const random::Key &key() const {
        return paid_ != nullptr ? paid_->key() : payment_.key();
    }

  protected:
    void set_plan(privacy::Plan plan) { plan_ = std::move(plan); }

    /** The rest of a call that has paid for both, and outlives it: its plan and its noise. */
    void continue_call(const PaidCall &paid) {
        plan_ = paid.plan_;
        paid_ = &paid;
    }

    /** Doubles that the call takes besides its releases. */
    [[nodiscard]] virtual double further_numbers() const { return 0.0; }

  private:
    Settings settings_;
    privacy::Plan plan_;
    privacy::Payment payment_;
    const PaidCall *paid_ = nullptr;
};

/** One about two samples. */
class ProblemCall : public PaidCall {
  public:
    /** Borrows the samples and the control, and reads no private record. */
    ProblemCall(const Sample &source, const Sample &target, const Settings &settings,
                Control &control, Part part = Part::whole);

    [[nodiscard]] const PrivateProblem &problem() const { return problem_; }
    [[nodiscard]] const PlanFacts &facts() const { return facts_; }
    [[nodiscard]] Control &control() const { return control_; }

  protected:
    /** For what only some calls need to know. */
    [[nodiscard]] PlanFacts &own_facts() { return facts_; }

  private:
    Control &control_;
    PrivateProblem problem_;
    PlanFacts facts_;
};

}  // namespace dpadapt::records

namespace dpadapt {

/** Mean loss of the private records at the anchor, as released, where it is far above that of
 *  public ones. */
struct LongLosses {
    double mean;
    double bound;         ///< of the losses in it
    double public_bound;  ///< of those of public records
};

/** What a private method works with. Only `problem` and what is released lead to private
 *  records. */
struct PrivateRun {
    const PrivateProblem &problem;
    const privacy::Plan &plan;
    const random::Key &key;
    std::size_t threads;
    Control &control;
    privacy::ReleaseTrace *trace = nullptr;
    /// private records with a label, or the sum of their weights, as far as it was released
    std::optional<double> labelled;
    std::optional<LongLosses> long_losses = {};

    [[nodiscard]] double labelled_rows(privacy::Domains domain) const {
        return problem.is_private(domain) ? labelled.value_or(problem.labelled_rows(domain))
                                          : problem.labelled_rows(domain);
    }
};

/** What a private method returns: functions of public data and released sums only. */
struct PrivateFit {
    arma::vec theta;                     ///< in preprocessed coordinates
    double alpha = 0.0;                  ///< share of the source
    double evidence = 0.0;               ///< of private/shrink.hpp; 0: alpha was given
    double counted_records = 0.0;        ///< as released
    double counted_deviation = 0.0;      ///< of its noise; 0: none were counted
    bool converged = true;               ///< as far as what was released can tell
    double spread = 0.0;                 ///< root mean square of its scores in the metric
    WeightScalars scalars;               ///< of the weights of public rows
    std::vector<double> source_weights;  ///< released by the paper's method, else empty
    std::vector<double> target_weights;
    std::optional<Inference> inference;  ///< where the plan has its releases
    std::vector<std::string> findings;   ///< what the releases tell of cases that defaults lose
};

/** Noise for the coordinates of one release, floor(2^bits Z) with the bits of its grid. It is drawn
 *  before the private sum is formed. */
[[nodiscard]] SecretVector<std::int64_t> gaussian_noise(const PrivateRun &run,
                                                        random::Purpose purpose, std::uint64_t step,
                                                        std::size_t dimension);

/** The sum with its noise: the only values that leave. The number of records is public. */
[[nodiscard]] arma::vec release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                                const sums::VectorSum &sum, std::span<const std::int64_t> noise,
                                std::uint64_t public_records);

/** The symmetric matrix of a noisy sum of outer products. */
[[nodiscard]] arma::mat release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                                const sums::OuterSum &sum, std::span<const std::int64_t> noise,
                                std::uint64_t public_records);

/** The sum of the private records' weights, in units of their bound, with noise: what takes the
 *  place of their number where sums become means. A record without a label has none. In
 *  [1, number of records], and not less than a deviation of the noise. */
[[nodiscard]] double release_weight_sum(const PrivateRun &run);

}  // namespace dpadapt
