#pragma once

namespace dpadapt {

/** What the objective charges for weights that leave their reference: the kappas, with the squared
 *  loss convex in predictor and weights, or the lambdas, for any loss. */
enum class PenaltyKind { convex, linear };

/** The numbers of the objective, every "auto" replaced by what it stands for (numbers.def). */
struct Hyperparameters {
    PenaltyKind penalty = PenaltyKind::convex;
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) double symbol = 0.0;
#include "problem/numbers.def"
};

/** These and the other numbers of a fit. */
struct UsedSettings : Hyperparameters {
#define DPA_RECORD_NUMBER(name, preset) double name = preset;
#include "problem/numbers.def"
};

}  // namespace dpadapt
