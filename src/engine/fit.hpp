#pragma once

#include "baseline/method.hpp"
#include "engine/estimate.hpp"
#include "engine/settings.hpp"

namespace dpadapt::engine {

/** The options as the fit reads them.
 *  @param method  A baseline; null: the adaptation. */
[[nodiscard]] Settings fit_settings(const baseline::MethodSpec *method, const OptionValues &values,
                                    const Estimate *given = nullptr);

/** What a fit and its plan ask of the samples, before a private row is read. Throws Error. */
void check_samples(const Problem &problem, const baseline::MethodSpec *method,
                   const Settings &settings, Wanted wanted);

/** A fit to both samples; with privacy it pays.
 *  @param given  The discrepancy that it uses; null: it is as the options say. */
[[nodiscard]] Solution fit(Problem &problem, const baseline::MethodSpec *method,
                           const Estimate *given, const OptionValues &values, Control &control);

/** The same of a problem that the caller holds.
 *  @param choice         What its privacy report says of a choice among several fits.
 *  @param unread_by_all  What none of several fits reads; null: the fit is alone. */
[[nodiscard]] Solution fit_held(Problem &problem, const baseline::MethodSpec *method,
                                const Estimate *given, const OptionValues &values, Control &control,
                                const std::string &choice,
                                const UnreadOptions *unread_by_all = nullptr);

}  // namespace dpadapt::engine
