#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "base/parallel.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** Noise for the coordinates of one release, floor(2^bits Z) with the bits of its grid. It is drawn
 *  before the private sum is formed. */
[[nodiscard]] std::vector<std::int64_t> gaussian_noise(const PrivateRun &run,
                                                       random::Purpose purpose, std::uint64_t step,
                                                       std::size_t dimension);

/** Adds parts of a sum over records: part(begin, end, sum) adds the terms of the records begin <= i
 *  < end. The parts are exact integers, so threads do not matter. */
template <typename Sum, typename Part>
void add_parts(std::size_t records, std::size_t threads, std::size_t dimension, const Part &part,
               Sum &total) {
    const std::size_t lanes = std::max<std::size_t>(1, std::min(threads, records / 256));
    std::vector<Sum> parts(lanes, Sum(dimension, total.grid()));
    parallel_for(lanes, threads, [&](std::size_t lane) {
        part(records * lane / lanes, records * (lane + 1) / lanes, parts[lane]);
    });
    for (const Sum &sum : parts) total.merge(sum);
}

/** Adds a term for every record of the sample: term(i, out) writes the term of record i, a function
 *  of that record, public data and released values only. */
template <typename Sum, typename Term>
void add_terms(const PrivateRows &rows, std::size_t threads, std::size_t dimension,
               const Term &term, Sum &total) {
    add_parts(
        rows.rows(), threads, dimension,
        [&](std::size_t begin, std::size_t end, Sum &sum) {
            std::vector<double> out(dimension);
            for (std::size_t i = begin; i < end; ++i) {
                term(i, out);
                sum.add(out);
            }
        },
        total);
}

/** The sum with its noise: the only values that leave. The number of records is public. */
[[nodiscard]] arma::vec release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                                const privacy::VectorSum &sum,
                                const std::vector<std::int64_t> &noise,
                                std::uint64_t public_records);

/** vector *= factor, or less where that leaves more than `most`. */
inline void scale_within(std::span<double> vector, double factor, double most) {
    double square = 0.0;
    for (const double value : vector) square += value * value;
    const double length = factor * std::sqrt(square);
    if (length > most) factor *= most / length;
    for (double &value : vector) value *= factor;
}

/** residual * zeta shrunk to norm `most`. */
inline void clip_term(const PrivateRows &rows, std::size_t i, double residual, double most,
                      double *out) {
    const double norm = std::abs(residual) * rows.norm(i);
    const double factor = norm > most ? residual * (most / norm) : residual;
    const double *zeta = rows.row(i);
    for (std::size_t k = 0; k < rows.dimension(); ++k) out[k] = factor * zeta[k];
}

}  // namespace dpadapt
