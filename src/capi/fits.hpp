#pragma once

#include "baseline/method.hpp"
#include "capi/handles.hpp"
#include "privacy/plan.hpp"

namespace dpadapt::capi {

using engine::Option;
using engine::OptionValues;

/** The options as the fit reads them.
 *  @param method  A baseline; null: dpa_solve. */
[[nodiscard]] Settings fit_settings(const baseline::MethodSpec *method, const OptionValues &values);

/** What dpa_solve computes, of a problem with both samples that the caller holds; with privacy it
 *  pays.
 *  @param choice  What its privacy report says of a choice among several fits, if there is one. */
[[nodiscard]] Solution fit(dpa_problem &problem, const OptionValues &values, Control &control,
                           const std::string &choice = {});

/** What dpa_baseline_solve computes. */
[[nodiscard]] Solution fit_baseline(dpa_problem &problem, const baseline::MethodSpec &method,
                                    const OptionValues &values, Control &control,
                                    const std::string &choice = {});

/** What such private fits will pay; no private record is read. */
[[nodiscard]] privacy::Plan plan_fit(const dpa_problem &problem, const OptionValues &values,
                                     Control &control);
[[nodiscard]] privacy::Plan plan_baseline(const dpa_problem &problem,
                                          const baseline::MethodSpec &method,
                                          const OptionValues &values, Control &control);

}  // namespace dpadapt::capi
