#pragma once

#include <cstddef>

#include "problem/prepared_sample.hpp"

namespace dpadapt {

/** Exact means over rows in preprocessed coordinates, without those of weights. */
struct WholeMoments {
    Moments moments;
    arma::vec mean;  ///< of z, without the constant
    double label = 0.0;
};

/** The public rows that a sample in memory stands for, where these are more and elsewhere. */
class Population {
  public:
    Population() = default;
    Population(const Population &) = delete;
    Population &operator=(const Population &) = delete;
    virtual ~Population() = default;

    /** Rows with a label. */
    [[nodiscard]] virtual std::size_t rows() const = 0;

    /** Whether each row is in the sample, as often as it is there. */
    [[nodiscard]] virtual bool is_in_memory() const = 0;

    /** Between the smallest and the largest number of a column. */
    [[nodiscard]] virtual double range(std::size_t column) const = 0;
    [[nodiscard]] virtual double lowest_label() const = 0;
    [[nodiscard]] virtual double highest_label() const = 0;

    /** Of the rows in these coordinates, clipped: one pass. */
    [[nodiscard]] virtual WholeMoments moments(const Preprocess &preprocess,
                                               const Clipping &clipping) const = 0;
};

}  // namespace dpadapt
