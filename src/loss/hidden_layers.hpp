#pragma once

#include <span>

#include "base/secret.hpp"
#include "linalg/arma.hpp"

namespace dpadapt::loss {

/** The hidden layers of a perceptron whose weights are settled: what its last layer reads. Weights
 *  lie as in theta of the Perceptron, without the last layer; empty: no layers. */
struct HiddenLayers {
    std::vector<std::size_t> units;
    arma::vec weights;

    [[nodiscard]] bool empty() const { return units.empty(); }

    /** How many weights layers of these sizes have above so many inputs. */
    [[nodiscard]] std::size_t parameters(std::size_t inputs) const;

    /** Length of what the last layer reads: the units and the constant, or the inputs. */
    [[nodiscard]] std::size_t outputs(std::size_t inputs) const {
        return units.empty() ? inputs : units.back() + 1;
    }
};

/** Applies the layers to one row at a time. What is computed is a function of the row alone. */
class HiddenUnits {
  public:
    /** Borrows the layers. */
    explicit HiddenUnits(const HiddenLayers &layers) : layers_(layers) {}

    /** Writes outputs() numbers. */
    void operator()(std::span<const double> row, double *out);

  private:
    const HiddenLayers &layers_;
    SecretVector<double> from_;
    SecretVector<double> to_;
};

}  // namespace dpadapt::loss
