// The paper's algorithm for the general form: every loss on adversarial neighbours, descent where
// the noise is negligible, and the drawn iterate.
#include <array>
#include <cstring>

#include "loss/scores.hpp"
#include "paper/blocks.hpp"
#include "paper/descent.hpp"
#include "privacy/losses.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kParameters = kFeatures + 1;
constexpr double kDiscrepancy = 0.2;
constexpr std::uint32_t kLateSeed = 4;  // draws the last of six iterates

Settings paper_settings(const OptionTexts &texts, loss::Bounds bounds = {6.0, 4.0, 4.0}) {
    engine::OptionValues values;
    values.custom_loss = {callers_loss, nullptr, kParameters, bounds};
    values.parse(engine::find_option("method"), "paper");
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return engine::make_settings(values, Wanted::fit);
}

random::Key key_of(std::uint32_t seed) {
    std::array<std::uint8_t, random::Key::kSize> bytes{};
    std::memcpy(bytes.data(), &seed, sizeof seed);
    return random::Key::unsafe_from_bytes(bytes);
}

/** A call without a ledger, with its samples. */
class Call {
  public:
    Call(const Data &source, const Data &target, const OptionTexts &texts)
        : source_(source.sample()),
          target_(target.sample()),
          settings_(paper_settings(texts)),
          call_(source_, target_, settings_, Wanted::fit, control_) {}

    [[nodiscard]] const PrivateProblem &problem() const { return call_.problem(); }
    [[nodiscard]] const Sample &target() const { return target_; }
    [[nodiscard]] const loss::Bounds &bounds() const { return call_.facts().bounds; }
    [[nodiscard]] const privacy::Plan &plan() const { return call_.plan(); }
    [[nodiscard]] PrivateFit fit(std::uint32_t seed, privacy::ReleaseTrace *trace) {
        const random::Key key = key_of(seed);
        const PrivateRun run{problem(), plan(), key, settings_.threads, control_, trace};
        return paper::fit_general(run, settings_, kDiscrepancy, bounds());
    }

  private:
    NoControl control_;
    Sample source_;
    Sample target_;
    Settings settings_;
    PrivateCall call_;
};

/** A loss, the private domain and the steps. */
OptionTexts paper_options(const OptionTexts &loss, const std::string &domain,
                          const std::string &steps) {
    OptionTexts options = {
        {"private_domain", domain}, {"step_sizes", steps},       {"epsilon", "2"},
        {"delta", "1e-3"},          {"iterations", "6"},         {"alpha", "0.4"},
        {"discrepancy", "0.2"},     {"lambda_1", "2"},           {"lambda_2", "0.5"},
        {"lambda_inf", "0.3"},      {"softmax_sharpness", "200"}};
    options.insert(loss.begin(), loss.end());
    if (domain != "both") return options;
    for (const auto &[key, value] :
         OptionTexts{{"preprocess", "none"}, {"feature_radius", "4"}, {"radius", "2"}})
        options[key] = value;
    if (has_numbers(loss)) options["label_bound"] = "9";
    return options;
}

/** One record replaced by something that a careless method would let through. */
std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    const auto add = [&](double factor, double label) {
        all.push_back(data);
        for (std::size_t j = 0; j < kFeatures; ++j) all.back().x[record * kFeatures + j] *= factor;
        all.back().y[record] = label;
    };
    for (const double value : {kNan, kInf, 1e308, -1e308, 1e200, 5e-324, 0.0, -50.0}) {
        for (const double label : {data.y[record], value}) {
            all.push_back(data);
            all.back().set(record, value, label);
        }
    }
    for (const double label : {-1.0, 0.0, 1.0, 2.0, 1e6, -1e6}) {
        add(1e6, label);
        add(-1.0, label);
    }
    for (const double label : kBadLabels) add(1.0, label);
    return all;
}

/** Largest shares of the squared sensitivities that are used. */
struct Usage {
    double vector = 0.0;
    double entry = 0.0;
};

