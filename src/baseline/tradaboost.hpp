#pragma once

#include "baseline/weighted_fit.hpp"

namespace dpadapt::baseline {

/** TrAdaBoost (Dai, Yang, Xue and Yu 2007) for labels -1 and +1. With N = `rounds`, each round
 *
 *  - fits a classifier h to all rows by their weights, at first equal ones,
 *  - takes the share E of the target's weight on which h errs,
 *  - multiplies the weights of source rows on which h errs by 1/(1 + sqrt(2 ln(m)/N)), and those
 *    of target rows by (1 - E)/E.
 *
 *  The rounds from number ceil(N/2) on vote, with weight ln((1 - E)/E). Where the paper demands
 *  0 < E < 1/2: a smaller E counts as 1e-10, and a round of a larger one, or of one that is a half
 *  up to 1e-10 (the same labels as in the round before), has no vote and leaves the target's
 *  weights; if none has a vote, the last classifier is the answer. Throws
 *  Error(DPA_E_OPTION) for another loss. */
[[nodiscard]] Solution tradaboost(const PreparedProblem &problem, const Settings &settings,
                                  Control &control);

/** TrAdaBoost.R2 (Pardoe and Stone 2010): the same with errors |y - h(x)|, divided by the largest
 *  one of all rows, as exponents of the factors, and E their mean by the target's weights. The
 *  paper predicts the weighted median of the rounds; this is their weighted mean, which is a linear
 *  predictor again. The weights of the solution are the weighted means of the rounds'. Throws
 *  Error(DPA_E_OPTION) for another loss than the squared one. */
[[nodiscard]] Solution tradaboost_r2(const PreparedProblem &problem, const Settings &settings,
                                     Control &control);

}  // namespace dpadapt::baseline
