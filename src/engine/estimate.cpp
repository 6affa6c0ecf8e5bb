#include "engine/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "discrepancy/private_estimate.hpp"
#include "engine/public_rows.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"
#include "engine/survey.hpp"
#include "evaluate/error_bound.hpp"
#include "objective/solve.hpp"
#include "private/call.hpp"
#include "problem/quantile.hpp"
#include "problem/stray_cells.hpp"
#include "records/reader.hpp"
#include "sums/survey_sum.hpp"

namespace dpadapt::engine {

namespace {

void check_labelled_bound(const Settings &settings) {
    if (!settings.labelling_disagreement) return;
    if (settings.discrepancy_kind != DiscrepancyKind::unlabelled)
        throw Error(
            DPA_E_OPTION,
            "option labelling_disagreement needs discrepancy_kind = unlabelled: with labels "
            "there is the labelled discrepancy itself");
    if ((settings.privacy.domains & privacy::kSource) != 0)
        throw Error(
            DPA_E_UNSUPPORTED,
            "option labelling_disagreement needs a public source, whose labels it compares");
}

/** What the unlabelled discrepancy of the records is at most, with probability `confidence`. */
double most_unlabelled(const PrivateCall &call, double released) {
    const privacy::Release &release = *call.plan().find(privacy::ReleaseKind::discrepancy);
    const double confidence = std::max(0.5, call.settings().evaluation.confidence);
    const double noise =
        release.mechanism == privacy::Mechanism::gaussian
            ? evaluate::two_sided_quantile(2.0 * confidence - 1.0) * release.deviation()
            : -std::log(2.0 * (1.0 - confidence)) * release.scale();
    return std::min(released + noise, call.request().discrepancy_bound) + call.plan().tolerance +
           release.unit;
}

bool is_finite(double value) { return std::isfinite(value); }
bool is_weight(double value) { return value >= 0.0 && is_finite(value); }

[[noreturn]] void fail(const char *what) {
    throw Error(DPA_E_NUMERICAL, std::string(what) +
                                     " beyond double precision: scale the data, or "
                                     "choose less extreme options");
}

// By hand (docs/defaults.md): a sentence should be rare where nothing is wrong.
constexpr std::size_t kDrawn = 4096;
constexpr std::size_t kLeast = 20;
constexpr std::size_t kFewValues = 12;
constexpr double kOtherScale = 1.6;   // ratio of medians, and of spreads
constexpr double kSameScale = 1.3;    // of one to the other
constexpr double kOtherSpread = 5.0;  // ratio of spreads alone
constexpr double kFarMedian = 5.0;    // in spreads
constexpr double kClear = 0.1;        // correlation with the label, and 4 of its deviations
constexpr double kShare = 0.05;       // of the rows

/** The finite cells of a feature, or of the label (column_of with number = features). */
struct Column {
    std::vector<double> cells;  ///< by row, NaN included
    std::vector<double> few;    ///< its values in order, if they are few
    std::size_t rows = 0;       ///< that have a finite cell
    double median = 0.0;
    double spread = 0.0;  ///< robust deviation