void compare(const std::string &name, const privacy::Plan &plan, const Recorder &first,
             const Recorder &second, Usage &usage) {
    check_true(name + ": number of releases",
               !first.entries.empty() && first.entries.size() == second.entries.size());
    for (std::size_t k = 0; k < std::min(first.entries.size(), second.entries.size()); ++k) {
        const auto &[purpose, step, integers, released] = first.entries[k];
        const auto &other = second.entries[k];
        check_true(name + ": same kind", purpose == other.purpose && step == other.step &&
                                             integers.size() == other.integers.size());
        const Int128 sensitivity = planned(plan, purpose).integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        const Uint128 distance = squared_distance(integers, other.integers);
        check_true(name + ": sensitivity", distance <= most);
        double &used = purpose == random::Purpose::gaussian_u ? usage.entry : usage.vector;
        used = std::max(used, static_cast<double>(distance) / static_cast<double>(most));
    }
}

bool same(const PrivateFit &a, const PrivateFit &b) {
    return arma::approx_equal(a.theta, b.theta, "absdiff", 0.0) &&
           a.source_weights == b.source_weights && a.target_weights == b.target_weights;
}

void replay(const std::string &name, const OptionTexts &options, bool replace_source,
            Usage &usage) {
    const Data source = with_labels(make_data(90, 0.0, 1), options);
    const Data target = with_labels(make_data(70, 0.7, 2), options);
    Recorder first;
    Call call(source, target, options);
    const PrivateFit fit = call.fit(kLateSeed, &first);
    check_true(name + ": six steps", first.entries.size() == 12);
    for (const Data &changed : neighbours(replace_source ? source : target, 66)) {
        Recorder second(first);
        Call again(replace_source ? changed : source, replace_source ? target : changed, options);
        const PrivateFit other = again.fit(kLateSeed, &second);
        compare(name, call.plan(), first, second, usage);
        check_true(name + ": same result", same(fit, other));
    }
}

void neighbours_differ_by_at_most_the_sensitivity() {
    for (const OptionTexts &loss : loss_cases()) {
        Usage usage;
        for (const std::string &domain : private_domains(loss)) {
            for (const std::string steps : {"paper", "scaled"}) {
                const OptionTexts options = paper_options(loss, domain, steps);
                const std::string name = name_of(loss) + ", " + domain + ", " + steps;
                if (domain != "source") replay(name, options, false, usage);
                if (domain != "target") replay(name, options, true, usage);
            }
        }
        check_true(name_of(loss) + ": the sums move", usage.vector > 1e-3);
        check_true(name_of(loss) + ": the entries move", usage.entry > 1e-3);
    }
}

/** Blocks of records and threads change nothing. */
void threads_do_not_matter() {
    for (const OptionTexts &loss : loss_cases()) {
        const std::string name = name_of(loss);
        const Data source = with_labels(make_data(100, 0.0, 1), loss);
        const Data target = with_labels(make_data(1111, 0.7, 2), loss);
        OptionTexts options = paper_options(loss, "target", "scaled");
        const PrivateFit one = Call(source, target, options).fit(kLateSeed, nullptr);
        options["threads"] = "4";
        const PrivateFit four = Call(source, target, options).fit(kLateSeed, nullptr);
        check_true(name + ": same bits", same(one, four));
    }
}

/** Takes the noise away from what is released, and counts the steps. */
class Denoiser : public privacy::ReleaseTrace {
  public:
    explicit Denoiser(const Call &call)
        : sum_unit_(call.plan().gradient.gamma),
          loss_unit_(call.bounds().value / static_cast<double>(call.plan().weights_most)) {}

    std::vector<double> on_release(random::Purpose purpose, std::uint64_t step,
                                   std::span<const std::int64_t> integers,
                                   std::vector<double> released) override {
        const double unit = purpose == random::Purpose::gaussian_w ? sum_unit_ : loss_unit_;
        for (std::size_t k = 0; k < released.size(); ++k)
            released[k] = unit * static_cast<double>(integers[k]);
        steps = step;
        return released;
    }

