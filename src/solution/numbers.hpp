#pragma once

#include "solution/solution.hpp"

namespace dpadapt {

/** Public names of the numbers of a fit: of the objective, of the records, of the loss. */
constexpr const char *kNumberNames[] = {
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) #name,
#define DPA_RECORD_NUMBER(name, preset) #name,
#include "problem/numbers.def"
#define DPA_LOSS_NUMBER(type, name, scales) #name,
#include "loss/numbers.def"
};

/** Calls visit(name, number) for each of them, in that order; `Fit` is Solution, const or not. */
template <typename Fit, typename Visit>
void each_number(Fit &fit, const Visit &visit) {
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) visit(#name, fit.settings.symbol);
#define DPA_RECORD_NUMBER(name, preset) visit(#name, fit.settings.name);
#include "problem/numbers.def"
#define DPA_LOSS_NUMBER(type, name, scales) visit(#name, fit.loss.name);
#include "loss/numbers.def"
}

}  // namespace dpadapt
