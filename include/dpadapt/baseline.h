/** Baselines: the methods that domain adaptation is compared with. Each reads the same problem,
 *  with the same options, bounds and coordinates as dpa_solve.
 *
 *  A baseline fits a predictor for the option `loss` over ||theta|| <= Lambda, with the term
 *  ridge ||theta||^2 added (option `ridge`). The option `form` is not read: labels and coordinates
 *  follow the rules of the general form. docs/methods.md has the formulas and the papers.
 *
 *  In the tables, "labels" names the samples whose labels are read, and "weights" the samples whose
 *  row weights (dpa_problem_set_weights) are followed. Other row weights are
 *  DPA_E_UNSUPPORTED.
 *
 *  Without privacy; each needs `private_domain` = none:
 *
 *      method         loss               labels  weights  what is fitted
 *      source_only    any                source  both     the source alone
 *      target_only    any                both    both     the target alone
 *      pooled         any                both    both     both samples; alpha weighs the source
 *      kmm            any                source  none     the source, weighted by kernel mean
 *                                                         matching
 *      kliep          any                source  none     the source, weighted by a density ratio
 *                                                         (Kullback-Leibler divergence)
 *      ulsif          any                source  none     the same by least squares
 *      rulsif         any                source  none     the same relative to a mixture that holds
 *                                                         a share of the target (relative_alpha)
 *      dm             any                source  target   the source, weighted so that the
 *                                                         discrepancy of second moments is least
 *      gdm            squared            source  target   generalized discrepancy minimization
 *      best           any                both    both     best-effort adaptation: the general form
 *                                                         from several starts; needs a number for
 *                                                         lambda_1
 *      biased_ridge   one linear score   both    both     the target, with a ridge towards the
 *                                                         source's fit
 *      augmented      squared            both    both     a shared predictor and one for each
 *                                                         domain; needs alpha below 1
 *      coral          squared            source  both     source rows, mapped to the covariance of
 *                                                         the target
 *      gapboost       logistic           both    none     boosting with weights by the gap between
 *                                                         the domains
 *      tradaboost     logistic           both    none     boosting; misclassified source rows lose
 *                                                         weight
 *      tradaboost_r2  squared            both    none     the same by the sizes of errors
 *
 *  Private; each needs a public source, `private_domain` = target, `epsilon` and `delta`:
 *
 *      method         loss               labels  weights  what is fitted
 *      joint_ssp      squared            both    both     least squares on the target alone, from
 *                                                         its noisy second moments
 *      ada_ssp        squared            both    both     the same with a ridge that grows with the
 *                                                         noise (AdaSSP)
 *      public_ssp     squared            both    both     joint_ssp, with records bounded after
 *                                                         whitening by the public second moments
 *      pooled_ssp     squared            both    both     joint_ssp and the source; alpha weighs it
 *      private_dm     any                source  target   dm from noisy second moments
 *      private_coral  squared            source  both     coral from noisy second moments; needs
 *                                                         `intercept` = true
 *      noisy_sgd      any                both    source   noisy minibatch gradient descent on the
 *                                                         target alone
 *
 *  All private methods but noisy_sgd spend their Gaussian budget on one release: the noisy second
 *  moments of the target's records. The records are bounded by `feature_radius` and `label_bound`;
 *  auto stands for a quantile of the public sample. public_ssp bounds whitened records by
 *  `clip_quantile`, and whitens with the ridge `metric_ridge`. All that follows the release reads
 *  its result and the source alone. The price is entered into the problem's ledger before a private
 *  record is read.
 *
 *  The ssp methods minimize over the ball exactly, though noise may have made their objective
 *  indefinite. For public_ssp and pooled_ssp negative eigenvalues of the noisy matrix become 0.
 *  ada_ssp adds the ridge max(0, t - max(0, e)). Here e is the smallest eigenvalue of the noisy
 *  matrix, and t bounds the noise in it. This e is computed from the release; AdaSSP itself spends
 *  a third of the budget on it.
 *
 *  noisy_sgd draws every record by itself into each of epochs * n/batch_size batches (`sampling`),
 *  or makes `epochs` passes through disjoint batches in random order. Each gradient is shrunk to
 *  `clip_bound`; auto stands for the quantile `clip_quantile` of the public gradients at the public
 *  fit, or the loss's own bound if that is less. Every batch gets the same noise, and every step
 *  has the same length. The result is the average of all iterates. A batch_size of n or more gives
 *  noisy gradient descent.
 *
 *  What a solution has as objective, duality gap, iterations and termination:
 *
 *      source_only, target_only, pooled   those of the weighted fit; the gap is the Frank-Wolfe gap
 *                                         of a convex loss
 *      kmm        of 1/2 b'Kb - kappa'b over weights b of mean about 1; the gap is certified to
 *                 1e-6 of its size. Source rows get the weights b/sum b
 *      kliep      of the mean log w over target rows, which is maximized; the gap is absolute
 *      ulsif, rulsif   of 1/2 theta'H theta - h'theta + lambda/2 ||theta||^2
 *      dm, private_dm  of the spectral norm of the difference of second moments; among its minima
 *                 the weights of least norm are taken. private_dm uses the released matrix
 *      gdm        of the generalized discrepancy; the gap bounds the distance from its minimum
 *      best       of the general form J (solution.h), at a stationary point
 *      all others   none: the objective is DPA_E_NOT_RELEASABLE
 */
#ifndef DPADAPT_BASELINE_H
#define DPADAPT_BASELINE_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** A text of baseline number index, counted from 0.
 *  @param what  "name" or "meaning".
 *  @return Static text; NULL beyond the last one, and for other words.  Any thread.  Since 0.2. */
DPA_API const char *dpa_baseline_text(size_t index, const char *what);

/** Computes a baseline.
 *  @param problem  Both samples set.
 *  @param method   Its name, zero-terminated.
 *  @param options  NULL for the defaults. A method without privacy needs `private_domain` = none. A
 *                  private one needs `private_domain` = target, `epsilon` and `delta`.
 *  @param out      Receives the solution, to be released by dpa_solution_destroy; NULL stored on
 *                  failure.
 *  @return as dpa_solve; DPA_E_OPTION_NAME for an unknown method; DPA_E_BUDGET when the release of
 *          a private one does not fit into the budget; DPA_E_NUMERICAL when a kernel sees no
 *          overlap of the samples.  Cost: kmm O(m^2 d) time and O(m d) memory; docs/methods.md has
 *          measured times.  Since 0.1. */
DPA_API dpa_status dpa_baseline_solve(dpa_problem *problem, const char *method,
                                      const dpa_options *options, dpa_solution **out);

/** Plans a private baseline (privacy.h): what dpa_baseline_solve with the same arguments would
 *  charge.
 *  @param problem  Both samples set; of the target only the size is used.
 *  @param method   Its name, zero-terminated.
 *  @param options  NULL for the defaults, which have no budget.
 *  @param out      Receives the plan, to be released by dpa_plan_destroy; NULL stored on failure.
 *  @return as dpa_plan_for_problem; DPA_E_OPTION_NAME for an unknown method; DPA_E_OPTION for a
 *          method without privacy. Since 0.1. */
DPA_API dpa_status dpa_baseline_plan(const dpa_problem *problem, const char *method,
                                     const dpa_options *options, dpa_plan **out);

DPA_EXTERN_C_END

#endif
