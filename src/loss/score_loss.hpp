#pragma once

#include <cmath>
#include <cstddef>

#include "loss/loss.hpp"

namespace dpadapt::loss {

/** A loss l(s, y) of the scores s = W'x, with theta the features x K matrix W, column after column.
 *  Its functions by score work on n rows at a time: arrays are n x K, column after column, as
 *  products of a data matrix with W are. Results must not overlap what they are computed from. */
class ScoreLoss : public Loss {
  public:
    /** K. */
    [[nodiscard]] virtual std::size_t outputs() const { return 1; }

    [[nodiscard]] bool accepts(double label) const override { return std::isfinite(label); }

    /** loss[i] = l(s_i, y_i) and, unless null, slope = its gradient by the scores. */
    virtual void slopes(std::size_t n, const double *score, const double *label, double *loss,
                        double *slope) const = 0;

    /** out_i = H_i v_i, with H_i the Hessian of l by the scores and v_i the direction. For K = 1
     *  and v = 1 that is the second derivative; the coordinate directions give the weights of the
     *  blocks of Newton's matrix. */
    virtual void curvatures(std::size_t n, const double *score, const double *label,
                            const double *direction, double *out) const = 0;

    /** Bounds by the scores, over ||s|| <= score_radius and labels that are accepted. */
    [[nodiscard]] virtual Bounds score_bounds(double score_radius, double label_bound) const = 0;

    /** out_i = the diagonal of H_i. */
    virtual void diagonals(std::size_t n, const double *score, const double *label,
                           double *out) const;

    /** Bound of the Hessian by the scores wherever they are. */
    [[nodiscard]] double largest_curvature() const { return score_bounds(0.0, 0.0).smoothness; }

    /** Norm of a slope that no default clip cuts. Positive where the slopes of few records are much
     *  larger than those of all others and balance them: cut, they would lead elsewhere. */
    [[nodiscard]] virtual double kept_slope() const { return 0.0; }

    [[nodiscard]] Units units(double deviation) const override {
        return {deviation, deviation * deviation};
    }

    /** prediction[i] is a label: the score itself, or the class. */
    virtual void predict(std::size_t n, const double *score, double *prediction) const;

    /** n x K probabilities of the classes; for K = 1 of the label +1. Throws
     *  Error(DPA_E_UNSUPPORTED) if the loss has no classes. */
    virtual void probabilities(std::size_t n, const double *score, double *out) const;

    [[nodiscard]] std::size_t parameters(std::size_t features) const final;
    void evaluate(const Block &block, std::span<const double> theta, std::span<double> losses,
                  std::span<double> gradients) const final;
    void add_gradients(const Block &block, std::span<const double> theta, std::span<double> losses,
                       const Weights &weights, std::span<double> sum) const final;
    [[nodiscard]] Bounds bounds(const Range &range) const final;
    [[nodiscard]] const ScoreLoss *output() const final { return this; }
    void scores(const Block &block, std::span<const double> theta,
                std::span<double> scores) const final;
};

/** Elementary functions of n numbers, vectorised. Each result is a function of its argument alone,
 *  with the same bits at every position and in every instruction set, and off by less than 1 unit
 *  in the last place (exp, log1p), 2 (log1p_exp) or 2.5 (logistic, tanh). Infinities have their
 *  limits, NaN gives NaN, nothing overflows on the way. In place if out is x. */
void exp(std::size_t n, const double *x, double *out);

/** log(1 + x) for finite x >= 0. */
void log1p(std::size_t n, const double *x, double *out);

/** log x for finite x >= 1e-300, off by less than 2^-51 of max(1, |log x|). */
void log(std::size_t n, const double *x, double *out);

/** log(1 + e^x). */
void log1p_exp(std::size_t n, const double *x, double *out);

/** 1 / (1 + e^-x), the derivative of log1p_exp. */
void logistic(std::size_t n, const double *x, double *out);

/** Both at about the cost of one; value or slope may be x. */
void log1p_exp_and_logistic(std::size_t n, const double *x, double *value, double *slope);

void tanh(std::size_t n, const double *x, double *out);

}  // namespace dpadapt::loss
