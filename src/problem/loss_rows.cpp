#include "problem/loss_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/control.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace dpadapt {

LossRows::LossRows(const PreparedSample &sample, const loss::Loss &loss, bool by_score)
    : sample_(sample),
      loss_(loss),
      score_(by_score ? loss.output() : nullptr),
      parameters_(loss.parameters(sample.dimension())),
      labels_(sample.labels()) {
    if (by_score) unlabelled_.emplace(sample.without_labels());
}

bool LossRows::has_passes_by_score(const loss::Loss &loss) {
    return loss.output() == &loss && loss.output()->outputs() == 1;
}

void LossRows::check_labels(const char *name, bool has_places) const {
    for (std::size_t i = 0; i < labels_.size(); ++i)
        if (!loss_.accepts(labels_[i]))
            check_label(std::string(name) + (has_places ? " row " + std::to_string(i) : ""),
                        labels_[i]);
}

void LossRows::check_label(const std::string &whose, double label) const {
    if (loss_.accepts(label)) return;
    throw Error(DPA_E_LABEL, whose + ": the loss does not accept the label " + to_text(label) +
                                 loss_.advice_on_labels());
}

loss::Units LossRows::units() const {
    const double deviation = sample_.label_deviation();
    return deviation > 0.0 ? loss_.units(deviation) : loss::Units{};
}

arma::vec LossRows::ridge() const {
    constexpr double kIntercept = 0.01;  // docs/defaults.md
    constexpr double kConstant = 1e-12;
    const loss::Units units = this->units();
    arma::vec ridges(parameters_);
    // mutant: ridge_without_a_unit
    ridges.fill(units.curvature() / sample_.count());
    const std::size_t d = sample_.dimension();
    if (loss_.output() != &loss_ && parameters_ != d) return ridges;
    const std::vector<double> shares = sample_.shares();
    arma::vec squares(d, arma::fill::zeros);
    arma::mat columns;
    for (std::size_t i = 0; i < rows(); i += columns.n_cols) {
        sample_.fill(i, std::min(i + block_rows(), rows()), columns);
        count_work(columns.n_cols, d);
        squares += arma::square(columns) * arma::vec(&shares[i], columns.n_cols);
    }
    for (double &square : squares) square = square > kConstant ? std::min(square, 1.0) : 1.0;
    if (sample_.has_intercept()) squares(d - 1) *= kIntercept;
    return ridges % arma::repmat(squares, parameters_ / d, 1);
}

std::size_t LossRows::block_rows() const {
    constexpr std::size_t kBlockDoubles = 65536;  // half a megabyte of gradients
    return std::clamp<std::size_t>(kBlockDoubles / std::max(parameters_, sample_.dimension()), 1,
                                   256);
}

void LossRows::each_block(std::size_t begin, std::size_t end, const auto &see) const {
    const std::size_t step = block_rows();
    arma::mat columns;
    for (; begin < end; begin += step) {
        const std::size_t count = std::min(step, end - begin);
        count_work(count, work_of_row());
        sample_.fill(begin, begin + count, columns);
        see(begin, loss::Block{count, sample_.dimension(), columns.memptr(), &labels_[begin]});
    }
}

void LossRows::each_chunk(const auto &see) const {
    const linalg::Chunks chunks = sample_.chunks();
    parallel_for(chunks.count(), threads(), [&](std::size_t chunk) {
        each_block(chunks.begin(chunk), chunks.end(chunk),
                   [&](std::size_t begin, const loss::Block &block) { see(chunk, begin, block); });
    });
}

void LossRows::losses(const arma::vec &theta, double *losses, double *scores) const {
    if (score_ != nullptr) {
        std::vector<double> own(scores == nullptr ? rows() : 0);
        double *score = scores == nullptr ? own.data() : scores;
        unlabelled_->residuals(theta, score);
        const linalg::Chunks chunks = sample_.chunks();
        parallel_for(chunks.count(), sample_.threads(), [&](std::size_t chunk) {
            const std::size_t begin = chunks.begin(chunk);
            const std::size_t count = chunks.end(chunk) - begin;
            count_work(count, work_of_row());
            score_->slopes(count, score + begin, labels_.data() + begin, losses + begin, nullptr);
        });
        return;
    }
    each_chunk([&](std::size_t /*chunk*/, std::size_t begin, const loss::Block &block) {
        loss_.evaluate(block, theta, {losses + begin, block.rows}, {});
    });
}

