#include "problem/public_sample.hpp"

#include <cmath>
#include <functional>

#include "base/error.hpp"
#include "linalg/trust_region.hpp"

namespace dpadapt {

namespace {

/** Whether the mean of so many rows is that of all, whose mean square is known. */
void check_mean(double mean, double exact, double square, double rows) {
    constexpr double kMostDeviations = 8.0;
    constexpr double kRounding = 1e-6;
    const double deviation = std::sqrt(std::max(0.0, square - exact * exact));
    if (std::abs(mean - exact) * std::sqrt(rows) <=
        kMostDeviations * deviation + kRounding * std::sqrt(square))
        return;
    throw Error(DPA_E_UNSUPPORTED,
                "the source is elsewhere, and a sample of it does not stand for all of its rows, "
                "because some of them repeat too often: give it in memory, or fit the squared "
                "loss, which needs no sample");
}

double resolve(const Bound &bound, const PreparedSample &rows,
               const std::function<std::vector<double>()> &public_values) {
    if (bound.kind == Bound::Kind::absent) return std::numeric_limits<double>::infinity();
    if (bound.kind == Bound::Kind::number) return bound.value;
    return rows.quantile(public_values(), bound.value);
}

Clipping resolve_clipping(const Settings &settings, const Sample &sample, double label_center,
                          const PreparedSample &prepared) {
    const auto absolute_labels = [&] {
        std::vector<double> labels(sample.y(), sample.y() + sample.rows());
        for (double &y : labels) y = std::abs(y - label_center);
        return labels;
    };
    return {resolve(settings.feature_radius, prepared, [&] { return prepared.feature_norms(); }),
            resolve(settings.label_bound, prepared, absolute_labels)};
}

/** Sizes of the columns in units of which a ridge counts: in a basis, whose columns have no meaning
 *  of their own, all features have the same, as if they were standardized. */
arma::vec sizes(const Moments &moments, const Preprocess &preprocess) {
    arma::vec squares = moments.second.diag();
    if (!preprocess.basis().is_empty()) {
        const arma::uword columns = preprocess.basis().n_cols;
        const double total = arma::accu(squares.head(columns));
        squares.head(columns).fill(total / static_cast<double>(preprocess.features()));
    }
    return arma::sqrt(squares);
}

/** Least squares on the public rows, with a ridge that only decides where the rows do not. */
arma::vec least_squares(const Moments &moments, const Preprocess &preprocess) {
    constexpr double kRidge = 1e-10;  // docs/defaults.md
    const auto w =
        linalg::solve_scaled(moments.second, moments.cross, kRidge, sizes(moments, preprocess));
    if (!w) throw Error(DPA_E_NUMERICAL, "the least-squares fit of the public sample failed");
    return *w;
}

/** Square of twice the robust standard deviation of the residuals. */
double squared_threshold(const PreparedSample &rows, const arma::vec &fit, double label_square) {
    constexpr double kMedianToDeviation = 1.4826;  // docs/defaults.md
    constexpr double kExact = 1e-10;
    constexpr double kRounding = 1e-12;
    std::vector<double> residual(rows.rows());
    rows.residuals(fit, residual.data());
    for (double &r : residual) r = std::abs(r);
    const double scale = kMedianToDeviation * rows.quantile(std::move(residual), 0.5);
    const double threshold = 4.0 * scale * scale;
    const double square = rows.label_size() * rows.label_size();
    const bool varies = label_square > kRounding * kRounding * square;
    if (varies && threshold > kExact * label_square) return threshold;
    // An exact fit, for want of rows or of noise, has no scale of its own: the mean square of the
    // labels, of equal ones before they are centred.
    if (varies) return label_square;
    return square > 0.0 ? square : 1.0;
}

}  // namespace

PublicSample::PublicSample(const Sample &sample, const char *name, const Settings &settings,
                           Control &control, const Sample *beside, const arma::vec &known)
    : preprocess_((control.report({"preprocess"}), check_finite(sample, name, settings.threads)),
                  settings, beside),
      rows_(sample, preprocess_, settings.threads),
      clipping_(resolve_clipping(settings, sample, preprocess_.label_center(), rows_)) {
    if (settings.preprocess == PreprocessKind::none && settings.intercept)
        check_offsets(sample, settings.threads);
    rows_.clip(clipping_);
    control.report({"preprocess"});
    choose_loss(settings.loss, control);
    newton_ = uses_newton(settings.optimizer, choice_, *loss_, rows_.dimension());
    loss_rows_.emplace(rows_, *loss_, newton_);
    loss_rows_->check_labels(name, sample.has_places());
    if (choice_.kind == loss::Kind::squared) moments_ = rows_.moments();
    effective_rows_ = rows_.effective_rows();
    if (sample.population() != nullptr) see_population(*sample.population(), name);
    fit_ = known.is_empty() ? find_fit(settings.loss, control) : known;
}

/** Least squares need no row but those of the moments; other fits are made of the sample, if its
 *  means are those of all rows as far as chance allows. */
void PublicSample::see_population(const Population &population, const char *name) {
    for (const double label : {population.lowest_label(), population.highest_label()})
        loss_rows_->check_label(name, label - preprocess_.label_center());
    const bool squared = choice_.kind == loss::Kind::squared;
    if (!squared && population.is_in_memory()) return;
    WholeMoments whole = population.moments(preprocess_, clipping_);
    if (squared) {
        moments_ = std::move(whole.moments);
        effective_rows_ = static_cast<double>(population.rows());
        return;
    }
    const std::vector<double> shares = rows_.shares();
    const arma::vec means = rows_.gradient(shares.data());
    for (arma::uword j = 0; j < whole.mean.n_elem; ++j)
        check_mean(means(j), whole.mean(j), whole.moments.second(j, j), effective_rows_);
    check_mean(rows_.mean(rows_.labels()), whole.label, whole.moments.label, effective_rows_);
}

arma::vec PublicSample::find_fit(const LossSettings &settings, Control &control) const {
    if (choice_.kind == loss::Kind::squared) return least_squares(moments_, preprocess_);
    const arma::vec start = loss_->start(rows_.dimension(), settings.start_seed);
    if (choice_.kind != loss::Kind::perceptron)
        return fit_loss(*loss_rows_, start, newton_, control);
    return fit_network(*loss_rows_, start, choice_, settings.start_seed, control);
}

void PublicSample::choose_loss(const LossSettings &settings, Control &control) {
    const double mean_label = rows_.mean(rows_.labels());
    choice_ = dpadapt::choose_loss(settings, rows_.labels(), mean_label, [&] {
        const Moments moments = rows_.moments();
        return 0.5 * std::sqrt(squared_threshold(rows_, least_squares(moments, preprocess_),
                                                 moments.label));
    });
    center_rates(choice_, preprocess_);
    if (choice_.kind == loss::Kind::survival)
        choice_.baseline = baseline_hazard(rows_, choice_, control);
    const double deviation = rows_.label_deviation();
    if (choice_.kind == loss::Kind::perceptron && !loss::predicts_classes(choice_) &&
        deviation > 0.0)
        choice_.unit = deviation;
    loss_ = loss::make_loss(choice_, loss::Reading::public_records);
}

arma::vec PublicSample::ridge_fit(double ridge, Control &control) const {
    const arma::uword d = rows_.dimension();
    std::vector<double> squares = rows_.feature_norms();
    for (double &norm : squares) norm *= norm;
    const double square =  // typical, of a feature
        rows_.mean(squares) / static_cast<double>(preprocess_.features());
    arma::vec of_block(d, arma::fill::value(ridge * square));
    if (preprocess_.has_intercept()) of_block(d - 1) = 0.0;
    if (choice_.kind == loss::Kind::squared) {
        Moments moments = moments_;
        moments.second.diag() += of_block;
        return least_squares(moments, preprocess_);
    }
    const double unit = loss_->output()->largest_curvature();
    return fit_loss(*loss_rows_, fit_, newton_, control,
                    unit * arma::repmat(of_block, fit_.n_elem / d, 1));
}

double PublicSample::kappa_1() const { return squared_threshold(rows_, fit_, moments_.label); }

double PublicSample::radius() const {
    const double norm = arma::norm(fit_);
    if (!(norm > 0.0)) return 1.0;
    return choice_.kind == loss::Kind::perceptron ? norm : 2.0 * norm;
}

}  // namespace dpadapt
