#pragma once

#include "records/run.hpp"

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

}  // namespace dpadapt::paper
