#include "objective/left_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/splitmix.hpp"
#include "linalg/smooth_minimum.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt {
namespace {

/** T^-1 b for a triangular T, into an object that exists: one made of a solve that runs out of
 *  memory would leak. */
template <typename Triangular, typename Right>
Right solved(const Triangular &t, const Right &b) {
    Right x;
    if (!arma::solve(x, t, b, arma::solve_opts::fast))
        throw Error(DPA_E_NUMERICAL, "the curvature of the source cannot be inverted");
    return x;
}

/** Rows whose squares count by their weights. */
arma::mat weighted(arma::mat z, const ColumnRows &rows) {
    for (arma::uword i = 0; i < z.n_cols && !rows.relative.empty(); ++i)
        z.col(i) *= std::sqrt(rows.repeats * rows.relative[i]);
    return z;
}

/** In coordinates u in which the prior is ||u||^2/2 and the target's mean of squares diagonal. */
class SquaredLeftOut : public LeaveOneOut {
  public:
    /** @param root  Lower triangular, of the prior's curvature. */
    SquaredLeftOut(const SourcePrior &prior, arma::mat root, const Moments &moments, double count,
                   const ColumnRows &rows)
        : center_(prior.center), root_(std::move(root)), upper_(root_.t()), count_(count) {
        const arma::mat z = solved(arma::trimatl(root_), rows.z);
        residual_ = rows.z.t() * center_ - arma::vec(rows.label);
        if (rows.z.n_cols < rows.z.n_rows &&
            rows.repeats * static_cast<double>(rows.z.n_cols) == count) {
            diagonalize_few(weighted(z, rows));
        } else {
            diagonalize(moments);
        }
        features_ = vectors_.t() * z;
        for (arma::uword i = 0; i < residual_.n_elem; ++i)
            weight_.push_back(rows.repeats * rows.weight(i));
        const arma::vec cross = moments.cross - moments.second * center_;
        slopes_ = 2.0 * vectors_.t() * solved(arma::trimatl(root_), cross);
    }

    LeftOut at(double s) override {
        const arma::vec inverse = 1.0 / (values_ + s / count_);
        const arma::vec u = inverse % slopes_;
        const arma::vec moved = features_.t() * u;
        LeftOut result;
        result.theta = center_ + solved(arma::trimatu(upper_), arma::vec(vectors_ * u));
        result.losses.resize(residual_.n_elem);
        if (!of_rows_.values.is_empty()) {
            const arma::vec shrunk = 1.0 / (of_rows_.values + s / count_);
            const arma::mat &v = of_rows_.vectors;
            const arma::vec residual =
                v * (shrunk % (v.t() * (residual_ % arma::sqrt(arma::vec(weight_)))));
            const arma::vec left_out = residual / (arma::square(v) * shrunk);
            for (arma::uword i = 0; i < residual_.n_elem; ++i)
                if (weight_[i] > 0.0) result.losses[i] = left_out(i) * left_out(i) / weight_[i];
            return result;
        }
        for (arma::uword i = 0; i < residual_.n_elem; ++i) {
            const double leverage = values_.is_empty()  // all rows are zero
                                        ? 0.0
                                        : 2.0 / count_ * weight_[i] *
                                              arma::dot(inverse, arma::square(features_.col(i)));
            const double left_out = (residual_(i) + moved(i)) / std::max(1.0 - leverage, kLeast);
            result.losses[i] = left_out * left_out;
        }
        return result;
    }

  private:
    static constexpr double kLeast = 1e-9;  // of 1 - leverage

    void diagonalize(const Moments &moments) {
        const arma::mat half = solved(arma::trimatl(root_), arma::mat(2.0 * moments.second));
        const arma::mat whole = solved(arma::trimatl(root_), arma::mat(half.t()));
        linalg::Spectrum spectrum = linalg::decompose(0.5 * (whole + whole.t()));
        values_ = arma::clamp(spectrum.values, 0.0, arma::datum::inf);
        vectors_ = std::move(spectrum.vectors);
    }

