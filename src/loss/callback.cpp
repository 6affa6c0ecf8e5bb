#include "loss/callback.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "base/platform/float_state.hpp"

namespace dpadapt::loss {

namespace {

void check(std::int32_t result) {
    if (result > 0) throw Error(DPA_E_CANCELLED, "the loss function stopped the call");
    if (result < 0) throw Error(DPA_E_CALLBACK, "the loss function reported a failure");
}

bool all_finite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

Callback::Callback(const CallbackLoss &loss, Reading reading, std::size_t rows_per_call)
    : loss_(loss),
      reading_(reading),
      rows_per_call_(reading == Reading::private_records ? 1 : rows_per_call) {
    if (loss.function == nullptr)
        throw Error(DPA_E_INVALID_ARGUMENT, "the loss function must not be NULL");
    if (loss.parameters == 0)
        throw Error(DPA_E_DIMENSION, "a loss function needs at least one parameter");
}

std::size_t Callback::parameters(std::size_t /*features*/) const { return loss_.parameters; }

void Callback::evaluate(const Block &block, std::span<const double> theta, std::span<double> losses,
                        std::span<double> gradients) const {
    for (std::size_t i = 0; i < block.rows; i += rows_per_call_) {
        const Block batch{std::min(rows_per_call_, block.rows - i), block.features,
                          block.x + i * block.features, block.label + i};
        call(batch, theta, losses.data() + i,
             gradients.empty() ? nullptr : gradients.data() + i * theta.size());
    }
}

/** NaN stands where the function writes nothing: no record may inherit another one's numbers. */
void Callback::call(const Block &batch, std::span<const double> theta, double *losses,
                    double *gradients) const {
    constexpr double kUnwritten = std::numeric_limits<double>::quiet_NaN();
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    const std::size_t width = gradients == nullptr ? 0 : theta.size();
    std::fill_n(losses, batch.rows, kUnwritten);
    std::fill_n(gradients, batch.rows * width, kUnwritten);
    if (reading_ == Reading::private_records && !accepts(*batch.label)) {
        std::fill_n(losses, batch.rows, 0.0);
        std::fill_n(gradients, batch.rows * width, 0.0);
        return;
    }
    const std::int32_t result =
        call_host(loss_.function, batch.x, batch.rows, batch.features, batch.label, theta.data(),
                  theta.size(), losses, gradients, loss_.user);
    if (reading_ == Reading::public_records) {
        check(result);
    } else if (result != 0) {
        std::fill_n(losses, batch.rows, kUnwritten);
    }
    for (std::size_t i = 0; i < batch.rows; ++i) {
        const std::span<double> gradient(gradients + i * width, width);
        if (std::isfinite(losses[i]) && all_finite(gradient)) continue;
        losses[i] = reading_ == Reading::private_records ? 0.0 : kNowhere;
        std::fill(gradient.begin(), gradient.end(), 0.0);
    }
}

void Callback::scores(const Block & /*block*/, std::span<const double> /*theta*/,
                      std::span<double> /*scores*/) const {
    throw Error(DPA_E_UNSUPPORTED, "a loss function of the caller makes no scores");
}

}  // namespace dpadapt::loss
