#include "engine/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "base/text.hpp"
#include "engine/fit.hpp"
#include "engine/settings.hpp"
#include "privacy/accountant.hpp"
#include "select/private_selection.hpp"
#include "solution/predict.hpp"

namespace dpadapt::engine {
namespace {

constexpr double kEpsilons[] = {0.5, 1.0, 4.0, 10.0};  // where the options have none
constexpr double kEpsilon = 1.0;
constexpr double kDelta = 1e-6;
constexpr double kShift = 1.0;                        // of the sentence, if there is one
constexpr double kSizes[] = {0.1, 1.0, 10.0, 100.0};  // in units of the target's rows
constexpr std::size_t kAsked = 1;                     // of them
constexpr std::size_t kRepeatsOfOthers = 3;

constexpr double kBeaten = 0.99;  // of the source's error; what is nearer is as good

constexpr std::pair<SelectionLoss, const char *> kWords[] = {{SelectionLoss::squared, "squared"},
                                                             {SelectionLoss::logistic, "logistic"},
                                                             {SelectionLoss::error, "error"},
                                                             {SelectionLoss::pinball, "pinball"}};

bool is_set(const OptionValues &values, Option option) { return values[option].word.empty(); }

/** Of a fit that protects nobody. */
OptionValues without_privacy(OptionValues values) {
    for (const Option option : {Option::epsilon, Option::delta, Option::selection_epsilon})
        values.parse(option, "unset");
    values.set_word(Option::private_domain, "none");
    values.set_word(Option::method, "profile");
    return values;
}

/** Simulated records have no weights. */
OptionValues without_weights(OptionValues values) {
    if (!is_set(values, Option::row_weight_bound)) return values;
    values.set_word(Option::row_weight_bound, "none");
    values.set_word(Option::labelled_share, "auto");
    return values;
}

/** Says how far the whole has come, whatever a fit in it says. */
class Steps : public Control {
  public:
    Steps(Control &outer, std::size_t fits) : outer_(outer), fits_(fits) {}
    void report(const Progress & /*progress*/) override {
        outer_.report({"forecast", std::min(done_, fits_), fits_});
    }
    void pause() override { outer_.pause(); }
    void count() { ++done_; }

  private:
    Control &outer_;
    std::size_t fits_;
    std::size_t done_ = 0;
};

/** The epsilon at which `most` rows, the most that are drawn, have the error that n rows have at
 *  `epsilon`: it makes the noise of the means equal. */
double equivalent_epsilon(double epsilon, double delta, double n, double most) {
    constexpr double kMostMu = 25.0;  // nearly no noise, and within the accountant's range
    if (n <= most) return epsilon;
    const double mu = privacy::mu(epsilon, delta, {});
    return std::max(
        epsilon, privacy::epsilon(delta, {.mu = std::max(mu, std::min(mu * n / most, kMostMu))}));
}

Errors summary(const std::vector<double> &errors) {
    Errors result{0.0, errors.front(), errors.front()};
    for (const double error : errors) {
        result.mean += error / static_cast<double>(errors.size());
        result.lower = std::min(result.lower, error);
        result.upper = std::max(result.upper, error);
    }
    return result;
}

class Forecaster {
  public:
    Forecaster(const Sample &source, std::size_t target_rows, const OptionValues &values,
               Control &control)
        : rows_(source),
          values_(with_budget(values)),
          open_(without_privacy(values)),
          settings_(make_settings(values_, Wanted::fit)),
          shifts_(settings_.forecast_shifts),
          epsilons_(is_set(values, Option::epsilon)
                        ? std::vector{values[Option::epsilon].number}
                        : std::vector(std::begin(kEpsilons), std::end(kEpsilons))),
          repeats_(static_cast<std::size_t>(values[Option::forecast_repeats].integer)),
          steps_(control, repeats_ * shifts_.size() * (2 + epsilons_.size())) {
        (void)check_finite(rows_, "source", settings_.threads);
        result_.target_rows = target_rows;
        result_.delta = *settings_.privacy.delta;
        adapted_.resize(std::size(kSizes) * epsilons_.size() * shifts_.size());
        source_only_.resize(shifts_.size());
        target_only_.resize(shifts_.size());
    }

    Forecast operator()() {
        for (std::size_t repeat = 0; repeat < repeats_; ++repeat) add(repeat);
        for (std::size_t e = 0; e < epsilons_.size(); ++e)
            for (std::size_t s = 0; s < shifts_.size(); ++s)
                result_.cells.push_back({epsilons_[e], shifts_[s], summary(source_only_[s]),
                                         summary(adapted(kAsked, e, s)), summary(target_only_[s]),
                                         rows_to_beat_source(e, s)});
        return result_;
    }

  private:
    /** Rows of a domain, so that a fit takes a fraction of a second. */
    [[nodiscard]] std::size_t most_rows() const {
        constexpr std::size_t kNumbers = std::size_t{1} << 18;
        constexpr std::size_t kLeastPerFeature = 4;
        const std::size_t d = rows_.features() + 1;
        return std::max(kNumbers / d, kLeastPerFeature * d);
    }