    std::uint64_t steps = 0;

  private:
    double sum_unit_;
    double loss_unit_;
};

/** J at an iterate and its gradient. */
struct Slopes {
    double value = 0.0;
    arma::vec by_theta;
    arma::vec by_q;
    arma::vec q;  ///< source, then target
};

Slopes slopes_at(const Call &call, const PrivateFit &fit) {
    const PrivateProblem &problem = call.problem();
    const Hyperparameters &hyper = problem.hyperparameters();
    const arma::uword m = problem.rows(privacy::kSource);
    const arma::uword n = problem.rows(privacy::kTarget);
    Slopes slopes;
    slopes.q = arma::join_cols(arma::vec(fit.source_weights), arma::vec(fit.target_weights));
    const arma::vec &q = slopes.q;
    arma::vec cost(m + n);
    slopes.by_theta =
        problem.public_sample()->loss_rows().gradient(fit.theta, q.memptr(), cost.memptr());
    arma::mat gradients(fit.theta.n_elem, n);
    PreparedSample target(call.target(), problem.preprocess(), 1);
    target.clip(problem.clipping());
    arma::mat rows;
    target.fill(0, n, rows);
    const std::vector<double> labels = target.labels();
    problem.loss().evaluate({n, rows.n_rows, rows.memptr(), labels.data()},
                            {fit.theta.memptr(), fit.theta.n_elem}, {cost.memptr() + m, n},
                            {gradients.memptr(), gradients.n_elem});
    slopes.by_theta += gradients * q.tail(n);
    cost.head(m) += kDiscrepancy;
    const arma::vec pulls = arma::exp(hyper.mu * q);
    slopes.by_q = cost - hyper.lambda_1 + hyper.lambda_2 * q / arma::norm(q) +
                  hyper.lambda_inf * pulls / arma::accu(pulls);
    slopes.value = arma::dot(q, cost) + hyper.lambda_1 * (1.0 - arma::accu(q)) +
                   hyper.lambda_2 * arma::norm(q) +
                   hyper.lambda_inf / hyper.mu * std::log(arma::accu(pulls));
    return slopes;
}

paper::Smoothness smoothness_of(const Call &call) {
    return paper::smoothness_of(call.problem().hyperparameters(), call.bounds(), kDiscrepancy,
                                static_cast<double>(call.problem().rows(privacy::kSource)),
                                static_cast<double>(call.problem().rows(privacy::kTarget)));
}

/** To the ball. */
arma::vec projected(const arma::vec &theta, double radius) {
    return theta * std::min(1.0, radius / arma::norm(theta));
}

/** The square of the gradient mapping in the metric of the scaled steps, each of which lowers J by
 *  half of it at least. */
double gradient_mapping(const Call &call, const PrivateFit &fit, const Slopes &slopes) {
    const Hyperparameters &hyper = call.problem().hyperparameters();
    const paper::Smoothness smoothness = smoothness_of(call);
    const arma::vec theta = projected(fit.theta - slopes.by_theta / smoothness.theta, hyper.radius);
    double mapping = smoothness.theta * arma::accu(arma::square(theta - fit.theta));
    const arma::uword m = fit.source_weights.size();
    for (arma::uword i = 0; i < slopes.q.n_elem; ++i) {
        const double p = i < m ? hyper.alpha / static_cast<double>(m)
                               : (1.0 - hyper.alpha) / static_cast<double>(slopes.q.n_elem - m);
        const double v = p / slopes.q(i);
        const double curvature = p * smoothness.weights;
        const double moved = std::max(1.0, v + slopes.q(i) / v * slopes.by_q(i) / curvature);
        mapping += curvature * (moved - v) * (moved - v);
    }
    return mapping;
}

/** An iterate on the path without noise. */
struct Point {
    std::uint64_t step = 0;
    double value = 0.0;
    double mapping = 0.0;
};

Point point_at(const Call &call, const PrivateFit &fit, std::uint64_t step) {
    const Slopes slopes = slopes_at(call, fit);
    return {step, slopes.value, gradient_mapping(call, fit, slopes)};
}

