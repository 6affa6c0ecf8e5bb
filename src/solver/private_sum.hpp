#pragma once

#include <algorithm>

#include "base/parallel.hpp"
#include "solver/private_run.hpp"

namespace dpadapt {

/** Noise for the coordinates of one release, floor(2^bits Z) with the bits of its grid. It is drawn before private rows are read. */
[[nodiscard]] std::vector<std::int64_t> gaussian_noise(const PrivateRun &run,
                                                       random::Purpose purpose, std::uint64_t step,
                                                       std::size_t dimension);

/** Adds a term for every record of the sample: term(i, out) writes the term of record i, a function of that record,
 *  public data and released values only. Chunks are added up as integers, so threads do not matter. */
template <typename Term>
void add_terms(const PrivateRows &rows, std::size_t threads, const Term &term,
               privacy::VectorSum &total) {
    constexpr std::size_t kChunk = 1024;
    const std::size_t chunks = (rows.rows() + kChunk - 1) / kChunk;
    const std::size_t dimension = total.sums().size();
    std::vector<privacy::VectorSum> parts(chunks, privacy::VectorSum(dimension, total.grid()));
    parallel_for(chunks, threads, [&](std::size_t chunk) {
        std::vector<double> out(dimension);
        const std::size_t end = std::min(rows.rows(), (chunk + 1) * kChunk);
        for (std::size_t i = chunk * kChunk; i < end; ++i) {
            term(i, out);
            parts[chunk].add(out);
        }
    });
    for (const privacy::VectorSum &part : parts) total.merge(part);
}

/** The sum with its noise: the only values that leave. */
[[nodiscard]] arma::vec release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                                const privacy::VectorSum &sum,
                                const std::vector<std::int64_t> &noise);

/** residual * zeta shrunk to norm `most`. */
inline void clip_term(const PrivateRows &rows, std::size_t i, double residual, double most,
                      double *out) {
    const double norm = std::abs(residual) * rows.norm(i);
    const double factor = norm > most ? residual * (most / norm) : residual;
    const double *zeta = rows.row(i);
    for (std::size_t k = 0; k < rows.dimension(); ++k) out[k] = factor * zeta[k];
}

}  // namespace dpadapt
