#pragma once

namespace dpadapt::evaluate::names {

constexpr const char *kSquared = "squared_error";
constexpr const char *kRootMeanSquared = "root_mean_squared_error";
constexpr const char *kAbsolute = "absolute_error";
constexpr const char *kQuantile = "quantile_loss";
constexpr const char *kLog = "log_loss";
constexpr const char *kAccuracy = "accuracy";
constexpr const char *kRoc = "roc_area";
constexpr const char *kSquaredGap = "squared_error_difference";
constexpr const char *kAbsoluteGap = "absolute_error_difference";
constexpr const char *kQuantileGap = "quantile_loss_difference";
constexpr const char *kLogGap = "log_loss_difference";
constexpr const char *kAccuracyGap = "accuracy_difference";

}  // namespace dpadapt::evaluate::names
