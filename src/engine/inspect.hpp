#pragma once

#include "engine/options.hpp"
#include "engine/problem.hpp"
#include "problem/private_problem.hpp"

namespace dpadapt::engine {

/** What the call of a private fit would change in the private records: for their custodian, with no
 *  protection at all; the ledger remembers it. */
[[nodiscard]] Neutralised inspect(Problem &problem, const OptionValues &values, Control &control);

}  // namespace dpadapt::engine
