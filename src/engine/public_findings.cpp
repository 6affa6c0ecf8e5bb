#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/control.hpp"
#include "base/text.hpp"
#include "engine/public_rows.hpp"
#include "linalg/gram.hpp"
#include "linalg/passes.hpp"
#include "loss/poisson.hpp"
#include "solution/predict.hpp"

namespace dpadapt::engine {

namespace {

constexpr std::size_t kMostDrawn = 2000;
constexpr std::size_t kMostFeatures = 200;
constexpr std::size_t kMostSentences = 10;
constexpr double kNothingLeft = 1e-7;  // of a column's norm, by rounding
constexpr double kLittleLeft = 0.002;  // of it; docs/defaults.md

/** Labels, or NaN where a row has none. */
arma::vec labels_of(const Sample &sample) {
    return sample.unlabelled() ? arma::vec(sample.rows(), arma::fill::value(arma::datum::nan))
                               : arma::vec(sample.y(), sample.rows());
}

/** Numbers that are classes to others, and those that are one number. */
void tell_of_few_values(const arma::vec &y, const std::string &name,
                        std::vector<std::string> &found) {
    std::vector<double> values;
    for (const double label : y) {
        if (std::isnan(label) || std::ranges::count(values, label) > 0) continue;
        if (values.size() == 2) return;
        values.push_back(label);
    }
    if (values.size() == 1)
        found.push_back(coded("constant_label", name + ": every label is " + to_text(values[0]) +
                                                    ", so the columns explain nothing of it."));
    if (values.size() != 2) return;
    std::ranges::sort(values);
    found.push_back(
        coded("two_values_as_numbers",
              "The labels have two values, " + to_text(values[0]) + " and " + to_text(values[1]) +
                  ", and are treated as numbers: loss = logistic (family = binomial in R) "
                  "treats them as classes."));
}

/** A class of which private rows, and the public ones, may tell little. */
void tell_of_rare_class(const arma::vec &y, std::vector<std::string> &found) {
    constexpr double kRare = 0.04;  // of a class's equal share; docs/defaults.md
    std::map<double, std::size_t> counts;
    for (const double label : y) ++counts[label];
    const std::size_t least = std::ranges::min_element(counts, {}, [](const auto &entry) {
                                  return entry.second;
                              })->second;
    const auto classes = static_cast<double>(counts.size());
    if (static_cast<double>(least) * classes > kRare * static_cast<double>(y.n_elem)) return;
    found.push_back(
        coded("rare_class", "Public source: the rarest class has " + std::to_string(least) +
                                " of " + std::to_string(y.n_elem) +
                                " labels. With so few a private fit can be a little worse than the "
                                "source's: more public rows help."));
}

/** Subtracts a column's projection on unit vectors, twice if that was most of it (rounding), and
 *  scales the rest to norm 1 unless it is 0.
 *  @return the share of the column that is left. */
double take_known(const arma::mat &units, arma::vec &column) {
    const double before = arma::norm(column);
    const auto take_out = [&] {
        column -= units * (units.t() * column);
        return arma::norm(column);
    };
    double left = take_out();
    if (left < 0.5 * before) left = take_out();
    if (!(left > kNothingLeft * before)) return 0.0;
    column /= left;
    return left / before;
}

bool is_constant(const Sample &rows, std::size_t column) {
    const linalg::MatrixView &x = rows.x();
    for (std::size_t i = 1; i < rows.rows(); ++i)
        if (x(i, column) != x(0, column)) return false;
    return true;
}

/** How columns are looked at. */
struct ColumnsSeen {
    std::string name;  ///< of the sample
    bool centered;
    double little;  ///< share of a column that earlier ones do not tell, which is little
};

/** Findings about columns that are constant, equal the label, or follow from earlier columns.
 *  @param all  The sample that `rows` come from, which may have values that `rows` lack. */
std::vector<std::string> tell_of_columns(const Sample &rows, const Sample &all,
                                         const ColumnsSeen &seen) {
    std::vector<std::string> found;
    const std::size_t n = rows.rows();
    const linalg::MatrixView &x = rows.x();
    const auto tell = [&](const char *code, const std::string &sentence) {
        found.push_back(coded(code, sentence));
    };
    const auto centered = [&](arma::vec column) {
        if (seen.centered) column -= arma::mean(column);
        return column;
    };
    arma::vec label = centered(labels_of(rows));
    const double label_norm = arma::norm(label);
    arma::mat units(n, rows.features());
    std::size_t known = 0;
    for (std::size_t j = 0; j < rows.features() && found.size() < kMostSentences; ++j) {
        count_work(n, 4 * known);
        arma::vec column(n);
        for (std::size_t i = 0; i < n; ++i) column[i] = x(i, j);
        const std::string here = seen.name + ", column " + std::to_string(j) + ": ";
        const double first = column[0];
        if (column.min() == column.max()) {
            if (is_constant(all, j))
                tell("constant_column", here + "every row has " + to_text(first) +
                                            ", so its coefficient cannot be estimated.");
            continue;
        }
        column = centered(std::move(column));
        const double share = arma::dot(column, label) / (arma::norm(column) * label_norm);
        if (rows.features() > 1 && std::abs(share) > 1.0 - kNothingLeft)
            tell("column_equals_label",
                 "WARNING: " + here +
                     "it equals the label up to a unit, so it is unknown wherever the label is.");
        const double left = take_known(arma::mat(units.memptr(), n, known, false, true), column);
        if (left > 0.0) units.col(known++) = column;
        if (left == 0.0)
            tell("dependent_column",
                 here +
                     "it is a linear combination of earlier columns, so these rows do not "
                     "determine their coefficients.");
        else if (left < seen.little)
            tell("nearly_dependent_column",
                 here +
                     "it is nearly a linear combination of earlier columns. Where that does not "
                     "hold in the other domain, leave one of them out.");
    }
    return found;
}

/** Whether correlations tell quickly, as nearly always, that no column has to be told of. */
bool are_apart(const Sample &rows, bool centered) {
    constexpr double kVaries = 1e-12;  // of a column's mean square
    constexpr double kApart = 0.01;    // of its square
    const auto n = static_cast<double>(rows.rows());
    const arma::uword d = rows.features();
    const arma::vec label = labels_of(rows);
    linalg::AffineRows columns = linalg::AffineRows::plain(rows.x(), label.memptr());
    const arma::vec means = linalg::column_sums(rows.x(), 1) / n;
    const arma::vec squares = linalg::column_squares(rows.x(), means, 1);
    if (!arma::all(squares > kVaries * n * arma::square(means))) return false;
    if (centered) {
        columns.center = means;
        columns.label_center = arma::mean(label);
    }
    arma::mat correlation = linalg::weighted_gram(columns, nullptr, true);
    const arma::vec sizes = arma::sqrt(correlation.diag());
    correlation /= sizes * sizes.t();
    if (arma::any(arma::abs(correlation.col(d).head(d)) > 1.0 - kApart)) return false;
    arma::mat factor;
    return arma::chol(factor, correlation.submat(0, 0, arma::size(d, d))) &&
           arma::all(arma::square(factor.diag()) > kApart);
}

/** A look at few rows first: what it finds has to be so of many. */
std::vector<std::string> tell_of_columns(const Sample &all, const ColumnsSeen &seen) {
    constexpr double kMostWork = 4e8;    // rows times columns squared
    constexpr double kMostRows = 65536;  // for memory
    const Sample few = all.evenly_drawn(kMostDrawn);
    if (few.features() >= std::min(kMostFeatures, few.rows())) return {};
    if (are_apart(few, seen.centered)) return {};
    std::vector<std::string> found = tell_of_columns(few, all, seen);
    if (found.empty() || few.rows() == all.rows()) return found;
    const double columns = static_cast<double>(std::max<std::size_t>(all.features(), 1));
    const auto many = static_cast<std::size_t>(std::min(kMostRows, kMostWork / columns / columns));
    return tell_of_columns(all.evenly_drawn(many), all, seen);
}

/** Where a public source, or the sizes, make a fit of a private target weak. */
void tell_of_few(const Sample &source, const Sample &target, const Settings &settings,
                 std::vector<std::string> &found) {
    constexpr double kFew = 600.0;  // records times epsilon; docs/defaults.md
    const arma::vec all = labels_of(source);
    const arma::vec y = all.elem(arma::find_finite(all));
    if (y.n_elem < 2 * source.features())
        found.push_back(coded("few_public_rows",
                              "Public source: few rows with labels (" + std::to_string(y.n_elem) +
                                  ") for " + std::to_string(source.features()) +
                                  " columns. With two a column, or fewer columns, errors are "
                                  "smaller."));
    const bool network = settings.loss.kind == loss::Kind::perceptron;
    const loss::Kind output = network ? settings.loss.output : settings.loss.kind;
    if (output == loss::Kind::logistic || output == loss::Kind::softmax)
        tell_of_rare_class(y, found);
    if (network && output == loss::Kind::squared &&
        static_cast<double>(target.units()) * settings.privacy.epsilon.value_or(kFew) < kFew)
        found.push_back(coded("small_network",
                              "A network of numbers needs more private records, or a larger "
                              "epsilon: here the linear fit has had the smaller error."));
}

}  // namespace

std::vector<std::string> PublicRows::findings(const Settings &settings,
                                              const Solution &solution) const {
    std::vector<std::string> found = findings_;
    found.insert(found.begin(), settings.unread.begin(), settings.unread.end());
    // mutant: public_findings_of_private_rows
    const bool of_source = (settings.privacy.domains & privacy::kSource) == 0;
    if (!of_source && (settings.privacy.domains & privacy::kTarget) != 0) return found;
    const Sample &rows = of_source ? whole_source() : whole_target();
    if (rows.remote() != nullptr || rows.population() != nullptr) return found;
    const std::string name = of_source ? "Public source" : "Public target";
    const arma::vec y = labels_of(rows);
    const bool numbers = has_numbers(settings.loss);
    if (numbers) tell_of_few_values(y, name, found);
    const bool of_fit = is_private_fit_ && settings.privacy.domains == privacy::kTarget;
    if (of_fit) tell_of_few(rows, whole_target(), settings, found);
    const bool whitens = settings.preprocess == PreprocessKind::whiten;
    const ColumnsSeen seen{name, settings.intercept || settings.preprocess != PreprocessKind::none,
                           of_fit && !whitens ? kLittleLeft : 0.0};
    for (std::string &sentence : tell_of_columns(rows, seen)) found.push_back(std::move(sentence));
    const auto of_all = [&](std::size_t count) {
        return std::to_string(count) + " of " + std::to_string(rows.rows());
    };
    if (solution.loss.kind == loss::Kind::poisson) {
        const double end = loss::Poisson::kMostTypical * solution.loss.typical_label;
        if (const auto beyond = static_cast<std::size_t>(arma::accu(y > end)); beyond > 0)
            found.push_back(coded("rates_beyond_link",
                                  name + ": " + of_all(beyond) + " labels are above " +
                                      to_text(end) +
                                      ", from where on rates do not grow by the log link: a larger "
                                      "typical_label moves that end."));
    }
    if (!numbers || !std::isfinite(solution.settings.prediction_highest)) return found;
    const std::size_t work = 4 * rows.features();  // of a row that is predicted
    count_work(rows.rows(), work);
    const arma::vec kept = predict(solution, rows.x(), Evaluation::in_blocks);
    Solution open = predictor_of(solution);
    open.settings.prediction_lowest = -std::numeric_limits<double>::infinity();
    open.settings.prediction_highest = std::numeric_limits<double>::infinity();
    count_work(rows.rows(), work);
    const arma::vec all = predict(open, rows.x(), Evaluation::in_blocks);
    const UsedSettings &used = solution.settings;
    const auto ended = static_cast<std::size_t>(arma::accu(all != kept));
    if (ended > 0)
        found.push_back(
            coded("predictions_at_range",
                  name + ": " + of_all(ended) + " predictions end at the range of labels, " +
                      to_text(used.prediction_lowest) + " to " + to_text(used.prediction_highest) +
                      ": prediction_range = none leaves them as they are."));
    return found;
}

}  // namespace dpadapt::engine
