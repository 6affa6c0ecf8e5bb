#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace dpadapt::loss {

/** Records one after another: record i has the features x[i * features], ... and label[i], all
 *  finite. */
struct Block {
    std::size_t rows = 0;
    std::size_t features = 0;
    const double *x = nullptr;
    const double *label = nullptr;
};

/** What the bounds range over: ||theta|| <= radius, ||x|| <= feature_radius, |label| <=
 *  label_bound. */
struct Range {
    double radius = 0.0;
    double feature_radius = 0.0;
    double label_bound = 0.0;
};

/** Bounds of the loss of one record as a function of the parameters; infinite where none is
 *  known. */
struct Bounds {
    double value = 0.0;       ///< B, of the loss
    double lipschitz = 0.0;   ///< G, of the norm of its gradient
    double smoothness = 0.0;  ///< beta, of the spectral norm of its Hessian
};

/** What has no number of its own counts in these: a ridge, a first step, the size of a start
 *  (docs/defaults.md). */
struct Units {
    double parameter = 1.0;  ///< where features are standardized
    double loss = 1.0;

    [[nodiscard]] double curvature() const { return loss / (parameter * parameter); }
};

class ScoreLoss;

/** The loss of one record as a function of the parameters theta. What is computed for a record
 *  depends on that record and theta alone, bit for bit: not on its neighbours in the block, its
 *  position or the number of threads. Objects are constant. */
class Loss {
  public:
    Loss &operator=(Loss &&) = delete;
    virtual ~Loss() = default;

    /** Length of theta. */
    [[nodiscard]] virtual std::size_t parameters(std::size_t features) const = 0;

    /** Where a minimization may start; random numbers, where it needs them, come from the seed
     *  alone. */
    [[nodiscard]] virtual std::vector<double> start(std::size_t features, std::uint64_t) const {
        return std::vector<double>(parameters(features), 0.0);
    }

    /** Whether a label has a meaning. A record whose label has none counts as zero loss and zero
     *  gradient. */
    [[nodiscard]] virtual bool accepts(double label) const = 0;

    /** What to do about public labels without a meaning, as the end of a sentence. */
    [[nodiscard]] virtual const char *advice_on_labels() const { return ""; }

    /** losses[i] of every record of the block and, unless empty, gradients[i * parameters + j]. */
    virtual void evaluate(const Block &block, std::span<const double> theta,
                          std::span<double> losses, std::span<double> gradients) const = 0;

    /** Writes the losses of the records and adds weight_i times the gradient of loss i to `sum`;
     *  the weights are asked for when the losses are known. For sums of public records: what is
     *  computed for one may depend on its place in the block. */
    using Weights = std::function<const double *(std::span<const double> losses)>;
    virtual void add_gradients(const Block &block, std::span<const double> theta,
                               std::span<double> losses, const Weights &weights,
                               std::span<double> sum) const {
        std::vector<double> gradients(block.rows * theta.size());
        evaluate(block, theta, losses, gradients);
        const double *weight = weights(losses);
        const double *g = gradients.data();
        for (std::size_t i = 0; i < block.rows; ++i)
            for (double &total : sum) total += weight[i] * *g++;
    }

    /** Whether several threads may evaluate at the same time. */
    [[nodiscard]] virtual bool concurrent() const { return true; }

    [[nodiscard]] virtual Bounds bounds(const Range &range) const = 0;

    /** Where labels that are numbers have that standard deviation; 1 where they are classes, or a
     *  caller's. */
    [[nodiscard]] virtual Units units(double /*deviation*/) const { return {}; }

    /** The function that turns scores into losses and predictions; null if the parameters make no
     *  scores. */
    [[nodiscard]] virtual const ScoreLoss *output() const = 0;

    /** The scores of the records, rows x output()->outputs(), column after column; labels are not
     *  read. */
    virtual void scores(const Block &block, std::span<const double> theta,
                        std::span<double> scores) const = 0;
};

}  // namespace dpadapt::loss
