#pragma once

#include "base/control.hpp"
#include "engine/options.hpp"
#include "engine/problem.hpp"
#include "records/sums.hpp"

namespace dpadapt::engine {

/** How many private records a private fit would change: for their custodian, without any
 *  protection; the ledger remembers it. */
[[nodiscard]] records::Counts inspect(Problem &problem, const OptionValues &values,
                                      Control &control);

}  // namespace dpadapt::engine
