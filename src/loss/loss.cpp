#include "loss/loss.hpp"

namespace dpadapt::loss {

std::vector<double> Loss::start(std::size_t features, std::uint64_t /*seed*/) const {
    return std::vector<double>(parameters(features), 0.0);
}

}  // namespace dpadapt::loss
