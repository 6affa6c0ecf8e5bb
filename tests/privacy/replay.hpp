// What the tests of private runs share: small samples, a run from options to solution, and a
// recorder that can feed the released values of one run to another.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "engine/settings.hpp"
#include "private/call.hpp"
#include "random/noise.hpp"

constexpr std::size_t kFeatures = 3;

struct Data {
    std::vector<double> x;
    std::vector<double> y;

    [[nodiscard]] dpadapt::Sample sample() const {
        return dpadapt::Sample::lend({x.data(), y.size(), kFeatures, kFeatures, true}, y.data());
    }
    void set(std::size_t record, double feature, double label) {
        std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(record * kFeatures), kFeatures,
                    feature);
        y[record] = label;
    }
};

/** Labels with coefficients 1 - shift, 2 - shift, 3 - shift and noise of deviation 1. */
inline Data make_data(std::size_t rows, double shift, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < kFeatures; ++j) {
            data.x[i * kFeatures + j] = random.normal() + shift;
            data.y[i] += (static_cast<double>(j) + 1.0 - shift) * data.x[i * kFeatures + j];
        }
        data.y[i] += random.normal();
    }
    return data;
}

/** One record as it is, then in all ways that a careless method would let through; each of them is
 *  a neighbour of each other. With further values of its features and labels of those. */
inline std::vector<Data> hostile_variants(const Data &data, std::size_t record,
                                          std::vector<double> values = {},
                                          const std::vector<double> &labels = {}) {
    const double label = data.y[record];
    std::vector<Data> all = {data};
    const auto scale = [&](double factor, double new_label) {
        all.push_back(data);
        for (std::size_t j = 0; j < kFeatures; ++j) all.back().x[record * kFeatures + j] *= factor;
        all.back().y[record] = new_label;
    };
    values.insert(values.begin(),
                  {kNan, kInf, -kInf, 1e308, -1e308, 1e200, -1e200, 5e-324, 0.0, -50.0});
    for (const double value : values) {
        std::vector<double> its_labels = {label, value};
        its_labels.insert(its_labels.end(), labels.begin(), labels.end());
        for (const double its_label : its_labels) {
            all.push_back(data);
            all.back().set(record, value, its_label);
        }
    }
    for (const double factor : {-1.0, -1e6, 1e6}) {
        scale(factor, label);
        scale(factor, -factor * label);
    }
    // The opposite term, if the label is large. Trimming drops large losses: of a ladder of labels
    // one counts, whatever the path.
    for (const double other : {-label, 2.0 - label, 0.5, 7.0, -8.0, -4.0, -2.0, 2.0, 4.0, 8.0})
        scale(1.0, other);
    // The slope of a quantile is the same for all of these labels: longer rows whose loss is small.
    for (const double other : {-8.0, 8.0}) scale(3.0, other);
    all.push_back(data);  // scores of inf - inf
    for (std::size_t j = 0; j < kFeatures; ++j)
        all.back().x[record * kFeatures + j] = j % 2 == 0 ? 1.2e308 : -1.2e308;
    all.push_back(data);  // a record twice
    std::copy_n(data.x.begin(), kFeatures,
                all.back().x.begin() + static_cast<std::ptrdiff_t>(record * kFeatures));
    all.back().y[record] = data.y[0];
    return all;
}

using OptionTexts = std::map<std::string, std::string>;

inline OptionTexts with(OptionTexts options, const OptionTexts &more) {
    for (const auto &[name, text] : more) options[name] = text;
    return options;
}

inline dpadapt::Settings settings_of(const OptionTexts &texts, dpadapt::Wanted wanted) {
    dpadapt::engine::OptionValues values;
    for (const auto &[name, text] : texts) values.parse(dpadapt::engine::find_option(name), text);
    return dpadapt::engine::make_settings(values, wanted);
}

/** Remembers every release: the integers before the noise and the values after it; or replays the
 *  values of another. */
class Recorder : public dpadapt::privacy::ReleaseTrace {
  public:
    struct Entry {
        dpadapt::random::Purpose purpose;
        std::uint64_t step;
        std::vector<std::int64_t> integers;
        std::vector<double> released;
    };

    Recorder() = default;
    explicit Recorder(const Recorder &replayed) : replayed_(&replayed) {}

    std::vector<double> on_release(dpadapt::random::Purpose purpose, std::uint64_t step,
                                   std::span<const std::int64_t> integers,
                                   std::vector<double> released) override {
        entries.push_back({purpose, step, {integers.begin(), integers.end()}, released});
        return replayed_ == nullptr ? released : replayed_->entries.at(entries.size() - 1).released;
    }

    [[nodiscard]] bool replays() const { return replayed_ != nullptr; }

    std::vector<Entry> entries;

  private:
    const Recorder *replayed_ = nullptr;
};

/** NaN stands for what is not released. */
inline bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

