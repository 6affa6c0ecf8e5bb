#include "solution/findings.hpp"

#include <cmath>

#include "loss/table.hpp"

namespace dpadapt {

namespace {

constexpr double kHardly = 0.01;  // a share that nobody would see
constexpr double kLittle = 0.1;
constexpr double kLargeEpsilon = 10.0;
constexpr double kDeviations = 3.0;  // of noise, beyond which a gradient, or a count, would show
constexpr double kMany = 0.25;       // of the records, which then have moved the coefficients

std::string percent(double share) { return to_text(std::round(1000.0 * share) / 10.0) + " %"; }

/** Of the way from the public predictor to what the noisy sums show. */
double share_of(const PrivateUse &use) {
    return use.domains == privacy::kTarget ? 1.0 - use.alpha : use.alpha;
}

bool chooses_alpha(const PrivateUse &use) {
    const bool one = use.domains == privacy::kTarget || use.domains == privacy::kSource;
    return one && use.evidence != 0.0;
}

/** Whether so many records count, whatever the noise in their number is. */
bool many_count(const PrivateUse &use) {
    return use.counted_deviation > 0.0 &&
           use.counted - kDeviations * use.counted_deviation > kMany * use.records;
}

std::string why_unused(const PrivateUse &use) {
    if (!(use.evidence >= kEnoughEvidence)) return "the noise exceeded what they show";
    return use.domains == privacy::kSource
               ? "the target's public rows are fitted better without them"
               : "noise, few rows and clips could explain what they show";
}

std::string use_in_words(const PrivateUse &use) {
    const double share = share_of(use);
    const std::string other = use.domains == privacy::kTarget ? "source" : "target";
    const bool counted = use.evidence >= kEnoughEvidence || many_count(use);
    const std::string way = " went " + percent(share) + " of the way from the " + other +
                            "'s predictor to what the noisy sums of private rows show";
    if (share < kHardly) {
        const bool untouched = share == 0.0 && !use.chose_anchor;
        return coded(untouched ? "private_rows_not_used" : "private_rows_hardly_used",
                     "The private rows were " + std::string(untouched ? "not" : "hardly") +
                         " used for the coefficients: " + why_unused(use) + "; the result is " +
                         (share == 0.0 ? "" : "nearly ") + "the " + other + "'s predictor" +
                         (use.chose_anchor ? ", one of several with more or less ridge." : "."));
    }
    // mutant: zeros_pass_for_records
    if (!counted)
        return coded("private_rows_undecided",
                     "Whether any private row counted cannot be told: the coefficients" + way +
                         ", but if no row counted, the noise alone could look like these sums.");
    const bool much = share >= kLittle;
    return coded(much ? "private_rows_used" : "private_rows_slightly_used",
                 "The private rows were " +
                     std::string(much ? "used: " : "used slightly, and most of it is noise: ") +
                     "the coefficients" + way + '.');
}

std::string labels_of(const loss::Choice &choice) {
    switch (loss::labels(choice.kind, choice.output)) {
        case loss::Labels::numbers:
            return "a finite number";
        case loss::Labels::rates:
            return choice.kind == loss::Kind::gamma ? "a finite number above 0"
                                                    : "a finite number of at least 0";
        case loss::Labels::times:
            return "a finite time above 0, or minus that without an event";
        case loss::Labels::signs:
            return "-1 or 1";
        case loss::Labels::classes:
            return "one of 0 to " + std::to_string(choice.classes - 1);
        default:
            return "one to which the loss gives a value";
    }
}

/** How many records count, if that was released and noise leaves something of it. */
std::string count_in_words(const PrivateUse &use) {
    const double within = kDeviations * use.counted_deviation;
    if (!(within > 0.0 && within < use.records))
        return "; any other is zeros, and no result tells how many are. Their custodian should "
               "count them once: ";
    const double counted = std::clamp(use.counted, 0.0, use.records);
    const bool few = use.counted + within < use.records;
    return "; any other is zeros. " + std::string(few ? "WARNING: not all do: about " : "About ") +
           to_text(std::round(counted)) + " of " + to_text(use.records) + " count (noise: within " +
           to_text(std::round(within)) + "). Their custodian can count them exactly: ";
}

/** Of a saved statement its releases alone know them. */
double private_rows(const privacy::Statement &statement) {
    const auto &entries = statement.ledger.entries();
    const privacy::ReportFacts &facts = statement.facts;
    const auto &sizes = entries.empty() ? facts.sizes : entries.back().sizes;
    const auto rows = [&](privacy::Domains domain, std::uint64_t count) {
        return (facts.domains & domain) != 0 ? static_cast<double>(count) : 0.0;
    };
    return rows(privacy::kSource, sizes.source_rows) + rows(privacy::kTarget, sizes.target_rows);
}

/** What the budget promises next to nobody. */
void warn_of_budget(const privacy::Statement &statement, std::vector<std::string> &sentences) {
    const privacy::Budget &budget = *statement.ledger.budget();
    const double n = private_rows(statement);
    if (n > 0.0 && budget.delta >= 1.0 / n)
        sentences.push_back(
            coded("delta_not_below_1_over_n",
                  "WARNING: delta = " + to_text(budget.delta) + " is not below 1/n = 1/" +
                      std::to_string(static_cast<std::uint64_t>(n)) +
                      ": the promise would allow to publish some " +
                      (statement.facts.persons ? "person" : "record") + " as it is."));
    if (budget.epsilon > kLargeEpsilon)
        sentences.push_back(coded(
            "epsilon_above_10", "WARNING: epsilon = " + to_text(budget.epsilon) +
                                    " is above 10: the promise means little to a single person."));
}

/** A mean of clipped gradients has norm 1 at most, in units of the clip. */
void warn_of_noise(const Solution &solution, std::vector<std::string> &sentences) {
    const privacy::Statement &statement = *solution.privacy.statement;
    const std::size_t numbers = loss::is_linear(solution.loss)
                                    ? solution.dimension() * solution.outputs()
                                    : solution.parameters.size();
    for (const privacy::Ledger::Entry &entry : statement.ledger.entries()) {
        const privacy::Release &release = entry.release;
        if (release.kind != privacy::ReleaseKind::gradient) continue;
        const double noise = release.scale() * std::sqrt(static_cast<double>(numbers) /
                                                         static_cast<double>(release.steps));
        if (kDeviations * noise < 1.0) continue;
        const auto rows = static_cast<std::uint64_t>(private_rows(statement));
        sentences.push_back(coded(
            "too_few_private_rows",
            "WARNING: " + std::to_string(rows) + " private " +
                (statement.facts.persons ? "person" : "record") + (rows == 1 ? " is" : "s are") +
                " too few for this epsilon and so many features: the noise hides "
                "whatever they show. dpadapt plan tells the noise for other sizes "
                "without spending anything."));
        return;
    }
}

/** Findings about public rows number the columns. */
std::string with_name(std::string finding, const std::vector<std::string> &features) {
    constexpr std::string_view kWord = ", column ";
    const std::size_t at = finding.find(kWord);
    if (at == std::string::npos) return finding;
    const std::size_t begin = at + kWord.size();
    const std::size_t size = finding.find(':', begin) - begin;
    const auto place = parse_number(std::string_view(finding).substr(begin, size));
    if (!place || !(*place < static_cast<double>(features.size()))) return finding;
    return finding.replace(at + 2, begin - at - 2 + size,
                           printable(features[static_cast<std::size_t>(*place)], ""));
}

/** Minus log probabilities and errors are those by which solutions are selected. */
void read_classes(const Solution &solution, const Sample &rows, Evaluation evaluation,
                  std::vector<RowError> &errors) {
    const auto losses = validation_losses(solution, rows, SelectionLoss::logistic, evaluation);
    const auto wrong = validation_losses(solution, rows, SelectionLoss::error, evaluation);
    const std::size_t n = rows.rows();
    for (std::size_t i = 0; i < n; ++i) {
        if (std::isnan(losses[i]) || std::isnan(wrong[i])) continue;
        errors[i].size = std::max(losses[i], 0.0);
        errors[i].wrong = wrong[i] != 0.0;
    }
    const bool times = solution.loss.kind == loss::Kind::survival;
    if (!times && !has_log_odds(solution.loss)) return;
    const std::vector<double> score = scores(solution, rows.x(), evaluation);
    for (std::size_t i = 0; times && i < n; ++i) {
        const double last = solution.loss.baseline.times.back();
        const double label = rows.y()[i];
        errors[i].score = score[i];
        errors[i].time = std::abs(label) <= last ? label : -last;
    }
    if (times) return;
    for (std::size_t i = 0; i < n; ++i) {
        if (!errors[i].size) continue;
        errors[i].log_odds = solution.outputs() == 1 ? score[i] : score[n + i] - score[i];
        errors[i].positive = rows.y()[i] > 0.0;
    }
}

void read_numbers(const Solution &solution, const Sample &rows, Evaluation evaluation,
                  std::vector<RowError> &errors) {
    const std::vector<bool> finite = finite_rows(rows);
    const auto predicted = predict(solution, rows.x(), evaluation);
    for (std::size_t i = 0; i < errors.size(); ++i) {
        const double residual = rows.y()[i] - predicted[i];
        if (!finite[i] || !std::isfinite(residual)) continue;
        errors[i].size = std::abs(residual);
        errors[i].above = residual > 0.0;
    }
}

}  // namespace

PrivateUse use_of(const Solution &solution, const privacy::ReportFacts &facts) {
    const UsedSettings &used = solution.settings;
    return {facts.domains,        facts.chose_anchor,    used.alpha,
            used.evidence,        solution.loss,         static_cast<double>(solution.target_rows),
            used.counted_records, used.counted_deviation};
}

Moved moved(const PrivateUse &use) {
    if (!chooses_alpha(use)) return Moved::unknown;
    if (share_of(use) == 0.0 && !use.chose_anchor) return Moved::no;
    return use.evidence >= kEnoughEvidence || many_count(use) ? Moved::yes : Moved::unknown;
}

std::vector<std::string> findings(const PrivateUse &use, const std::string &labels) {
    std::vector<std::string> sentences;
    if (use.domains == 0) return sentences;
    if (chooses_alpha(use)) sentences.push_back(use_in_words(use));
    sentences.push_back(
        coded("records_that_count",
              "A private record counts only if its features are finite numbers and its label is " +
                  (labels.empty() ? labels_of(use.loss) : labels) + count_in_words(use) +
                  "dpadapt inspect, inspect_private in R, Privacy.inspect in Java, "
                  "dpa_inspect_private in C."));
    return sentences;
}

std::vector<std::string> findings(const Solution &solution, const std::string &labels) {
    const PrivacyRecord &privacy = solution.privacy;
    if (privacy.statement == nullptr) return {};
    const privacy::ReportFacts &facts = privacy.statement->facts;
    const bool is_private = privacy.protection != Protection::none;
    std::vector<std::string> sentences;
    if (is_private)
        sentences =
            findings(use_of(solution, facts), labels.empty() ? solution.known_labels : labels);
    for (std::size_t k = sentences.size(); k < facts.findings.size(); ++k)
        sentences.push_back(with_name(facts.findings[k], solution.feature_names));  // of the fit
    if (!is_private) return sentences;
    warn_of_budget(*privacy.statement, sentences);
    warn_of_noise(solution, sentences);
    return sentences;
}

bool has_log_odds(const loss::Choice &choice) {
    if (!loss::predicts_classes(choice)) return false;
    return loss::scores(choice) == (loss::counts_classes(choice) ? 2 : 1);
}

std::vector<RowError> row_errors(const Solution &solution, const Sample &rows,
                                 Evaluation evaluation) {
    std::vector<RowError> errors(rows.rows());
    if (loss::has_likelihood(solution.loss))
        read_classes(solution, rows, evaluation, errors);
    else
        read_numbers(solution, rows, evaluation, errors);
    return errors;
}

Solution describe_predictor(const Preprocess &preprocess, const loss::Choice &choice,
                            const arma::vec &theta) {
    Solution solution;
    solution.loss = choice;
    solution.loss.callback = {};
    solution.loss.unit = 1.0;
    const arma::mat &whitening = preprocess.whitening();
    solution.coordinates = {{preprocess.center().begin(), preprocess.center().end()},
                            {preprocess.scale().begin(), preprocess.scale().end()},
                            {whitening.begin(), whitening.end()},
                            preprocess.has_intercept(),
                            preprocess.label_center()};
    if (!loss::is_linear(choice)) {
        solution.parameters.assign(theta.begin(), theta.end());
        const std::size_t last = loss::last_layer(choice);
        for (std::size_t k = theta.n_elem - last; k < theta.n_elem; ++k)
            solution.parameters[k] *= choice.unit;
        return solution;
    }
    const arma::uword d = preprocess.dimension();
    for (arma::uword first = 0; first < theta.n_elem; first += d) {
        const Predictor predictor = preprocess.to_user(theta.subvec(first, first + d - 1));
        solution.coefficients.insert(solution.coefficients.end(), predictor.coefficients.begin(),
                                     predictor.coefficients.end());
        solution.intercept.push_back(predictor.intercept);
    }
    return solution;
}

UsedSettings used_settings(const Hyperparameters &hyper, const Clipping &clipping,
                           std::optional<double> discrepancy) {
    UsedSettings used{hyper};
    used.discrepancy = discrepancy.value_or(std::numeric_limits<double>::quiet_NaN());
    used.feature_radius = clipping.feature_radius;
    used.label_bound = clipping.label_bound;
    return used;
}

}  // namespace dpadapt
