#pragma once

#include <optional>

#include "objective/weights.hpp"
#include "privacy/plan.hpp"
#include "privacy/release_trace.hpp"
#include "problem/private_problem.hpp"
#include "random/key.hpp"
#include "solution/inference.hpp"

namespace dpadapt {

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

    [[nodiscard]] double labelled_rows(privacy::Domains domain) const {
        return problem.is_private(domain) ? labelled.value_or(problem.labelled_rows(domain))
                                          : problem.labelled_rows(domain);
    }
};

/** What a private method returns: functions of public data and released sums only. */
struct PrivateFit {
    arma::vec theta;                     ///< in preprocessed coordinates
    double alpha = 0.0;                  ///< share of the source
    double evidence = 0.0;               ///< of private/evidence.hpp; 0: alpha was given
    bool converged = true;               ///< as far as what was released can tell
    double spread = 0.0;                 ///< root mean square of its scores in the metric
    WeightScalars scalars;               ///< of the weights of public rows
    std::vector<double> source_weights;  ///< released by the paper's method, else empty
    std::vector<double> target_weights;
    std::optional<Inference> inference;  ///< where the plan has its releases
};

}  // namespace dpadapt
