#pragma once

#include <optional>

#include "problem/hyperparameters.hpp"
#include "problem/plan_request.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt::paper {

/** A sample with its variables v_i = p_i/q_i >= 1. */
struct Block {
    privacy::Domains domain;
    double p;                             ///< reference weight of its records
    double d;                             ///< what its records cost besides their loss
    std::optional<records::Reader> rows;  ///< absent for the public sample
    arma::vec v;
    arma::vec gradient;
    double step = 0.0;

    /** Projected gradient step. */
    void move() { v = arma::clamp(v - step * gradient, 1.0, arma::datum::inf); }
};

/** What both forms of the paper's private algorithm have in common: the samples that have weight,
 *  and the release of the gradient by the private weights. */
class Blocks {
  public:
    /** Borrows the run. source_cost, target_cost: d of the two samples. */
    Blocks(const PrivateRun &run, double source_cost, double target_cost,
           const loss::Bounds &bounds);

    [[nodiscard]] std::vector<Block> &all() { return blocks_; }
    [[nodiscard]] const std::vector<Block> &all() const { return blocks_; }

    /** Largest reference weight of a private record: the unit of released gradients. */
    [[nodiscard]] double unit() const { return unit_; }
    [[nodiscard]] std::size_t private_records() const { return private_records_; }

    /** Grid unit of a record's loss. */
    [[nodiscard]] double value_unit() const;

    /** Standard deviation of the noise of a block's released losses. */
    [[nodiscard]] double loss_noise(const Block &block) const;

    /** Releases the noisy sum of the gradients by the parameters, and of all private records the
     *  noisy losses over v^2, whose gradients by v it writes. All noise of the step is drawn
     *  first. */
    [[nodiscard]] arma::vec release(std::uint64_t step, decltype(records::PaperTask::loss) loss);

  private:
    void add(privacy::Domains domain, double share, double cost);
    void release_losses(std::uint64_t step, const std::vector<std::int64_t> &losses,
                        std::span<const std::int64_t> noise);

    const PrivateRun &run_;
    loss::Bounds bounds_;
    std::vector<Block> blocks_;
    double unit_ = 0.0;
    std::size_t private_records_ = 0;
};

/** Enters the weights of a block. */
void give_weights(const Block &block, const arma::vec &q, PrivateFit &fit);

/** What the paper proves of its private algorithms: after T steps the expected error is at most the
 *  sum of three terms. NaN where a number is unknown. Of the convex form
 *  (theorem 1, explicit form in the appendix) the error is that of the objective F; of the general
 *  form (theorem 4) the square of the norm of the gradient mapping. */
struct Convergence {
    int theorem = 1;
    double theorem_steps = 0.0;  ///< T that the theorem asks for
    double steps = 0.0;          ///< T of the plan, which the terms are for
    double predictor = 0.0;      ///< by the noise of the gradients by w
    double private_weights = 0.0;
    double rest = 0.0;     ///< convex: by the public weights; general: by the number of steps
    double trivial = 0.0;  ///< largest error that is possible

    [[nodiscard]] double error() const { return predictor + private_weights + rest; }
};

/** The formulas as printed, for a private target and the noise that is printed.
 *  @param steps  T of the plan. */
[[nodiscard]] Convergence convergence(const Hyperparameters &hyper, const PlanFacts &facts,
                                      double epsilon, double delta, double steps);

/** How strongly the general form (equation (7)), with its variables u = 1/q, can be
 *  curved over its whole domain. */
struct Smoothness {
    /** beta-bar of the paper's lemma: bounds the norm of the Hessian by (theta, u). */
    double whole;

    /** In theta and v_i = p_i u_i: the Hessian is at most diagonal, `theta` for every parameter and
     *  p_i `weights` for v_i. Steps that are one over these never raise the objective. */
    double theta;
    double weights;
};

/** For m source and n target records, with the loss's bounds B, G and beta. */
[[nodiscard]] Smoothness smoothness_of(const Hyperparameters &hyper, const loss::Bounds &bounds,
                                       double discrepancy, double m, double n);

}  // namespace dpadapt::paper