LossRows::Sums LossRows::weighted_sums(const arma::vec &theta, const double *weight, double *losses,
                                       double *scores, const Weigh &weigh) const {
    if (score_ != nullptr) {
        std::vector<double> own(scores == nullptr ? rows() : 0);
        auto sums = unlabelled_->fused(
            theta, scores == nullptr ? own.data() : scores,
            [&](std::size_t begin, std::size_t end, const double *s, double *a) {
                count_work(end - begin, work_of_row());
                score_->slopes(end - begin, s, labels_.data() + begin, losses + begin, a);
                const double value = weigh ? weigh(begin, end) : 0.0;
                for (std::size_t i = begin; i < end; ++i) a[i - begin] *= weight[i];
                return value;
            });
        return {sums.value, std::move(sums.gradient)};
    }
    arma::mat sums(parameters_, sample_.chunks().count(), arma::fill::zeros);
    std::vector<double> values(sums.n_cols);
    each_chunk([&](std::size_t chunk, std::size_t begin, const loss::Block &block) {
        loss_.add_gradients(block, theta, {losses + begin, block.rows},
                            [&](auto) {
                                if (weigh) values[chunk] += weigh(begin, begin + block.rows);
                                return weight + begin;
                            },
                            {sums.colptr(chunk), parameters_});
    });
    return {std::accumulate(values.begin(), values.end(), 0.0), arma::sum(sums, 1)};
}

arma::vec LossRows::gradient_at(const double *scores, const double *weight, double *losses) const {
    return unlabelled_->weighted([&](std::size_t begin, std::size_t end, double *a) {
        score_->slopes(end - begin, scores + begin, labels_.data() + begin, losses + begin, a);
        for (std::size_t i = begin; i < end; ++i) a[i - begin] *= weight[i];
    });
}

arma::mat LossRows::curvature(const double *scores, const double *weight,
                              const Reduce &reduce) const {
    constexpr std::size_t kBlock = 512;  // rows that stay in the nearest cache
    const std::vector<double> ones(kBlock, 1.0);
    std::vector<double> slope(kBlock);
    std::vector<double> losses(kBlock);
    std::vector<double> model(rows());
    for (std::size_t begin = 0; begin < rows(); begin += kBlock) {
        const std::size_t count = std::min(kBlock, rows() - begin);
        double *of_block = model.data() + begin;
        count_work(count, 2 * work_of_row());
        score_->curvatures(count, scores + begin, &labels_[begin], ones.data(), of_block);
        if (reduce) {
            score_->slopes(count, scores + begin, &labels_[begin], losses.data(), slope.data());
            reduce(begin, begin + count, slope.data(), of_block);
        }
        for (std::size_t i = 0; i < count; ++i) of_block[i] *= weight[begin + i];
    }
    return unlabelled_->gram(model.data());
}

arma::mat LossRows::curvature(const arma::vec &theta, const double *weight) const {
    std::vector<double> scores(rows());
    unlabelled_->residuals(theta, scores.data());
    return curvature(scores.data(), weight, {});
}

arma::vec LossRows::diagonal(const arma::vec &theta, const double *weight) const {
    constexpr double kFlat = 0.01;  // docs/defaults.md
    const loss::ScoreLoss *loss = loss_.output();
    if (loss != &loss_) return {};
    const double least = kFlat * loss->largest_curvature();
    const linalg::Chunks chunks = sample_.chunks();
    arma::mat sums(parameters_, chunks.count(), arma::fill::zeros);
    parallel_for(chunks.count(), threads(), [&](std::size_t chunk) {
        each_block(chunks.begin(chunk), chunks.end(chunk),
                   [&](std::size_t begin, const loss::Block &block) {
                       arma::mat scores(block.rows, loss->outputs());
                       arma::mat second(block.rows, loss->outputs());
                       loss->scores(block, theta, scores);
                       loss->diagonals(block.rows, scores.memptr(), block.label, second.memptr());
                       second.clamp(least, arma::datum::inf);
                       second.each_col() %= arma::vec(weight + begin, block.rows);
                       const arma::mat features(block.x, block.features, block.rows);
                       sums.col(chunk) += arma::vectorise(arma::square(features) * second);
                   });
    });
    return arma::sum(sums, 1);
}

void LossRows::each_gradient(const arma::vec &theta, const Record &see) const {
    std::vector<double> losses(block_rows());
    std::vector<double> gradients(block_rows() * parameters_);
    each_block(0, rows(), [&](std::size_t begin, const loss::Block &block) {
        loss_.evaluate(block, theta, std::span(losses).first(block.rows),
                       std::span(gradients).first(block.rows * parameters_));
        for (std::size_t i = 0; i < block.rows; ++i)
            see(begin + i, losses[i], std::span(gradients).subspan(i * parameters_, parameters_));
    });
}

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
