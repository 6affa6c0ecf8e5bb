#pragma once

#include <optional>

#include "loss/score_loss.hpp"
#include "problem/public_sample.hpp"
#include "solution/inference.hpp"

namespace dpadapt {

/** An estimate in preprocessed coordinates with its covariance. */
struct Estimated {
    arma::vec theta;
    arma::mat covariance;
};

/** The best linear predictor of one public sample by itself, for a loss with one linear score: the
 *  minimum of the mean loss, with the sandwich covariance of HC3. Nothing where the rows do not
 *  determine it.
 *  @param start  Where Newton's method starts. */
[[nodiscard]] std::optional<Estimated> estimate_alone(const PreparedSample &rows,
                                                      const loss::ScoreLoss &loss,
                                                      const arma::vec &start);

/** A matrix's inverse, for one that is safely positive definite. */
[[nodiscard]] std::optional<arma::mat> safe_inverse(const arma::mat &matrix);

/** What the solution keeps: both in the user's units.
 *  @param other    The same of the source, if it is known.
 *  @param freedom  Degrees of freedom of the intervals. */
[[nodiscard]] Inference describe_inference(const Preprocess &preprocess, const Estimated &target,
                                           const std::optional<Estimated> &other, double freedom);

/** Of two public samples, or of a public target alone; start: as above. */
[[nodiscard]] Inference infer(const PreparedSample &target, const PublicSample *source,
                              const Preprocess &preprocess, const loss::ScoreLoss &loss,
                              const arma::vec &start);

}  // namespace dpadapt
