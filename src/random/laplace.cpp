#include "random/laplace.hpp"

#include "random/uniform.hpp"

namespace dpadapt::random {

std::int64_t laplace(Stream &stream, unsigned bits) {
    stream.check_process();
    for (std::uint64_t k = 0;; ++k) {  // von Neumann: k rejections and the accepted x add up to |L|
        Uniform x(stream);
        if (!run_is_even(x, stream)) continue;
        const auto y = static_cast<std::int64_t>(k << bits | x.leading(bits, stream));
        return stream.bits(1) == 0 ? y : -y - 1;
    }
}

}  // namespace dpadapt::random