    [[nodiscard]] bool is_constant() const { return few.size() == 1; }
};

Column column_of(const Sample &sample, std::size_t number) {
    constexpr double kMedianToDeviation = 1.4826;
    Column column;
    for (std::size_t i = 0; i < sample.rows(); ++i)
        column.cells.push_back(number < sample.features() ? sample.x()(i, number) : sample.y()[i]);
    std::vector<double> finite = column.cells;
    std::erase_if(finite, [](double cell) { return !std::isfinite(cell); });
    column.rows = finite.size();
    if (finite.empty()) return column;
    for (const double cell : finite) {
        const auto at = std::lower_bound(column.few.begin(), column.few.end(), cell);
        if (at == column.few.end() || *at != cell) column.few.insert(at, cell);
        if (column.few.size() > kFewValues) break;
    }
    if (column.few.size() > kFewValues) column.few.clear();
    column.median = quantile(finite, 0.5);
    for (double &cell : finite) cell = std::abs(cell - column.median);
    column.spread = kMedianToDeviation * quantile(finite, 0.5);
    if (column.spread > 0.0) return column;
    std::erase(finite, 0.0);  // mostly one value: how far the others are
    if (!finite.empty()) column.spread = quantile(std::move(finite), 0.5);
    return column;
}

bool differs(double ratio, double factor) { return !(ratio < factor && ratio > 1.0 / factor); }

std::string of_rows(std::size_t count, std::size_t rows) {
    return std::to_string(count) + " of " + std::to_string(rows) + " rows";
}

bool is_few(std::size_t count, std::size_t rows) {
    return static_cast<double>(count) < kShare * static_cast<double>(rows);
}

/** Values that the source, which has few, lacks. */
std::optional<std::string> other_values(const Column &source, const Column &target) {
    if (source.few.empty()) return {};
    std::size_t count = 0;
    double example = 0.0;
    for (const double cell : target.cells) {
        if (!std::isfinite(cell) || std::ranges::binary_search(source.few, cell)) continue;
        if (count++ == 0) example = cell;
    }
    if (count == 0 || is_few(count, target.rows)) return {};
    return of_rows(count, target.rows) + " have a value that the source does not have, such as " +
           to_text(example) + ": another coding?";
}

std::optional<std::string> other_units(const Column &source, const Column &target) {
    if (!source.is_constant() && target.is_constant() && source.few.empty())
        return "every row is " + to_text(target.median) + '.';
    if (!(source.spread > 0.0 && target.spread > 0.0)) return {};
    const double spreads = target.spread / source.spread;
    const double medians = target.median / source.median;
    const auto far_from_zero = [](const Column &column) {
        return std::abs(column.median) > column.spread;
    };
    if (far_from_zero(source) && far_from_zero(target) && differs(medians, kOtherScale) &&
        !differs(medians / spreads, kSameScale))
        return "median and spread are " + to_text(medians, 3) +
               " times those of the source: other units?";
    if (differs(spreads, kOtherSpread))
        return "the spread is " + to_text(spreads, 3) + " times that of the source: other units?";
    const double far = (target.median - source.median) / std::max(source.spread, target.spread);
    if (std::abs(far) > kFarMedian)
        return "the median is " + to_text(std::abs(far), 3) + " robust deviations " +
               (far > 0.0 ? "above" : "below") +
               " that of the source: another zero point or other units?";
    return {};
}

/** Correlation with the label over rows that have both, far cells clamped; 0 if it is not clear. */
double clear_correlation(const Column &column, const Column &label) {
    constexpr double kFarthest = 4.0;
    constexpr double kDeviations = 4.0;
    const auto near = [](const Column &of, double cell) {
        const double reach = kFarthest * of.spread;
        return reach > 0.0 ? std::clamp(cell - of.median, -reach, reach) : cell - of.median;
    };
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (std::size_t i = 0; i < column.cells.size(); ++i) {
        if (!std::isfinite(column.cells[i]) || !std::isfinite(label.cells[i])) continue;
        const double a = near(column, column.cells[i]);
        const double b = near(label, label.cells[i]);
        n += 1.0, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
    }
    const double r = (xy - x * y / n) / std::sqrt((xx - x * x / n) * (yy - y * y / n));
    return std::abs(r) > std::max(kClear, kDeviations / std::sqrt(n)) ? r : 0.0;
}

/** Of the rows that have a label, in order. */
std::vector<std::uint64_t> digests(const Sample &sample) {
    std::vector<std::uint64_t> list;
    for (std::size_t i = 0; i < sample.rows(); ++i) {
        count_work(1, sample.features());
        const std::uint64_t digest = sums::digest_of_rows(sample, i, i + 1);
        if (digest != 0) list.push_back(digest);
    }
    std::sort(list.begin(), list.end());
    return list;
}

std::size_t repeated(const std::vector<std::uint64_t> &list) {
    std::size_t count = 0;
    for (std::size_t k = 1; k < list.size(); ++k) count += list[k] == list[k - 1];
    return count;
}

/** If rows of the source hardly repeat, rows that both samples have are the same records. */
void compare_rows(const Sample &source, const Sample &target, std::vector<std::string> &found) {
    const std::vector<std::uint64_t> known = digests(source);
    const std::vector<std::uint64_t> rows = digests(target);
    if (!is_few(5 * repeated(known), source.rows())) return;
    const auto both = static_cast<std::size_t>(std::ranges::count_if(
        rows, [&](std::uint64_t row) { return std::ranges::binary_search(known, row); }));
    if (!is_few(both, target.rows()))
        found.push_back("Target: " + of_rows(both, target.rows()) + " are in the source as well.");
    if (const std::size_t twice = repeated(rows);
        target.persons() == nullptr && !is_few(twice, target.rows()))
        found.push_back("Target: " + of_rows(twice, target.rows()) +
                        " repeat another row: a person with two rows has twice the epsilon.");
}

/** Columns whose correlation with the label has the other sign in the target. */
class TurnedRound {
  public:
    void see(const std::string &name, double in_source, double in_target) {
        const double both = in_source * in_target;
        clear_ += std::abs(both);
        if (!(both < 0.0)) return;
        turned_ -= both;
        found_.push_back(name + "its correlation with the label is " + to_text(in_target, 3) +
                         " and in the source " + to_text(in_source, 3) + ": reversed coding?");
    }

