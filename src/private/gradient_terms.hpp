#pragma once

#include "private/metric.hpp"
#include "records/reader.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** The private records of a sample as the steps in that metric read them. */
[[nodiscard]] records::Reader step_reader(const PrivateRun &run, const Metric &metric,
                                          privacy::Domains domain);

/** Their gradients at v in the metric, clipped to `scale` C and in units of that over `most`. */
[[nodiscard]] records::GradientTask gradient_task(const PrivateRun &run, const Metric &metric,
                                                  const arma::vec &v, double scale, double most,
                                                  const records::Weighting &weighting);

}  // namespace dpadapt