    [[nodiscard]] std::vector<double> &adapted(std::size_t size, std::size_t e, std::size_t s) {
        return adapted_[(size * epsilons_.size() + e) * shifts_.size() + s];
    }

    /** Nobody knows the noise of the target's labels: from half to twice the source's variance. */
    [[nodiscard]] double noise_factor(std::size_t repeat) const {
        const auto count = static_cast<double>(repeats_);
        return std::exp2((static_cast<double>(repeat) + 0.5) / count - 0.5);
    }

    /** Another way to divide the rows, another direction of the shift, other noise. */
    void add(std::size_t repeat) {
        const auto base = static_cast<std::uint64_t>(values_[Option::start_seed].integer);
        const std::uint64_t seed = SplitMix64(base * 1000 + repeat)();
        const SimulatedDomains domains(rows_, settings_, most_rows(), noise_factor(repeat), seed,
                                       steps_);
        for (std::size_t s = 0; s < shifts_.size(); ++s) {
            const Rows population = domains.population(shifts_[s]);
            const Sample all = population.sample();
            const auto error = [&](const Rows &target, const char *method) {
                return error_of(made(domains.source(), target, method, open_), all);
            };
            source_only_[s].push_back(error(population, "source_only"));
            for (std::size_t size = 0; size < std::size(kSizes); ++size) {
                if (size != kAsked && repeat >= kRepeatsOfOthers) continue;
                const double n = std::ceil(kSizes[size] * static_cast<double>(result_.target_rows));
                const double drawn = std::min(n, static_cast<double>(most_rows()));
                // If more rows are asked for than are drawn, the whole population stands for them.
                const bool whole = n > drawn && population.y.size() >= most_rows();
                const Rows target =
                    whole ? population
                          : draw_rows(population, static_cast<std::size_t>(drawn), seed + size);
                if (size == kAsked) target_only_[s].push_back(error(target, "target_only"));
                for (std::size_t e = 0; e < epsilons_.size(); ++e) {
                    OptionValues values = values_;
                    values.set(Option::epsilon,
                               equivalent_epsilon(epsilons_[e], result_.delta, n, drawn));
                    values.set(Option::unsafe_seed, static_cast<double>(repeat));
                    adapted(size, e, s)
                        .push_back(error_of(made(domains.source(), target, nullptr, values), all));
                }
            }
        }
    }

    /** A fit.
     *  @param method  A baseline; null: the adaptation. */
    Solution made(const Rows &source, const Rows &target, const char *method,
                  const OptionValues &values) {
        steps_.report({"forecast"});
        steps_.count();
        Problem problem;
        problem.replace(privacy::kSource, source.sample());
        problem.replace(privacy::kTarget, target.sample());
        const baseline::MethodSpec *spec =
            method == nullptr ? nullptr : &baseline::find_method(method);
        return fit(problem, spec, nullptr, values, steps_);
    }

    /** Mean error of a fit on the population. */
    double error_of(const Solution &solution, const Sample &population) {
        const SelectionLoss loss =
            select::common_loss({&solution.loss, 1}, settings_.selection.loss);
        for (const auto &[of, word] : kWords)
            if (of == loss) result_.error = word;
        return summary(validation_losses(solution, population, loss, Evaluation::in_blocks)).mean;
    }

    /** How much larger the private error is than the source's, on the same populations. */
    [[nodiscard]] double above_source(std::size_t size, std::size_t e, std::size_t s) {
        const std::vector<double> &errors = adapted(size, e, s);
        double sum = 0.0;
        for (std::size_t repeat = 0; repeat < errors.size(); ++repeat)
            sum += errors[repeat] - kBeaten * source_only_[s][repeat];
        return sum / static_cast<double>(errors.size());
    }

    /** Where, between the sizes that were tried, the private error falls clearly below the source's
     *  for good: on a line over the logarithm of the rows. */
    [[nodiscard]] std::optional<double> rows_to_beat_source(std::size_t e, std::size_t s) {
        std::optional<double> result;
        double last = 0.0;
        for (std::size_t size = std::size(kSizes); size-- > 0;) {
            const double above = above_source(size, e, s);
            const double n = kSizes[size] * static_cast<double>(result_.target_rows);
            if (!(above < 0.0)) {
                if (result) result = n * std::pow(*result / n, above / (above - last));
                break;
            }
            last = above;
            result = n;
        }
        if (result) result = std::ceil(*result);
        return result;
    }

