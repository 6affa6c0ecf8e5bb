#include "solution/format.hpp"

namespace dpadapt::format {

/** Format 4, and then what is known of the coefficients. */
Solution read_5(bytes::Reader &read) {
    Solution solution = read_4(read);
    each_inference(solution.inference, read);
    return solution;
}

}  // namespace dpadapt::format