/** Where the steps begin: the public fit and the reference weights. */
PrivateFit start(const PrivateProblem &problem) {
    const double alpha = problem.hyperparameters().alpha;
    PrivateFit fit;
    fit.theta = problem.start(1);
    const std::size_t m = problem.rows(privacy::kSource);
    const std::size_t n = problem.rows(privacy::kTarget);
    fit.source_weights.assign(m, alpha / static_cast<double>(m));
    fit.target_weights.assign(n, (1.0 - alpha) / static_cast<double>(n));
    return fit;
}

OptionTexts without_noise(const OptionTexts &loss, const std::string &steps, int iterations) {
    OptionTexts options = paper_options(loss, "target", steps);
    options["iterations"] = std::to_string(iterations);
    options["noise_multiplier"] = "0.02";
    options.erase("epsilon");
    options.erase("delta");
    return options;
}

/** The steps as they are printed: 1/beta-bar for theta and for every u = 1/q, then the
 *  projections. */
void take_printed_step(const Call &call, const std::vector<double> &p, PrivateFit &fit) {
    const Slopes slopes = slopes_at(call, fit);
    const double eta = 1.0 / smoothness_of(call).whole;
    fit.theta =
        projected(fit.theta - eta * slopes.by_theta, call.problem().hyperparameters().radius);
    const std::size_t m = fit.source_weights.size();
    for (std::size_t i = 0; i < p.size(); ++i) {
        double &q = i < m ? fit.source_weights[i] : fit.target_weights[i - m];
        q = 1.0 / std::max(1.0 / p[i], 1.0 / q + eta * q * q * slopes.by_q(i));
    }
}

void the_printed_steps() {
    for (const OptionTexts &loss : loss_cases()) {
        const std::string name = name_of(loss);
        // The bounds of a caller's loss are not true for every record; the weights of a perceptron
        // of numbers hardly move in 400 steps.
        if (!is_linear(loss) && !has_classes(loss)) continue;
        const Data source = with_labels(make_data(7, 0.0, 1), loss);
        const Data target = with_labels(make_data(5, 0.7, 2), loss);
        OptionTexts options = without_noise(loss, "paper", 400);
        options["lambda_1"] = "0.1";
        Call call(source, target, options);
        Denoiser denoiser(call);
        const PrivateFit after = call.fit(kLateSeed, &denoiser);
        const PrivateFit before = start(call.problem());
        const arma::vec p = slopes_at(call, before).q;
        PrivateFit expected = before;
        for (std::uint64_t step = 0; step < denoiser.steps; ++step)
            take_printed_step(call, {p.begin(), p.end()}, expected);
        check_true(name + ": theta", arma::norm(expected.theta - after.theta) <=
                                         1e-6 * arma::norm(expected.theta - before.theta));
        const arma::vec q = slopes_at(call, after).q;
        const arma::vec wanted = slopes_at(call, expected).q;
        check_true(name + ": the weights move", arma::norm(p - wanted) > 1e-4 * arma::norm(p));
        check_true(name + ": weights", arma::norm(q - wanted) <= 1e-6 * arma::norm(p - wanted));
    }
}

/** Without noise the drawn iterates of several seeds lie on one path: J falls along it, and they
 *  are as nearly stationary as the paper's theorem has it. */
void drawn_iterates_are_nearly_stationary() {
    constexpr std::uint32_t kSeeds = 8;
    constexpr int kSteps = 1500;
    for (const OptionTexts &loss : loss_cases()) {
        const std::string name = name_of(loss);
        const Data source = with_labels(make_data(120, 0.0, 1), loss);
        const Data target = with_labels(make_data(80, 0.7, 2), loss);
        Call call(source, target, without_noise(loss, "scaled", kSteps));
        std::vector<Point> path = {point_at(call, start(call.problem()), 0)};
        double mapping = 0.0;
        for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
            Denoiser denoiser(call);
            const PrivateFit fit = call.fit(seed, &denoiser);
            path.push_back(point_at(call, fit, denoiser.steps));
            mapping += path.back().mapping / kSeeds;
        }
        std::sort(path.begin(), path.end(),
                  [](const Point &a, const Point &b) { return a.step < b.step; });
        for (std::size_t k = 1; k < path.size(); ++k)
            check_true(name + ": J falls", path[k].value < path[k - 1].value);
        const double fall = path.front().value - path.back().value;
        check_true(name + ": nearly stationary", mapping <= 2.0 * fall / kSteps);
    }
}

