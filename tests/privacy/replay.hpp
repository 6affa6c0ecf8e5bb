// What the tests of private runs share: small samples, a run from options to solution, and a
// recorder that can feed the released values of one run to another.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "core/core.hpp"
#include "engine/settings.hpp"
#include "private/call.hpp"

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

using OptionTexts = std::map<std::string, std::string>;

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

    std::vector<Entry> entries;

  private:
    const Recorder *replayed_ = nullptr;
};

struct Run {
    dpadapt::privacy::Plan plan;
    dpadapt::Solution solution;
};

inline Run run_private(const Data &source, const Data &target, const OptionTexts &texts,
                       dpadapt::privacy::ReleaseTrace *trace) {
    NoControl control;
    const dpadapt::Settings settings = settings_of(texts, dpadapt::Wanted::fit);
    const dpadapt::Sample source_sample = source.sample();
    const dpadapt::Sample target_sample = target.sample();
    dpadapt::PrivateCall call(source_sample, target_sample, settings, dpadapt::Wanted::fit,
                              control);
    dpadapt::privacy::Ledger ledger;
    call.charge(ledger);
    return {call.plan(), dpadapt::solve_private(call, settings.discrepancy, trace)};
}

/** The planned release that a recorded one belongs to. */
inline const dpadapt::privacy::Release &planned(const dpadapt::privacy::Plan &plan,
                                                dpadapt::random::Purpose purpose) {
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
    for (const ReleaseKind kind : kinds.at(purpose))
        if (const dpadapt::privacy::Release *release = plan.find(kind)) return *release;
    throw dpadapt::Error(DPA_E_INTERNAL, "a release that is not in the plan");
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
