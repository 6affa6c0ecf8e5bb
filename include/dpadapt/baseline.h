/** Baselines: the methods that domain adaptation is compared with, computed on the same problem
 *  with the same options, bounds and coordinates.
 *
 *  Each fits a predictor for the option `loss` over ||theta|| <= Lambda, by the general form's
 *  rules for labels and coordinates whatever `form` says, with ridge ||theta||^2 added (option
 *  `ridge`). Methods about weights (kmm, kliep, ulsif, rulsif, dm) find weights of the source rows,
 *  of sum 1, from the features alone; objective, duality gap, iterations and termination of their
 *  solution are those of the weights' own problem:
 *
 *      kmm      1/2 b'Kb - kappa'b for b of mean about 1, weights b/sum b; gap relative to its size
 *      at most 1e-6 kliep    mean log w over target rows, maximized; the gap is absolute
 *      ulsif    1/2 theta'H theta - h'theta + lambda/2 ||theta||^2, rulsif the same of the relative
 *      ratio dm       spectral norm of the difference of second moments; among its minima the
 *      weights of least norm
 *
 *  Six methods protect a private target (private_domain = target) with a public source. Five spend
 *  their Gaussian budget on one release, the noisy second moments of the target's records, bounded
 *  by feature_radius and label_bound (auto: a quantile of the public ones); all the rest is
 *  computed from it and the source:
 *
 *      joint_ssp   sufficient-statistics perturbation: least squares of the target alone
 *      ada_ssp     the same with a ridge that grows with the noise (AdaSSP): t - max(0, e), where
 *      positive, for the smallest
 *                  eigenvalue e of the noisy matrix and the bound t of the noise's. That e needs no
 *                  release of its own makes errors smaller than AdaSSP's own division of the budget
 *                  by three
 *      public_ssp  joint_ssp, with records bounded after whitening by the public second moments
 *      (ridge: metric_ridge,
 *                  bound: clip_quantile), and without the noisy matrix's negative eigenvalues
 *      pooled_ssp  joint_ssp with the source, of weight alpha, and without them; these four for
 *      loss = squared only private_dm  dm with the noisy second moments of the target, whose labels
 *      have no part
 *
 *      private_coral  coral with the noisy second moments of the target, whose labels have no part;
 *                  loss = squared, with the intercept
 *
 *  The ssp methods minimize over the ball exactly, though noise may have made their objective
 *  indefinite.
 *
 *      noisy_sgd   noisy minibatch gradient descent on the target alone, for every loss: epochs
 *                  n/batch_size batches into which every record is drawn by itself (`sampling`; or
 *                  `epochs` times through disjoint batches in a random order), each gradient shrunk
 *                  to clip_bound (auto: the quantile clip_quantile of the public gradients at the
 *                  public fit, or the loss's own bound), the same noise for every batch, steps of a
 *                  fixed length, and the average of all iterates; batch_size at least the number of
 *                  records is noisy gradient descent
 *
 *  No private method but private_dm releases a value of an objective (NaN). The price is entered
 *  into the problem's ledger before private records are read.
 */
#ifndef DPADAPT_BASELINE_H
#define DPADAPT_BASELINE_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Number of baselines.  Any thread.  Since 0.1. */
DPA_API size_t dpa_baseline_count(void);

/** Name and meaning of baseline number index in [0, dpa_baseline_count()); static texts, NULL for
 *  other numbers.  Any thread.  Since 0.1. */
DPA_API const char *dpa_baseline_name(size_t index);
DPA_API const char *dpa_baseline_doc(size_t index);

/** Computes a baseline.
 *  @param problem  Both samples set.
 *  @param method   Its name, zero-terminated.
 *  @param options  NULL for the defaults. Methods without privacy need `private_domain` = none,
 *                  private ones target, `epsilon` and `delta`.
 *  @param out      Receives the solution, to be released by dpa_solution_destroy; NULL stored on
 *                  failure.
 *  @return as dpa_solve; DPA_E_OPTION_NAME for an unknown method; DPA_E_BUDGET when the release of
 *          a private one does not fit into the budget; DPA_E_NUMERICAL when a kernel sees no
 *          overlap of the samples.  Cost: see the method's reference in README; kmm O(m^2 d) time
 *          and O(m d) memory.  Since 0.1. */
DPA_API dpa_status dpa_baseline_solve(dpa_problem *problem, const char *method,
                                      const dpa_options *options, dpa_solution **out);

/** Plans a private baseline (privacy.h): what dpa_baseline_solve with the same arguments would
 *  charge.
 *  @param problem  Both samples set; of the target only the size is used.
 *  @param method   Its name, zero-terminated.
 *  @param options  NULL for the defaults, which have no budget.
 *  @param out      Receives the plan, to be released by dpa_plan_destroy; NULL stored on failure.
 *  @return as dpa_plan_for_problem; DPA_E_OPTION_NAME for an unknown method; DPA_E_OPTION for one
 *          that protects nobody. Since 0.1. */
DPA_API dpa_status dpa_baseline_plan(const dpa_problem *problem, const char *method,
                                     const dpa_options *options, dpa_plan **out);

DPA_EXTERN_C_END

#endif
