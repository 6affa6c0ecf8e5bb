/** The price of noise: epsilon and delta of composed Laplace and Gaussian releases, and back.
 *
 *  Neighbours differ in the content of one private record. A Laplace release of scale b costs
 *  laplace_epsilon = sensitivity / b; several add up. Gaussian releases, which
 *  may be chosen adaptively, cost mu with mu^2 = the sum of (sensitivity / sigma)^2 over all of
 *  them. Together they are (epsilon, delta)-differentially private exactly for delta at least
 *      delta(epsilon) = Phi((l - epsilon)/mu + mu/2) - e^epsilon Phi(-(l + epsilon)/mu - mu/2)
 *                       - e^((epsilon - l)/2 - mu^2/8) [Phi((l - epsilon)/mu)
 *                                                       - Phi(-(l + epsilon)/mu)],
 *  l = laplace_epsilon and Phi the normal distribution function (with several Laplace releases
 *  this is an upper bound). Gaussian releases alone (l = 0) are the analytic Gaussian mechanism;
 *  Laplace alone (mu = 0) gives max(0, 1 - e^((epsilon - l)/2)).
 *
 *  All arguments and results are plain numbers without unit; epsilon is in natural logarithms. No
 *  data and no randomness enter. Results are rounded to the safe side, by about 1e-13 relative in
 *  ordinary use: delta, epsilon and sigma up, mu down. So the delta of a returned epsilon, mu or
 *  1/sigma never exceeds the delta asked for. Positive mu below 1e-4 are counted as 1e-4.
 *
 *  Every function: an argument outside its range (NaN always is) or NULL for the result gives
 *  DPA_E_INVALID_ARGUMENT and stores nothing.  Any thread.
 */
#ifndef DPADAPT_PRIVACY_H
#define DPADAPT_PRIVACY_H

#include <dpadapt/status.h>

DPA_EXTERN_C_BEGIN

/** Smallest delta at which the releases are (epsilon, delta)-differentially private, rounded up.
 *  @param epsilon          In [-600, 600]; negative ones are points of the same curve.
 *  @param laplace_epsilon  In [0, 300]; 0 without a Laplace release.
 *  @param mu               In [0, 50]; 0 without a Gaussian release.
 *  @param delta            Receives the result, in [0, 1]; 0 only where it is exactly that.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_privacy_delta(double epsilon, double laplace_epsilon, double mu,
                                     double *delta);

/** Smallest epsilon >= 0 at which the releases are (epsilon, delta)-differentially private, rounded
 *  up.
 *  @param delta            In [1e-300, 1), or 0, which only mu = 0 can reach.
 *  @param laplace_epsilon  In [0, 300].
 *  @param mu               In [0, 50].
 *  @param epsilon          Receives the result, in [0, 600].
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT, also when the epsilon would be above 600.  Any thread.
 *          Since 0.1. */
DPA_API dpa_status dpa_privacy_epsilon(double delta, double laplace_epsilon, double mu,
                                       double *epsilon);

/** Largest mu that a Laplace release of laplace_epsilon leaves for Gaussian ones under the budget
 *  (epsilon, delta), rounded down.
 *  @param epsilon          In [0, 600].
 *  @param delta            In [1e-300, 1).
 *  @param laplace_epsilon  In [0, 300].
 *  @param mu               Receives the result, in [1e-4, 50).
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT, also when not even mu = 1e-4 is left.  Any thread.
 *          Since 0.1. */
DPA_API dpa_status dpa_privacy_mu(double epsilon, double delta, double laplace_epsilon, double *mu);

/** Smallest noise of one Gaussian release of sensitivity 1 under the budget (epsilon, delta),
 *  rounded up: 1/mu at laplace_epsilon = 0. For T equal releases of another sensitivity multiply it
 *  by that sensitivity and by sqrt(T).
 *  @param epsilon  In [0, 600].
 *  @param delta    In [1e-300, 1).
 *  @param sigma    Receives the result, in (0.02, 1e4].
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT, also when more than 1e4 would be needed.  Any thread.
 *          Since 0.1. */
DPA_API dpa_status dpa_privacy_sigma(double epsilon, double delta, double *sigma);

DPA_EXTERN_C_END

#endif
