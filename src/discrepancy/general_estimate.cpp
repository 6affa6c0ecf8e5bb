#include "discrepancy/general_estimate.hpp"

#include "base/error.hpp"

namespace dpadapt {

Discrepancy estimate_general_discrepancy(const PreparedProblem & /*problem*/,
                                         const Settings & /*settings*/, Control & /*control*/) {
    throw Error(DPA_E_UNSUPPORTED, "the discrepancy of this loss");
}

}  // namespace dpadapt