inline bool same_result(const dpadapt::Solution &a, const dpadapt::Solution &b) {
    return a.coefficients == b.coefficients && a.intercept == b.intercept &&
           a.parameters == b.parameters && a.source_weights == b.source_weights &&
           a.target_weights == b.target_weights && a.settings.alpha == b.settings.alpha &&
           same(a.settings.discrepancy, b.settings.discrepancy) &&
           a.settings.radius == b.settings.radius && a.settings.kappa_1 == b.settings.kappa_1 &&
           a.settings.lambda_1 == b.settings.lambda_1 &&
           a.settings.feature_radius == b.settings.feature_radius &&
           a.settings.label_bound == b.settings.label_bound && a.inference.why == b.inference.why &&
           a.inference.estimate == b.inference.estimate &&
           a.inference.covariance == b.inference.covariance &&
           same(a.inference.difference, b.inference.difference) && a.iterations == b.iterations &&
           a.termination == b.termination && same(a.objective, b.objective) &&
           same(a.duality_gap, b.duality_gap) && same(a.gradient_mapping, b.gradient_mapping);
}

/** Of private adaptation, which certifies nothing. */
inline bool same_public_output(const dpadapt::Solution &a, const dpadapt::Solution &b) {
    return same_result(a, b) && std::isnan(a.objective) && std::isnan(a.duality_gap) &&
           std::isnan(a.gradient_mapping);
}

/** The planned release that a recorded one belongs to. */
inline const dpadapt::privacy::Release &planned(const dpadapt::privacy::Plan &plan,
                                                dpadapt::random::Purpose purpose,
                                                std::uint64_t step = 0) {
    using dpadapt::privacy::ReleaseKind;
    using dpadapt::random::Purpose;
    static const std::map<Purpose, std::vector<ReleaseKind>> kinds = {
        {Purpose::discrepancy, {ReleaseKind::discrepancy}},
        {Purpose::gaussian_w,
         {ReleaseKind::gradient, ReleaseKind::epoch_gradient, ReleaseKind::sampled_gradient}},
        {Purpose::gaussian_u, {ReleaseKind::source_weights, ReleaseKind::target_weights}},
        {Purpose::comparison, {ReleaseKind::comparison}},
        {Purpose::weight_sum, {ReleaseKind::weight_sum}},
        {Purpose::gaussian_moments, {ReleaseKind::second_moments}},
        {Purpose::own_columns, {ReleaseKind::own_columns}},
        {Purpose::inference, {ReleaseKind::inference}}};
    static const std::vector<ReleaseKind> evaluations = {ReleaseKind::error_sizes,
                                                         ReleaseKind::errors, ReleaseKind::scores};
    const std::vector<ReleaseKind> wanted =
        purpose == Purpose::evaluation ? std::vector{evaluations.at(step)} : kinds.at(purpose);
    for (const ReleaseKind kind : wanted)
        if (const dpadapt::privacy::Release *release = plan.find(kind)) return *release;
    throw dpadapt::Error(DPA_E_INTERNAL, "a release that is not in the plan");
}

/** Of the packed entries of a symmetric matrix, in units of the square of the records' length. */
inline std::vector<double> scales_of_matrix(std::size_t entries) {
    std::vector<double> scales;
    for (std::size_t j = 0; scales.size() < entries; ++j) {
        scales.insert(scales.end(), j, 181.0);
        scales.push_back(128.0);
    }
    return scales;
}

/** Of each value of a recorded release the unit of its integer. */
inline std::vector<double> units_of(const dpadapt::privacy::Plan &plan,
                                    const Recorder::Entry &entry) {
    using dpadapt::random::Purpose;
    const std::size_t size = entry.integers.size();
    const auto &[purpose, step, integers, released] = entry;
    const auto of_matrix = [&](const dpadapt::privacy::OuterGrid &grid) {
        std::vector<double> units = scales_of_matrix(size);
        for (double &unit : units) unit = 1.0 / (unit * std::pow(grid.length, 2));
        return units;
    };
    if (purpose == Purpose::gaussian_moments) return of_matrix(plan.moments.value());
    if (purpose == Purpose::own_columns) return of_matrix(plan.own_columns.value());
    if (purpose == Purpose::inference) return of_matrix(plan.inference.value());
    const double unit =
        purpose == Purpose::gaussian_w ? plan.gradient.gamma : planned(plan, purpose, step).unit;
    return std::vector<double>(size, unit);
}

/** Of what was released under check_noise. */
inline std::set<dpadapt::privacy::ReleaseKind> &checked_kinds() {
    static std::set<dpadapt::privacy::ReleaseKind> kinds;
    return kinds;
}

/** Each release is its integers with the draws of the deviation that its price is for, and no two
 *  have the same ones. */