    /** For fewer rows than columns, all in memory: by the rows' own products, so that left-out
     *  losses need no difference of nearly equal numbers. */
    void diagonalize_few(const arma::mat &z) {
        constexpr double kRounding = 1e-12;
        of_rows_ = linalg::decompose(2.0 / count_ * (z.t() * z));
        of_rows_.values = arma::clamp(of_rows_.values, 0.0, arma::datum::inf);
        const arma::uvec some = arma::find(of_rows_.values > kRounding * of_rows_.values.max());
        values_ = of_rows_.values(some);
        vectors_ = z * of_rows_.vectors.cols(some);
        vectors_.each_row() %= arma::sqrt(2.0 / (count_ * values_)).t();
    }

    arma::vec center_;
    arma::mat root_;
    arma::mat upper_;  ///< its transpose
    double count_;
    arma::vec residual_;  ///< at the center
    std::vector<double> weight_;
    linalg::Spectrum of_rows_;  ///< of their products, where they are few
    arma::vec values_;
    arma::mat vectors_;
    arma::mat features_;
    arma::vec slopes_;
};

/** The mean loss of some rows plus a quadratic function. */
class QuadraticAndLoss : public linalg::SmoothFunction {
  public:
    /** @param offset  Of the scores. Where it is given no ball ends the fit, and the prior is
     *                 ||w||^2/2. */
    QuadraticAndLoss(const SourcePrior &prior, const loss::ScoreLoss &loss, const ColumnRows &rows,
                     arma::vec offset)
        : prior_(prior),
          loss_(loss),
          rows_(rows),
          offset_(std::move(offset)),
          losses_(rows.label.size()),
          slopes_(rows.label.size()),
          curvatures_(rows.label.size()),
          ones_(rows.label.size(), 1.0) {}

    void set_share(double share) { share_ = share; }

    double evaluate(const arma::vec &theta, arma::vec &gradient) override {
        const auto n = static_cast<double>(losses_.size());
        const arma::vec away = theta - prior_.center;
        const arma::vec pull = share_ * prior_.curvature * away;
        read(theta);
        for (std::size_t i = 0; i < slopes_.size(); ++i) slopes_[i] *= rows_.weight(i);
        gradient = pull + rows_.z * arma::vec(slopes_.data(), slopes_.size(), false) / n;
        return 0.5 * arma::dot(pull, away) + rows_.mean(losses_);
    }

    arma::mat curvature(const arma::vec &theta) override {
        scores_ = scores(theta);
        loss_.curvatures(curvatures_.size(), scores_.memptr(), rows_.label.data(), ones_.data(),
                         curvatures_.data());
        arma::mat weighted = rows_.z;
        for (arma::uword i = 0; i < weighted.n_cols; ++i)
            weighted.col(i) *=
                rows_.weight(i) * curvatures_[i] / static_cast<double>(curvatures_.size());
        return share_ * prior_.curvature + weighted * rows_.z.t();
    }

    /** From the prior's center the minimum is not farther, if the prior is ||w||^2/2 and the loss
     *  convex. */
    [[nodiscard]] double farthest() {
        arma::vec gradient;
        evaluate(prior_.center, gradient);
        return std::max(arma::norm(gradient) / share_, std::numeric_limits<double>::min());
    }