    const Sample &rows_;
    OptionValues values_;
    OptionValues open_;
    Settings settings_;
    std::vector<double> shifts_;
    std::vector<double> epsilons_;
    std::size_t repeats_;
    Steps steps_;
    std::vector<std::vector<double>> adapted_;  ///< by size, epsilon and shift
    std::vector<std::vector<double>> source_only_;
    std::vector<std::vector<double>> target_only_;
    Forecast result_;
};

void describe(const char *name, const Errors &errors, Document &document) {
    document.set(name, errors.mean)
        .set(std::string(name) + "_lower", errors.lower)
        .set(std::string(name) + "_upper", errors.upper);
}

}  // namespace

void check_forecast(const Sample &source, const Settings &settings) {
    constexpr std::size_t kLeastRows = 12;
    if (settings.privacy.domains != privacy::kTarget)
        throw Error(DPA_E_UNSUPPORTED,
                    "a forecast is of a private target: private_domain must be target");
    if (!loss::is_linear(settings.loss.kind))
        throw Error(DPA_E_UNSUPPORTED,
                    "a forecast needs a loss of scores that are linear in the features");
    if (settings.own_columns == OwnColumnsKind::regressed)
        throw Error(DPA_E_UNSUPPORTED,
                    "a forecast knows nothing of columns that the source lacks: own_columns must "
                    "be constant");
    if (settings.privacy.noise_multiplier)
        throw Error(DPA_E_OPTION, "option noise_multiplier must be auto in a forecast");
    if (!(*settings.privacy.delta > 0.0))
        throw Error(DPA_E_OPTION, "option delta must be positive in a forecast");
    if (source.rows() < kLeastRows)
        throw Error(DPA_E_DIMENSION, "a forecast needs 12 rows of the source at least");
}

OptionValues with_budget(OptionValues values) {
    if (!is_set(values, Option::epsilon)) values.set(Option::epsilon, kEpsilon);
    if (!is_set(values, Option::delta)) values.set(Option::delta, kDelta);
    return values;
}

Forecast forecast(const Sample &source, std::size_t target_rows, const OptionValues &values,
                  Control &control) {
    return Forecaster(source, target_rows, without_weights(values), control)();
}

Document Forecast::document() const {
    Document list = Document::list();
    for (const ForecastCell &cell : cells) {
        Document document;
        document.set("target_rows", target_rows).set("epsilon", cell.epsilon);
        document.set("delta", delta).set("shift", cell.shift).set("error", error);
        describe("source_only", cell.source_only, document);
        describe("private", cell.adapted, document);
        describe("target_only", cell.target_only, document);
        document.set("rows_to_beat_source", cell.rows_to_beat_source
                                                ? Document(*cell.rows_to_beat_source)
                                                : Document(nullptr));
        list.add(std::move(document));
    }
    return list;
}

std::string Forecast::sentence() const {
    const auto order = [](const ForecastCell &cell) {  // the first of all is shown
        return std::tuple(std::abs(std::log(cell.epsilon / kEpsilon)), cell.shift > kShift,
                          std::abs(cell.shift - kShift));
    };
    const auto shown = std::ranges::min_element(cells, {}, order);
    const double least = std::ceil(kSizes[0] * static_cast<double>(target_rows));
    const std::optional<double> &rows = shown->rows_to_beat_source;
    const std::string count = rows ? std::to_string(static_cast<std::uint64_t>(*rows)) : "";
    return "With " + std::to_string(target_rows) + " rows, epsilon " + to_text(shown->epsilon, 3) +
           " and a shift of " + to_text(shown->shift, 3) + " expect " +
           (error == "error" ? "an error" : "a " + error + " error") + " of " +
           to_text(shown->adapted.mean, 3) + " (source alone " +
           to_text(shown->source_only.mean, 3) + ", without privacy " +
           to_text(shown->target_only.mean, 3) + "); " +
           (!rows            ? "a hundred times as many rows do not beat the source."
            : *rows <= least ? count + " rows or fewer beat the source."
                             : "at least " + count + " rows are needed to beat the source.");
}

double Forecast::value(std::size_t cell, std::string_view name) const {
    if (cell >= cells.size())
        throw Error(DPA_E_INVALID_ARGUMENT, "cell must be less than " +
                                                std::to_string(cells.size()) + ", but is " +
                                                std::to_string(cell));
    const ForecastCell &at = cells[cell];
    if (name == "target_rows") return static_cast<double>(target_rows);
    if (name == "epsilon") return at.epsilon;
    if (name == "delta") return delta;
    if (name == "shift") return at.shift;
    if (name == "rows_to_beat_source") {
        if (at.rows_to_beat_source) return *at.rows_to_beat_source;
        throw Error(DPA_E_STATE, "a hundred times target_rows do not beat the source");
    }
    for (const auto &[method, errors] : {std::pair{"source_only", at.source_only},
                                         {"private", at.adapted},
                                         {"target_only", at.target_only}}) {
        if (name == method) return errors.mean;
        if (name == std::string(method) + "_lower") return errors.lower;
        if (name == std::string(method) + "_upper") return errors.upper;
    }
    throw Error(DPA_E_OPTION_NAME, "a forecast has no number " + in_quotes(name));
}

}  // namespace dpadapt::engine
