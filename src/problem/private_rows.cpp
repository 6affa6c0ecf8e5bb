#include "problem/private_rows.hpp"

namespace dpadapt {

PrivateRows::PrivateRows(const Sample &sample, const Preprocess &preprocess, const arma::mat &map,
                         std::size_t threads)
    : dimension_(map.n_rows), rows_(sample.rows() * map.n_rows, 0.0), label_(sample.rows()) {
    const linalg::AffineRows affine = preprocess.rows(sample);
    const arma::mat to_metric = map * preprocess.whitening_map();
    const std::size_t features = sample.features();
    const linalg::Chunks chunks(sample.x());
    parallel_for(chunks.count(), threads, [&](std::size_t chunk) {
        for (std::size_t i = chunks.begin(chunk); i < chunks.end(chunk); ++i) {
            double *zeta = rows_.data() + i * dimension_;
            const auto add = [&](std::size_t j, double z) {
                const double *column = to_metric.colptr(j);
                for (std::size_t k = 0; k < dimension_; ++k) zeta[k] += z * column[k];
            };
            for (std::size_t j = 0; j < features; ++j)
                add(j, affine.scale(j) * (affine.x(i, j) - affine.center(j)));
            if (affine.constant) add(features, 1.0);
            label_[i] = affine.label[i] - affine.label_center;
        }
    });
}

}  // namespace dpadapt
