#pragma once

#include <memory>
#include <span>

#include "base/secret.hpp"
#include "linalg/arma.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt::loss {

/** A multilayer perceptron with tanh units: each layer multiplies what it reads by its matrix,
 *  hidden ones apply tanh and add a constant 1 for the next; the last one makes the scores of the
 *  output loss, in units of `unit`. The first layer reads x as it is: an intercept is a constant 1.
 *
 *  theta is layer after layer, in each of them unit after unit, in each of these the weights in the
 *  order of what is read. Without hidden layers that is W of the output loss, column after
 *  column. */
class Perceptron final : public Loss {
  public:
    /** Sizes of the hidden layers; throws Error(DPA_E_OPTION) if one is 0. */
    Perceptron(std::vector<std::size_t> hidden, std::unique_ptr<const ScoreLoss> output,
               double unit = 1.0);

    [[nodiscard]] std::size_t parameters(std::size_t features) const override;

    /** Uniform in +-sqrt(6 / (read + units)) for each layer, constants 0. (Glorot and Bengio,
     *  AISTATS 2010.) */
    [[nodiscard]] std::vector<double> start(std::size_t features,
                                            std::uint64_t seed) const override;

    [[nodiscard]] bool accepts(double label) const override { return output_->accepts(label); }

    [[nodiscard]] const char *advice_on_labels() const override {
        return "; for labels that are numbers set perceptron_output = squared";
    }

    /** Takes memory for the activations of the block besides the gradients. */
    void evaluate(const Block &block, std::span<const double> theta, std::span<double> losses,
                  std::span<double> gradients) const override;

    /** Without the gradients of single records. */
    void add_gradients(const Block &block, std::span<const double> theta, std::span<double> losses,
                       const Weights &weights, std::span<double> sum) const override;

    /** Valid for every theta in the ball (proof in perceptron.cpp), not attained, as each layer is
     *  given the whole norm Lambda: searches have found half of G and a fifth of beta with one
     *  hidden layer, a quarter and a twentieth with two. beta grows like Lambda^4 R^2 with one
     *  hidden layer. */
    [[nodiscard]] Bounds bounds(const Range &range) const override;

    /** Weights have none: scores are in units of `unit`. */
    [[nodiscard]] Units units(double deviation) const override {
        return {1.0, output_->units(deviation).loss};
    }

    [[nodiscard]] const ScoreLoss *output() const override { return output_.get(); }
    void scores(const Block &block, std::span<const double> theta,
                std::span<double> scores) const override;

  private:
    struct Layer {
        std::size_t read;    ///< numbers that it reads, with the constant
        std::size_t units;   ///< numbers that it makes
        std::size_t offset;  ///< of its matrix in theta
    };
    [[nodiscard]] std::vector<Layer> layers(std::size_t features) const;

    /** Writes the scores and returns what each layer but the first has read, record after
     *  record. */
    std::vector<std::vector<double>> forward(const Block &block, const std::vector<Layer> &layers,
                                             std::span<const double> theta, double *scores) const;

    std::vector<std::size_t> hidden_;
    std::unique_ptr<const ScoreLoss> output_;
    double unit_;
};

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