    /** The losses of rows left out of the fit theta. */
    std::vector<double> left_out(const arma::vec &theta) {
        constexpr double kLeast = 1e-6;
        const auto n = static_cast<double>(losses_.size());
        const arma::mat h = curvature(theta);
        arma::mat root, inverse, rest;
        if (!arma::chol(root, h, "lower") ||
            !arma::solve(inverse, arma::trimatl(root), arma::mat(arma::size(h), arma::fill::eye),
                         arma::solve_opts::no_approx))
            return {};
        const arma::mat of_rows = inverse * rows_.z;
        arma::vec to_minimum(losses_.size(), arma::fill::zeros);
        if (!offset_.is_empty()) {
            arma::vec gradient;
            evaluate(theta, gradient);
            to_minimum = of_rows.t() * (inverse * gradient);
            if (!arma::inv_sympd(rest, over_prior())) return {};
        }
        read(theta);
        for (arma::uword i = 0; i < scores_.n_elem; ++i) {
            const double g = rows_.weight(i) * arma::dot(of_rows.col(i), of_rows.col(i)) / n;
            scores_(i) +=
                (g * slopes_[i] - to_minimum(i)) /
                (rest.is_empty() ? std::max(1.0 - g * curvatures_[i], kLeast) : rest(i, i));
        }
        std::vector<double> losses(losses_.size());
        loss_.slopes(losses.size(), scores_.memptr(), rows_.label.data(), losses.data(), nullptr);
        return losses;
    }

  private:
    [[nodiscard]] arma::vec scores(const arma::vec &theta) const {
        const arma::vec of_rows = rows_.z.t() * theta;
        return offset_.is_empty() ? of_rows : arma::vec(of_rows + offset_);
    }

    /** The inverse has 1 - leverage on its diagonal, also where that is nearly nothing. */
    [[nodiscard]] arma::mat over_prior() const {
        arma::mat z = rows_.z;
        for (arma::uword i = 0; i < z.n_cols; ++i)
            z.col(i) *= std::sqrt(rows_.weight(i) * curvatures_[i] /
                                  (share_ * static_cast<double>(curvatures_.size())));
        return arma::mat(z.n_cols, z.n_cols, arma::fill::eye) + z.t() * z;
    }

    void read(const arma::vec &theta) {
        scores_ = scores(theta);
        loss_.slopes(losses_.size(), scores_.memptr(), rows_.label.data(), losses_.data(),
                     slopes_.data());
    }

    const SourcePrior &prior_;
    const loss::ScoreLoss &loss_;
    const ColumnRows &rows_;
    arma::vec offset_;
    double share_ = 0.0;
    arma::vec scores_;
    std::vector<double> losses_;
    std::vector<double> slopes_;
    std::vector<double> curvatures_;
    std::vector<double> ones_;
};

class NewtonLeftOut : public LeaveOneOut {
  public:
    NewtonLeftOut(SourcePrior prior, const loss::ScoreLoss &loss, const ColumnRows &rows,
                  double radius, arma::vec offset = {})
        : prior_(std::move(prior)),
          function_(prior_, loss, rows, std::move(offset)),
          radius_(radius),
          count_(rows.repeats * static_cast<double>(rows.label.size())),
          start_(prior_.center) {}

    LeftOut at(double s) override {
        constexpr double kTolerance = 1e-6;
        constexpr std::size_t kMostIterations = 50;
        function_.set_share(s / count_);
        const double radius = std::isfinite(radius_) ? radius_ : function_.farthest();
        if (!std::isfinite(radius)) return {start_, {}};
        start_ =
            linalg::minimize_smooth(function_, start_, {radius, kTolerance, kMostIterations}).x;
        return {start_, function_.left_out(start_)};
    }

  private:
    SourcePrior prior_;
    QuadraticAndLoss function_;
    double radius_;
    double count_;
    arma::vec start_;
};

/** Of fewer rows than columns: a fit leaves the prior's center in their span only, and follows them
 *  so closely that it takes coordinates in which the prior is ||v||^2/2 to tell what is left. */
class SpanLeftOut : public LeaveOneOut {
  public:
    /** @param root  Lower triangular, of the prior's curvature. */
    SpanLeftOut(const SourcePrior &prior, const arma::mat &root, const loss::ScoreLoss &loss,
                const ColumnRows &rows)
        : center_(prior.center), rows_(rows) {
        arma::mat units;
        if (!arma::qr_econ(units, rows_.z, solved(arma::trimatl(root), rows.z)))
            throw Error(DPA_E_NUMERICAL, "the rows of the target have no span");
        basis_ = solved(arma::trimatu(root.t()), units);
        const arma::uword n = rows_.z.n_rows;
        in_span_ = std::make_unique<NewtonLeftOut>(
            SourcePrior{arma::eye(n, n), arma::vec(n, arma::fill::zeros)}, loss, rows_,
            arma::datum::inf, rows.z.t() * center_);
    }

