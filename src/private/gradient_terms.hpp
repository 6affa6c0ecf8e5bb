#pragma once

#include <functional>

#include "private/metric.hpp"
#include "records/sum.hpp"

namespace dpadapt {

/** The private records of a sample as terms of a sum: the gradient of each one's loss in the metric.
 *  What is computed for a record is a function of that record, public data and released values, in a
 *  fixed order of operations. */
class GradientTerms {
  public:
    /** Borrows both. */
    GradientTerms(const PrivateRun &run, const Metric &metric, privacy::Domains domain);

    [[nodiscard]] std::size_t rows() const { return rows_.rows(); }

    /** From the loss of a record its weight, as a share of its largest one, and further coordinates
     *  of its term. */
    using Weigh = std::function<double(double loss, std::span<double> further)>;

    /** Adds for every record `most` share gradient / C, where a share that makes this longer than
     *  `most` is lowered, and the further coordinates as they are. */
    void add(const arma::vec &v, double most, const Weigh &weigh, privacy::VectorSum &sum) const;

  private:
    void add_linear(const arma::vec &v, double most, const Weigh &weigh, std::size_t begin,
                    std::size_t end, privacy::VectorSum &sum) const;
    void add_records(const arma::vec &theta, double most, const Weigh &weigh, std::size_t begin,
                     std::size_t end, privacy::VectorSum &sum) const;
    void map_gradient(const double *gradient, double *out) const;

    const PrivateRun &run_;
    const Metric &metric_;
    PrivateRows rows_;
};

}  // namespace dpadapt
