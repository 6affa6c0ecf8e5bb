#pragma once

#include <array>
#include <cstddef>

/** What "auto" stands for where it stands for a number: the texts of the options (options.def) say
 *  the same, which a test compares. Their origins are in docs/defaults.md. */
namespace dpadapt::defaults {

constexpr double kMostAlpha = 0.9;         ///< `alpha`: the target keeps a tenth of the weight
constexpr double kDiscrepancyShare = 0.1;  ///< `discrepancy_share`, where one is released
constexpr double kMetricRidge = 0.1;       ///< `metric_ridge`

/// `anchor`: ridges on standardized features whose fits are compared with the plain fit
constexpr std::array<double, 2> kAnchorRidges{0.02, 1.0};

constexpr double kOwnColumnsShare = 0.2;        ///< of mu^2, for `own_columns` = regressed
constexpr double kInferenceShare = 0.2;         ///< of mu^2, for `inference` = yes
constexpr std::size_t kMostCoefficients = 200;  ///< with `inference` = auto

// `prediction_range`, of private fits
constexpr double kPredictionMargin = 0.5;   ///< of the width of the public labels' range
constexpr double kPredictionSpreads = 6.0;  ///< of the root mean square of the fit's predictions
constexpr double kPredictionSizes = 2.5;    ///< of what 0.99 of them on public rows do not exceed
constexpr double kRowTails = 1.8;           ///< power by which tails go on (docs/defaults.md)

/// of perceptrons on public rows: in units of the loss, the largest first
constexpr std::array<double, 6> kWeightDecays{0.1, 0.03, 0.01, 0.003, 0.001, 0.0};
/// tanh units beside those of the public network where the last layer is private: a nearly linear
/// one a column, and random ones, as many as make these up, or this many
constexpr std::size_t kFurtherUnits = 64;
constexpr std::size_t kLeastRandomUnits = 16;
/// of that layer's public fit to classes: the network is too sure of them
constexpr double kLastLayerRidge = 1.0;

// `iterations`
constexpr std::size_t kIterations = 1000;
constexpr std::size_t kPrivateSteps = 20;
constexpr std::size_t kPaperSteps = 1000;  ///< of `method` = paper

}  // namespace dpadapt::defaults
