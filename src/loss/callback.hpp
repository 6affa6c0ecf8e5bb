#pragma once

#include <cmath>

#include "loss/loss.hpp"

namespace dpadapt::loss {

/** The caller's loss. Writes losses[i] of the rows and, unless gradients is null, gradients[i *
 *  parameters + j]. Returns 0; a positive number stops the run, a negative one reports a
 *  failure. */
using BatchFunction = std::int32_t (*)(const double *x, std::size_t rows, std::size_t features,
                                       const double *label, const double *theta,
                                       std::size_t parameters, double *losses, double *gradients,
                                       void *user);

/** What the caller says about the loss. */
struct CallbackLoss {
    BatchFunction function = nullptr;
    void *user = nullptr;
    std::size_t parameters = 0;
    Bounds bounds;  ///< declared; whoever needs them for privacy enforces them
};

/** Whose records a loss reads. */
enum class Reading { public_records, private_records };

/** A loss that the caller computes, on the calling thread. A public record whose results are not
 *  finite, or that the function has left out, has an infinite loss, so that no minimum lies there;
 *  a private one counts as zero loss and zero gradient.
 *
 *  Private records come one by one: only then is a result sure to come from its record alone,
 *  whatever the function does with its batch; and what it returns for one is not heeded, because
 *  whether a call fails would tell of the record: a failure counts as zero too. (A function that
 *  remembers records between calls is beyond our reach.) */
class Callback final : public Loss {
  public:
    /** Throws Error(DPA_E_INVALID_ARGUMENT) without a function, Error(DPA_E_DIMENSION) without
     *  parameters. */
    Callback(const CallbackLoss &loss, Reading reading, std::size_t rows_per_call = 256);

    [[nodiscard]] std::size_t parameters(std::size_t features) const override;
    [[nodiscard]] bool accepts(double label) const override { return std::isfinite(label); }

    /** Throws Error(DPA_E_CANCELLED) or Error(DPA_E_CALLBACK) as the function asks on public
     *  records. */
    void evaluate(const Block &block, std::span<const double> theta, std::span<double> losses,
                  std::span<double> gradients) const override;

    [[nodiscard]] bool concurrent() const override { return false; }
    [[nodiscard]] Bounds bounds(const Range & /*range*/) const override { return loss_.bounds; }
    [[nodiscard]] const ScoreLoss *output() const override { return nullptr; }

    /** Throws Error(DPA_E_UNSUPPORTED): the caller knows what the parameters predict. */
    void scores(const Block &block, std::span<const double> theta,
                std::span<double> scores) const override;

  private:
    void call(const Block &batch, std::span<const double> theta, double *losses,
              double *gradients) const;

    CallbackLoss loss_;
    Reading reading_;
    std::size_t rows_per_call_;
};

}  // namespace dpadapt::loss