    LeftOut at(double s) override {
        LeftOut fit = in_span_->at(s);
        fit.theta = center_ + basis_ * fit.theta;
        return fit;
    }

  private:
    arma::vec center_;
    ColumnRows rows_;  ///< in the span
    arma::mat basis_;
    std::unique_ptr<NewtonLeftOut> in_span_;
};

}  // namespace

SourcePrior source_prior(const PublicSample &source, double ridge, const arma::vec &around) {
    constexpr double kDefinite = 1e-10;  // of a diagonal element
    constexpr double kLeast = 1e-14;     // of the largest
    const LossRows &rows = source.loss_rows();
    const std::vector<double> weight = source.rows().shares();
    const bool squared = source.choice().kind == loss::Kind::squared;
    arma::mat h =
        squared ? arma::mat(2.0 * source.moments().second) : rows.curvature(around, weight.data());
    const arma::vec of_rows = squared ? arma::vec(h.n_rows, arma::fill::zeros) : rows.ridge();
    h.diag() += of_rows;
    arma::vec slope = h * (squared ? source.fit() : around);
    if (!squared) {
        std::vector<double> losses(rows.rows());
        slope -= rows.gradient(around, weight.data(), losses.data()) + of_rows % around;
    }
    const Preprocess &preprocess = source.preprocess();
    const std::size_t columns = preprocess.features() + (preprocess.has_intercept() ? 1 : 0);
    const double mean = arma::trace(h) / static_cast<double>(columns);
    const double least = kLeast * h.diag().max();
    h.diag() += arma::clamp(kDefinite * h.diag(), least, arma::datum::inf) + ridge * mean;
    const auto center = linalg::solve_scaled(h, slope, 0.0);
    return {std::move(h), center ? *center : source.fit()};
}

std::optional<DistinctRows> copies(const arma::mat &z, const std::vector<double> &label) {
    DistinctRows distinct(z);
    if (distinct.size() == label.size()) return {};
    std::vector<double> known(distinct.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < label.size(); ++i) {
        double &of_point = known[distinct.point[i]];
        if (std::isnan(of_point)) of_point = label[i];
        if (of_point != label[i]) return {};
    }
    return distinct;
}

namespace {

ColumnRows without_copies(ColumnRows rows) {
    const auto distinct = copies(rows.z, rows.label);
    if (!distinct) return rows;
    ColumnRows few{distinct->columns, std::vector<double>(distinct->size()),
                   std::vector<double>(distinct->size(), 0.0),
                   static_cast<double>(rows.label.size()) / static_cast<double>(distinct->size())};
    for (std::size_t i = 0; i < rows.label.size(); ++i) {
        few.label[distinct->point[i]] = rows.label[i];
        few.relative[distinct->point[i]] += rows.weight(i) / few.repeats;
    }
    return few;
}

}  // namespace

