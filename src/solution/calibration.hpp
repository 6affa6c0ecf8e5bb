#pragma once

#include <string>
#include <vector>

#include "linalg/matrix_view.hpp"

namespace dpadapt {

struct Solution;

/** Released numbers of calibration rows by their score (records/error_terms.hpp), for intervals of
 *  single predictions by split conformal prediction. */
struct Calibration {
    std::vector<double> ends;   ///< ascending; empty: there is no calibration
    std::vector<double> below;  ///< how many rows, or persons, have a score below each, with noise
    double count = 0.0;         ///< of all rows, or persons
    bool persons = false;
    double noise_least = 0.0;  ///< deviations of the noise of `below` lie between these
    double noise_most = 0.0;
    double source_share = 0.0;  ///< of the counts, which is the source's
    bool seeded = false;        ///< whether everyone can know the noise
    double epsilon = 0.0;       ///< of the rows; infinite: they are public
    double delta = 0.0;

    [[nodiscard]] bool there() const { return !ends.empty(); }

    /** The least end below which a new score lies with that probability, if it is drawn as the
     *  rows; infinite if the rows are too few. */
    [[nodiscard]] double upper(double level) const;

    /** The greatest end that a new score does not fall below, as likely. */
    [[nodiscard]] double lower(double level) const;

    /** The largest level whose intervals are finite. */
    [[nodiscard]] double last_level() const;

    /** What the intervals promise, in sentences; empty without a calibration. */
    [[nodiscard]] std::string promise() const;
};

/** Of each row two numbers, the ends of its interval, one column after the other; of classes a
 *  number for each: 1 for those in the row's set, 0 for the others. NaN where the prediction is.
 *  Throws Error(DPA_E_UNSUPPORTED) without a calibration. */
[[nodiscard]] std::vector<double> prediction_intervals(const Solution &solution, double level,
                                                       const linalg::MatrixView &x);

/** Numbers of a row there. */
[[nodiscard]] std::size_t interval_width(const Solution &solution);

}  // namespace dpadapt