inline void check_noise(const dpadapt::records::PaidCall &call,
                        const dpadapt::privacy::ReleaseTrace *trace) {
    using dpadapt::random::Purpose;
    const auto *run = dynamic_cast<const Recorder *>(trace);
    if (run == nullptr || run->replays()) return;
    std::set<std::pair<Purpose, std::uint64_t>> drawn;
    for (const Recorder::Entry &entry : run->entries) {
        const auto &[purpose, step, integers, released] = entry;
        if (purpose == Purpose::selector) continue;  // chosen by coins
        const std::string where = "release " + std::to_string(static_cast<int>(purpose)) + ", " +
                                  std::to_string(step) + ": ";
        check_true(where + "noise of its own", drawn.insert({purpose, step}).second);
        const dpadapt::privacy::Release &release = planned(call.plan(), purpose, step);
        checked_kinds().insert(release.kind);
        std::vector<std::int64_t> noise(integers.size());
        const bool laplace = release.mechanism == dpadapt::privacy::Mechanism::laplace;
        dpadapt::random::fill_with_noise(
            noise, laplace ? dpadapt::random::laplace : dpadapt::random::normal,
            static_cast<unsigned>(release.bits), call.key(), purpose, step);
        std::vector<double> units = units_of(call.plan(), entry);
        for (std::size_t k = 0; k < noise.size(); ++k) {
            const double noisy = static_cast<double>(dpadapt::Int128{integers[k]} + noise[k]) + 0.5;
            // Of the weights the first tells the unit of all.
            if (purpose == Purpose::gaussian_u && k == 0)
                units.assign(units.size(), released[0] / noisy);
            double expected = units[k] * noisy;
            if (purpose == Purpose::discrepancy)  // between 0 and a bound
                expected = released[k] < expected ? released[k] : std::max(expected, 0.0);
            check_true(where + "noise of its price",
                       std::abs(released[k] - expected) <= 1e-9 * std::abs(expected));
        }
    }
}

struct Run {
    dpadapt::privacy::Plan plan;
    dpadapt::Solution solution;
};

inline Run run_private(const dpadapt::Sample &source, const dpadapt::Sample &target,
                       const dpadapt::Settings &settings, dpadapt::privacy::ReleaseTrace *trace) {
    NoControl control;
    dpadapt::PrivateCall call(source, target, settings, dpadapt::Wanted::fit, control);
    dpadapt::privacy::Ledger ledger;
    call.charge(ledger);
    Run run{call.plan(), dpadapt::solve_private(call, settings.discrepancy, trace)};
    check_noise(call, trace);
    return run;
}

inline Run run_private(const Data &source, const Data &target, const OptionTexts &texts,
                       dpadapt::privacy::ReleaseTrace *trace) {
    return run_private(source.sample(), target.sample(), settings_of(texts, dpadapt::Wanted::fit),
                       trace);
}

inline dpadapt::Uint128 squared_distance(const std::vector<std::int64_t> &a,
                                         const std::vector<std::int64_t> &b) {
    dpadapt::Uint128 square = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const dpadapt::Int128 difference = dpadapt::Int128{a[k]} - b[k];
        square += static_cast<dpadapt::Uint128>(difference * difference);
    }
    return square;
}

/** Every private method in every scenario. */
struct Scenario {
    std::string name;
    OptionTexts options;
};

inline std::vector<Scenario> scenarios() {
    const OptionTexts common = {
        {"epsilon", "2"}, {"delta", "1e-3"}, {"unsafe_seed", "1"}, {"iterations", "8"}};
    const OptionTexts no_public = {{"preprocess", "none"}, {"feature_radius", "4"},
                                   {"label_bound", "9"},   {"radius", "6"},
                                   {"kappa_1", "4"},       {"clip_bound", "3"}};
    std::vector<Scenario> all;
    const auto add = [&](const std::string &name, const OptionTexts &options) {
        Scenario scenario{name, common};
        for (const auto &[key, value] : options) scenario.options[key] = value;
        all.push_back(std::move(scenario));
    };
    add("auto, records counted", {});
    add("inference", {{"inference", "yes"}});
    add("several releases of a point", {{"epsilon", "200"}});
    add("auto source", {{"private_domain", "source"}});
    add("anchor", {{"anchor_share", "0.5"}, {"epsilon", "20"}});
    for (const std::string domain : {"target", "source", "both"}) {
        OptionTexts base = {{"private_domain", domain}, {"alpha", "0.4"}};
        if (domain == "both") base.insert(no_public.begin(), no_public.end());
        add("profile " + domain, base);
        base["kappa_2"] = "0.5";
        base["kappa_inf"] = "2";
        add("coupled " + domain, base);
        base["method"] = "paper";
        add("paper " + domain, base);
    }
    OptionTexts each = {{"private_domain", "both"}};
    each.insert(no_public.begin(), no_public.end());
    add("auto both", each);
    each["epsilon"] = "20";
    add("auto both, short gradients counted", each);
    OptionTexts only_target = {{"private_domain", "both"}, {"alpha", "0"}};
    only_target.insert(no_public.begin(), no_public.end());
    only_target["clip_bound"] = "0.5";
    add("no source", only_target);
    add("laplace", {{"alpha", "0.4"}, {"discrepancy_noise", "laplace"}});
    add("unlabelled", {{"alpha", "0.4"}, {"discrepancy_kind", "unlabelled"}});
    add("one side", {{"alpha", "0.4"}, {"discrepancy_side", "target_above"}});
    add("local",
        {{"alpha", "0.4"}, {"discrepancy_center", "source"}, {"discrepancy_radius", "0.5"}});
    add("whitened", {{"alpha", "0.4"}, {"preprocess", "whiten"}});
    add("clipped", {{"feature_radius", "2"}, {"label_bound", "3"}});
    return all;
}