ColumnRows some_rows(const PreparedSample &sample, std::uint64_t seed, std::size_t most) {
    ColumnRows rows;
    const std::vector<double> labels = sample.labels();
    if (sample.rows() <= most) {
        sample.fill(0, sample.rows(), rows.z);
        rows.label = labels;
        rows.relative = sample.relative();
        return without_copies(std::move(rows));
    }
    rows.z.set_size(sample.dimension(), most);
    arma::mat column;
    for (const std::size_t i : SplitMix64(seed).draw(sample.rows(), most)) {
        sample.fill(i, i + 1, column);
        rows.z.col(rows.label.size()) = column;
        rows.label.push_back(labels[i]);
        if (!sample.relative().empty()) rows.relative.push_back(sample.relative()[i]);
    }
    if (rows.relative.empty()) return rows;
    const double mean = arma::mean(arma::vec(rows.relative));
    for (double &weight : rows.relative) weight /= mean;
    return rows;
}

double ColumnRows::mean(const std::vector<double> &losses) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < losses.size(); ++i) sum += weight(i) * losses[i];
    return sum / static_cast<double>(losses.size());
}

std::unique_ptr<LeaveOneOut> left_out_squared(const SourcePrior &prior, const Moments &moments,
                                              double count, const ColumnRows &rows) {
    arma::mat root;
    if (!arma::chol(root, prior.curvature, "lower")) return nullptr;
    return std::make_unique<SquaredLeftOut>(prior, std::move(root), moments, count, rows);
}

std::unique_ptr<LeaveOneOut> left_out_newton(SourcePrior prior, const loss::ScoreLoss &loss,
                                             const ColumnRows &rows, double radius) {
    arma::mat root;
    if (rows.z.n_cols < rows.z.n_rows && arma::chol(root, prior.curvature, "lower"))
        return std::make_unique<SpanLeftOut>(prior, root, loss, rows);
    return std::make_unique<NewtonLeftOut>(std::move(prior), loss, rows, radius);
}

void LeftOutChoice::add(double preference, double mean, const std::vector<double> &losses) {
    tried_.push_back({preference, mean, {losses.begin(), losses.end()}});
}

/** Without the few rows whose losses differ most, either way: they shall not decide alone. */
bool LeftOutChoice::is_within_chance(const Tried &other, const Tried &least) const {
    constexpr double kChance = 4.0;     // docs/defaults.md
    constexpr double kFewRows = 0.002;  // of all; docs/defaults.md
    std::vector<double> differences(least.losses.size());
    for (std::size_t i = 0; i < differences.size(); ++i)
        differences[i] =
            static_cast<double>(other.losses[i]) - static_cast<double>(least.losses[i]);
    const auto n = static_cast<double>(differences.size());
    const double all = std::accumulate(differences.begin(), differences.end(), 0.0) / n;
    if (!std::isfinite(all)) return false;  // beyond floats
    const auto few = static_cast<std::ptrdiff_t>(kFewRows * n);
    const auto first = differences.begin() + few;
    const auto last = differences.end() - few;
    std::nth_element(differences.begin(), first, differences.end());
    std::nth_element(first, last - 1, differences.end());
    const double mean = std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
    double square = 0.0;
    for (auto d = first; d != last; ++d) square += (*d - mean) * (*d - mean) / n;
    const double deviation = std::sqrt(square);
    const double chance =
        standard_errors_ ? *standard_errors_ * deviation / std::sqrt(n) : kChance * deviation / n;
    return other.mean - least.mean + mean - all <= chance;
}

std::optional<std::size_t> LeftOutChoice::operator()() const {
    constexpr double kRounding = 1e-9;
    if (tried_.empty()) return {};
    std::size_t best = 0;
    for (std::size_t k = 1; k < tried_.size(); ++k)
        if (tried_[k].mean < (1.0 - kRounding) * tried_[best].mean) best = k;
    const Tried &least = tried_[best];
    std::size_t chosen = best;
    for (std::size_t k = 0; k < tried_.size(); ++k) {
        const Tried &other = tried_[k];
        const Tried &now = tried_[chosen];
        if (other.preference < now.preference ||
            (other.preference == now.preference && !(other.mean < now.mean)))
            continue;
        if (is_within_chance(other, least)) chosen = k;
    }
    return chosen;
}

}  // namespace dpadapt