void the_iterate_is_drawn_uniformly() {
    constexpr std::size_t kSteps = 10;
    constexpr std::uint32_t kDraws = 3000;
    const Data source = with_labels(make_data(8, 0.0, 1), {{"loss", "logistic"}});
    const Data target = with_labels(make_data(2, 0.7, 2), {{"loss", "logistic"}});
    OptionTexts options = paper_options({{"loss", "logistic"}}, "target", "paper");
    options["iterations"] = std::to_string(kSteps);
    Call call(source, target, options);
    std::vector<std::size_t> drawn(kSteps);
    for (std::uint32_t seed = 0; seed < kDraws; ++seed) {
        Recorder recorder;
        (void)call.fit(seed, &recorder);
        ++drawn.at(recorder.entries.back().step - 1);
    }
    const double expected = static_cast<double>(kDraws) / kSteps;
    double chi_square = 0.0;
    for (const std::size_t count : drawn)
        chi_square += std::pow(static_cast<double>(count) - expected, 2) / expected;
    check_true("chi-square of 9 degrees of freedom at 1e-6", chi_square < 44.81);
}

void a_sample_may_have_no_weight() {
    const Data source = with_labels(make_data(40, 0.0, 1), {{"loss", "logistic"}});
    const Data target = with_labels(make_data(30, 0.7, 2), {{"loss", "logistic"}});
    for (const std::string alpha : {"0", "1"}) {
        OptionTexts options = paper_options({{"loss", "logistic"}}, "target", "scaled");
        options["alpha"] = alpha;
        Recorder recorder;
        const PrivateFit fit = Call(source, target, options).fit(kLateSeed, &recorder);
        check_true("finite", fit.theta.is_finite());
        check_true("one sample has weights", fit.source_weights.empty() == (alpha == "0") &&
                                                 fit.target_weights.empty() == (alpha == "1"));
        check_true("only a sample with weight is read", recorder.entries.empty() == (alpha == "1"));
    }
}

std::string refusal(const OptionTexts &texts, const loss::Bounds &bounds) {
    const Data data = with_labels(make_data(20, 0.0, 1), {{"loss", "custom"}});
    const Sample sample = data.sample();
    NoControl control;
    try {
        const Settings settings = paper_settings(texts, bounds);
        const PrivateCall call(sample, sample, settings, Wanted::fit, control);
        return "";
    } catch (const Error &error) {
        return error.status() == DPA_E_OPTION ? error.what() : "";
    }
}

void what_is_missing_is_named() {
    OptionTexts options = paper_options({{"loss", "custom"}}, "target", "paper");
    check_true("all is given", refusal(options, {6.0, 4.0, 4.0}).empty());
    for (const loss::Bounds bounds :
         {loss::Bounds{kInf, 4.0, 4.0}, {6.0, kInf, 4.0}, {6.0, 4.0, kInf}})
        check_true("bounds", refusal(options, bounds).find("three bounds") != std::string::npos);
    options.erase("lambda_1");
    options.erase("lambda_2");
    options.erase("lambda_inf");
    check_true("lambda_1", refusal(options, {6.0, 4.0, 4.0}).find("lambda_1") != std::string::npos);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_differ_by_at_most_the_sensitivity),
        core_test(threads_do_not_matter),
        core_test(the_printed_steps),
        core_test(drawn_iterates_are_nearly_stationary),
        core_test(the_iterate_is_drawn_uniformly),
        core_test(a_sample_may_have_no_weight),
        core_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