    [[nodiscard]] std::vector<std::string> sentences() const {
        constexpr double kAlmostAll = 0.8;
        if (found_.size() < 2 || turned_ < kAlmostAll * clear_) return found_;
        return {
            "Target, label: in almost all columns its correlation has the opposite sign from the "
            "source: values swapped?"};
    }

  private:
    double clear_ = 0.0;
    double turned_ = 0.0;
    std::vector<std::string> found_;
};

/** What looks like a slip between two samples that are here: stray cells and other units of the
 *  target, values that the source does not have, what is correlated the other way round, rows that
 *  are in both or twice.
 *  @param numbers  Whether labels are numbers; otherwise they are signs or numbers of classes. */
std::vector<std::string> slips(const Sample &source, const Sample &target, bool numbers) {
    std::vector<std::string> found =
        StrayCells(target, numbers, &source).sentences("Target", false);
    const Sample drawn_source = source.evenly_drawn(kDrawn);
    const Sample drawn_target = target.evenly_drawn(kDrawn);
    if (std::min(drawn_source.rows(), drawn_target.rows()) < kLeast) return found;
    const auto compare = [&](const std::string &name, const Column &a, const Column &b,
                             bool has_unit) {
        std::optional<std::string> text = other_values(a, b);
        if (!text && has_unit) text = other_units(a, b);
        if (text) found.push_back(name + *text);
    };
    const std::size_t features = source.features();
    const bool labelled = !source.unlabelled() && !target.unlabelled();
    const Column before = labelled ? column_of(drawn_source, features) : Column();
    const Column now = labelled ? column_of(drawn_target, features) : Column();
    if (before.few.size() > 1 && now.is_constant())
        found.emplace_back("Target, label: every row has the same one.");
    if (labelled) compare("Target, label: ", before, now, numbers);
    TurnedRound turned;
    for (std::size_t j = 0; j < features; ++j) {
        count_work(drawn_source.rows() + drawn_target.rows(), 8);
        const std::string name = "Target, column " + std::to_string(j) + ": ";
        const Column a = column_of(drawn_source, j);
        const Column b = column_of(drawn_target, j);
        compare(name, a, b, true);
        if (labelled) turned.see(name, clear_correlation(a, before), clear_correlation(b, now));
    }
    for (std::string &sentence : turned.sentences()) found.push_back(std::move(sentence));
    compare_rows(source, target, found);
    return found;
}

void add_counts(const char *sample, const sums::Counts &found, std::vector<std::string> &lines) {
    const auto add = [&](std::uint64_t count, const char *what) {
        if (count > 0)
            lines.push_back(std::string(sample) + ": " + std::to_string(count) + " of " +
                            std::to_string(found.seen) + " records " + what);
    };
    add(found.not_finite,
        "count as zeros: a number that is not finite, or a label that has no meaning.");
    add(found.scaled, "have features beyond feature_radius, and are scaled down.");
    add(found.clamped_labels, "have a label beyond label_bound, which is clamped.");
}

}  // namespace

Estimate estimate(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    Settings settings = make_settings(values, Wanted::discrepancy);
    PrivacySettings &own = settings.privacy;
    problem.check_scores(settings.loss);
    check_labelled_bound(settings);
    check_row_weights(problem, settings, nullptr);
    const Usage::Hold hold(problem.usage, own.domains != 0);
    problem.admit(own, values, "estimate");
    problem.follow_budget(settings);
    const PublicRows rows(problem.source(), problem.target(), settings);
    const Sample &source = rows.source();
    check_survey(source);
    Estimate result{{}, own.domains, problem.ledger.id(), source.features()};
    if (own.domains == 0) {
        problem.ledger.unprotected_use().unprotected = true;
        const bool unlabelled = settings.discrepancy_kind == DiscrepancyKind::unlabelled;
        if (!rows.has_target_labels() && !unlabelled)
            refuse_unlabelled("discrepancy_kind = labelled");
        const auto prepared = std::make_unique<PreparedProblem>(source, rows.target(), settings,
                                                                control, rows.target_features());
        if (rows.has_target_labels()) choose_auto(*prepared, settings, false, control);
        result.discrepancy = estimate_discrepancy(*prepared, settings, control);
    } else {
        const auto call = std::make_unique<PrivateCall>(source, rows.target(), settings,
                                                        Wanted::discrepancy, control);
        call->charge(problem.ledger);
        result.discrepancy.value = call->release_discrepancy(nullptr);
        result.deviation = call->plan().find(privacy::ReleaseKind::discrepancy)->deviation();
        if (settings.labelling_disagreement)
            result.discrepancy.labelled =
                bound_labelled(call->problem(), settings,
                               most_unlabelled(*call, result.discrepancy.value), control);
    }
    check_finite(result.discrepancy);
    return result;
}

void check_usable(const Estimate &given, const PrivacySettings &settings,
                  const privacy::Ledger &ledger) {
    if (settings.domains == 0) return;
    if ((given.domains & settings.domains) != settings.domains)
        throw Error(DPA_E_OPTION,
                    "discrepancy must have been released privately for the same private_domain, "
                    "but was estimated without: the fit would publish it");
    if (given.ledger != ledger.id())
        throw Error(DPA_E_OPTION,
                    "discrepancy was paid from the budget of another problem: pass its "
                    "value by option discrepancy if it is about other people");
}

void check_finite(const Solution &solution, bool has_objective) {
    for (const std::vector<double> *values :
         {&solution.coefficients, &solution.intercept, &solution.parameters})
        if (!std::all_of(values->begin(), values->end(), is_finite)) fail("the predictor is");
    for (const std::vector<double> *weights : {&solution.source_weights, &solution.target_weights})
        if (!std::all_of(weights->begin(), weights->end(), is_weight)) fail("the weights are");
    if (std::isinf(solution.objective) || (has_objective && std::isnan(solution.objective)))
        fail("the objective is");
}

// An upper bound may be infinite: nobody knows one.
void check_finite(const Discrepancy &discrepancy) {
    const Predictor &maximizer = discrepancy.maximizer;
    if (!is_finite(discrepancy.value) || !is_finite(discrepancy.lower) ||
        std::isnan(discrepancy.upper) || !maximizer.coefficients.is_finite() ||
        !is_finite(maximizer.intercept))
        fail("the discrepancy is");
}

std::vector<std::string> inspect(Problem &problem, const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = make_settings(values, Wanted::fit);
    const privacy::Domains domains = settings.privacy.domains;
    const Usage::Hold hold(problem.usage, true);
    if (problem.locked())
        throw Error(DPA_E_STATE, "the problem is locked: its private records stay unseen");
    if ((domains & privacy::kTarget) != 0 && problem.target().remote() != nullptr &&
        problem.target().persons() != nullptr)
        throw Error(DPA_E_UNSUPPORTED,
                    "the target's persons are elsewhere: an inspection counts rows, and a sum "
                    "there counts persons");
    std::unique_ptr<const PrivateProblem> prepared;
    const PublicRows rows(problem.source(), problem.target(), settings);
    if (domains != 0)
        prepared =
            std::make_unique<PrivateProblem>(rows.source(), rows.target(), settings, control);
    problem.ledger.unprotected_use().inspected = true;  // with private_domain = none as well
    std::vector<std::string> lines;
    for (const privacy::Domains domain : {privacy::kSource, privacy::kTarget})
        if ((domains & domain) != 0)
            add_counts(
                domain == privacy::kSource ? "Source" : "Target",
                records::Reader(*prepared, domain).sum(records::CountTask{prepared->choice()}),
                lines);
    if (problem.source().remote() == nullptr && problem.target().remote() == nullptr)
        for (std::string &line :
             slips(problem.source(), problem.target(), has_numbers(settings.loss)))
            lines.push_back(std::move(line));
    return lines;
}

}  // namespace dpadapt::engine
