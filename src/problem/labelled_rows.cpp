#include "problem/labelled_rows.hpp"

#include <cmath>

namespace dpadapt {

LabelledRows::LabelledRows(const Sample &sample, const std::vector<std::size_t> &among)
    : sample_(sample) {
    const std::size_t count = among.empty() ? sample.rows() : among.size();
    const auto &weights = sample.weights();
    place_.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = among.empty() ? k : among[k];
        if (weights != nullptr && (*weights)[i] == 0.0) continue;
        if (!std::isnan(sample.y()[i])) place_.push_back(i);
    }
    if (all()) return;
    const std::size_t cols = sample.features();
    filled_.assign(sample.rows(), 0.0);
    for (const std::size_t i : place_) {
        filled_[i] = sample.y()[i];
        y_.push_back(sample.y()[i]);
        for (std::size_t j = 0; j < cols; ++j) x_.push_back(sample.x()(i, j));
    }
    labelled_ = Sample::lend({x_.data(), place_.size(), cols, cols, true}, y_.data());
    features_ = Sample::lend(sample.x(), filled_.data());
    if (weights == nullptr) return;
    auto kept = std::make_shared<SecretVector<double>>();
    for (const std::size_t i : place_) kept->push_back((*weights)[i]);
    labelled_.weigh(std::move(kept));
    features_.weigh(weights);
}

void LabelledRows::spread(std::vector<double> &weights) const {
    if (weights.size() != place_.size() || all()) return;
    std::vector<double> of_all(sample_.rows(), 0.0);
    for (std::size_t k = 0; k < place_.size(); ++k) of_all[place_[k]] = weights[k];
    weights = std::move(of_all);
}

}  // namespace dpadapt
