#pragma once

#include "discrepancy/difference.hpp"
#include "privacy/moment_sum.hpp"
#include "problem/settings.hpp"

namespace dpadapt {

/** The discrepancy with a proof of its error, for a release of sensitivity B/n + 2 tau.
 *
 *  Why that sensitivity: for every predictor of the ball the mean loss over n private records, each
 *  in [0, B], moves by at most B/n when one record is replaced; so do the difference to the other
 *  domain's mean loss, its absolute value or its larger one of itself and 0, and the supremum D of
 *  these. A value v with |v - D| <= tau for all data then
 *  moves by at most B/n + 2 tau. Only a certified global maximum has this property; a local one may
 *  jump.
 *
 *  The error has two parts of at most tau/2 each. The functions below prove |v - D'| <= tau/2 for
 *  the supremum D' of the difference as given, its doubles taken as exact. And |D' - D| <= tau/2
 *  for the exact moments, whenever tau >= proven_rounding(): what privacy::MomentSum::means() and
 *  loss_difference() round is bounded by public numbers. (The public sample's moments are
 *  constants, so their own rounding is none of this.) The release takes the exact quotient of v,
 *  see privacy::release_number.
 *
 *  Nothing but v may leave: neither the achieved error nor the level of precision that it took.
 *  Throws Error(DPA_E_INTERNAL), without any number, if no level reaches tau/2. */
[[nodiscard]] double certified_discrepancy(const LossDifference &difference, double radius,
                                           double tau,
                                           DiscrepancySide side = DiscrepancySide::both);

/** The same for sup over w, w' in the ball of the difference of the means of (w.z - w'.z)^2, which
 *  is 4 radius^2 ||A||_2, the supremum of |x'Ax| over a ball of twice the radius. */
[[nodiscard]] double certified_unlabelled_discrepancy(const arma::mat &second, double radius,
                                                      double tau,
                                                      DiscrepancySide side = DiscrepancySide::both);

/** The least tau that a plan may accept: 2^-46 (d + 5)^2 bound. It covers all rounding above in
 *  double precision, given an eigendecomposition with backward error 2 (d + 3) 2^-53 ||A||_F (if
 *  LAPACK should miss that, the second level of precision is there).
 *
 *  `bound` is public: reach^2 ||second||_F + 2 reach ||cross|| + label is at most `bound` for the
 *  moments of each of the two samples, reach = ||center|| + radius (unlabelled: 2 radius). Records
 *  with ||z|| <= R, |y| <= Y satisfy this with B = (reach R + Y)^2 (unlabelled: B = (reach R)^2);
 *  for a public sample that is not clipped so, take the larger of B and loss_size(). */
[[nodiscard]] double proven_rounding(std::size_t dimension, double bound);

/** reach^2 ||second||_F + 2 reach ||cross|| + |label|, which bounds the loss within reach. */
[[nodiscard]] double loss_size(const Moments &moments, double reach);

[[nodiscard]] Moments to_moments(const privacy::MomentMeans &means);

}  // namespace dpadapt
