#include "problem/sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "linalg/passes.hpp"

namespace dpadapt {

Sample Sample::lend(const linalg::MatrixView &x, const double *y) {
    Sample sample;
    sample.x_ = x;
    sample.y_ = y;
    return sample;
}

Sample Sample::fill(std::size_t rows, std::size_t features, bool labelled, const Write &write) {
    constexpr std::size_t kLine = 8;  // doubles of a cache line, on which the rows begin
    Sample sample;
    sample.owned_x_.resize(rows * features + kLine);
    if (labelled) sample.owned_y_.resize(rows);
    double *to = sample.owned_x_.data();
    while (reinterpret_cast<std::uintptr_t>(to) % (kLine * sizeof(double)) != 0) ++to;
    sample.x_ = {to, rows, features, features, true};
    sample.y_ = sample.owned_y_.data();
    write(to, labelled ? sample.owned_y_.data() : nullptr);
    if (!labelled) sample.forget_labels();
    return sample;
}

Sample Sample::copy(const linalg::MatrixView &x, const double *y) {
    constexpr std::size_t kTile =
        32;  // rows transposed together, so that both sides use whole cache lines
    return fill(x.rows, x.cols, y != nullptr, [&](double *to, double *labels) {
        if (y != nullptr) std::copy_n(y, x.rows, labels);
        if (x.row_major) {
            for (std::size_t i = 0; i < x.rows; ++i) std::copy_n(x.row(i), x.cols, to + i * x.cols);
            return;
        }
        for (std::size_t first = 0; first < x.rows; first += kTile) {
            const std::size_t last = std::min(x.rows, first + kTile);
            for (std::size_t j = 0; j < x.cols; ++j)
                for (std::size_t i = first; i < last; ++i) to[i * x.cols + j] = x(i, j);
        }
    });
}

Sample Sample::lend_unlabelled(const linalg::MatrixView &x) {
    Sample sample = lend(x, nullptr);
    sample.forget_labels();
    return sample;
}

void Sample::forget_labels() {
    unlabelled_ = true;
    owned_y_.assign(rows(), std::numeric_limits<double>::quiet_NaN());
    y_ = owned_y_.data();
}

Sample Sample::elsewhere(std::size_t rows, std::size_t features,
                         std::shared_ptr<RemoteRecords> remote) {
    Sample sample;
    sample.remote_ = std::move(remote);
    sample.x_ = {nullptr, rows, features, features, true};
    return sample;
}

Sample Sample::part(std::size_t begin, std::size_t end) const {
    linalg::MatrixView rows = x();
    rows.data += begin * (rows.row_major ? rows.stride : 1);
    rows.rows = end - begin;
    return lend(rows, y() + begin);
}

Sample Sample::evenly_drawn(std::size_t most) const {
    const linalg::MatrixView &from = x();
    const std::size_t taken = std::min(rows(), most);
    if (taken == rows()) return lend(from, y());
    return fill(taken, features(), true, [&](double *to, double *labels) {
        for (std::size_t k = 0; k < taken; ++k) {
            const std::size_t i = k * rows() / taken;
            for (std::size_t j = 0; j < features(); ++j) *to++ = from(i, j);
            labels[k] = y_[i];
        }
    });
}

double Sample::mean_weight() const {
    if (weights_ == nullptr) return 1.0;
    double mean = 0.0;
    for (const double weight : *weights_) mean += weight / static_cast<double>(weights_->size());
    return mean;
}

std::vector<double> Sample::relative_weights() const {
    if (weights_ == nullptr) return {};
    std::vector<double> relative(weights_->begin(), weights_->end());
    const double mean = mean_weight();
    for (double &weight : relative) weight /= mean;
    return relative;
}

const Sample &Sample::here() const {
    if (remote_ != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "rows elsewhere can only be summed, by private calls: private_domain must "
                    "name the sample, or be target if it is the source; everything else needs "
                    "rows in memory");
    return *this;
}

void refuse_unlabelled(const char *what) {
    throw Error(
        DPA_E_LABEL,
        std::string("the target has no labels, which ") + what +
            " needs; without any there are discrepancy_kind = unlabelled and the "
            "baselines source_only, dm, gdm, kmm, kliep, ulsif, rulsif, coral, private_dm and "
            "private_coral");
}

const Sample &check_labelled(const Sample &sample) {
    if (sample.unlabelled())
        throw Error(DPA_E_LABEL, "the target has no labels, which alone tell what errors are");
    return sample;
}

const Sample &check_finite(const Sample &sample, const char *name, std::size_t threads) {
    // A sum of columns finds out whether to look.
    const arma::vec sums = linalg::column_sums(sample.x(), threads);
    const bool labels = std::all_of(sample.y(), sample.y() + sample.rows(),
                                    [](double y) { return std::isfinite(y); });
    if (labels && sums.is_finite()) return sample;
    for (std::size_t i = 0; i < sample.rows(); ++i) {
        const auto complain = [&](const std::string &what, double value) {
            throw Error(DPA_E_NONFINITE, std::string(name) + " row " + std::to_string(i) + ": " +
                                             what + " must be finite, but is " + to_text(value));
        };
        if (!std::isfinite(sample.y()[i])) complain("the label", sample.y()[i]);
        for (std::size_t j = 0; j < sample.features(); ++j)
            if (!std::isfinite(sample.x()(i, j)))
                complain("column " + std::to_string(j), sample.x()(i, j));
    }
    return sample;  // finite values whose sum overflows
}

Persons::Persons(std::span<const std::int64_t> ids) : order_(ids.size()) {
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
    for (std::size_t k = 0; k < order_.size(); ++k)
        if (k == 0 || ids[order_[k]] != ids[order_[k - 1]]) first_.push_back(k);
    count_ = first_.size();
    first_.push_back(order_.size());
}

Persons Persons::elsewhere(std::size_t count) {
    Persons persons;
    persons.count_ = count;
    return persons;
}

}  // namespace dpadapt
