#pragma once

#include "records/paid_call.hpp"

namespace dpadapt::paper {

/** The paper's private algorithm (Algorithm 1) as printed: noisy projected gradient steps on the
 *  predictor w and on every record's u_i = 1/q_i together, and the average of all iterates. Its
 *  variables are v_i = p_i u_i >= 1, in which the printed step eta_u becomes p_i^2 eta_u and
 *  everything is of order 1; the iterates are the same.
 *
 *  step_sizes = paper are the printed ones, under which v moves by at most p sqrt(T) in total;
 *  `scaled` gives v the step that its own range and noise suggest.
 *
 *  Privacy: per step one noisy vector sum, sensitivity 2 p G, and the noisy loss of every private
 *  record, sensitivity p B; both certified in integers. The weights that it returns are averages of
 *  released values. */
[[nodiscard]] PrivateFit fit_convex(const PrivateRun &run, const Settings &settings,
                                    double discrepancy, const loss::Bounds &bounds);

/** The paper's private algorithm for the general form (Algorithm 2): noisy projected
 *  gradient steps on the predictor theta and on every record's u_i = 1/q_i together, and an iterate
 *  drawn uniformly. Its variables are v_i = p_i u_i >= 1.
 *
 *  step_sizes = paper is the printed 1/beta-bar for every variable, which in v is p_i^2/beta-bar;
 *  `scaled` gives every variable the inverse of its own curvature, less where the noise of all
 *  steps would move it beyond its range.
 *
 *  Privacy: per step one noisy vector sum, sensitivity 2 p G, and the noisy loss of every private
 *  record, sensitivity p B; both certified in integers. A record whose loss or gradient is not
 *  finite counts as zero, and larger ones are clipped, so the bounds need not be true. Which
 *  iterate is returned is drawn from the key alone, and later steps are not made. */
[[nodiscard]] PrivateFit fit_general(const PrivateRun &run, const Settings &settings,
                                     double discrepancy, const loss::Bounds &bounds);

}  // namespace dpadapt::paper
