// The private discrepancy of any loss: record and replay on neighbours, hostile functions of a
// caller, and the value before noise against an independent computation.
#include <functional>
#include <thread>

#include "discrepancy/general_estimate.hpp"
#include "privacy/losses.hpp"
#include "problem/quantile.hpp"

using namespace dpadapt;

namespace {

using loss::Labels;

/** |theta_0 x_0 + theta_1 - y|, unless x_0 is larger than any of the public records: then what
 *  should not be. */
std::int32_t hostile(const double *x, std::size_t rows, std::size_t features, const double *label,
                     const double *theta, std::size_t /*parameters*/, double *losses,
                     double *gradients, void *caller) {
    check_true("on the calling thread",
               *static_cast<std::thread::id *>(caller) == std::this_thread::get_id());
    for (std::size_t i = 0; i < rows; ++i) {
        const double error = theta[0] * x[i * features] + theta[1] - label[i];
        losses[i] = std::abs(error);
        if (gradients == nullptr) continue;
        gradients[2 * i] = error < 0.0 ? -x[i * features] : x[i * features];
        gradients[2 * i + 1] = error < 0.0 ? -1.0 : 1.0;
    }
    const double size = rows > 1 ? 0.0 : std::abs(x[0]);
    if (size >= 60.0 && size < 1e7) return size < 1e3 ? -1 : 1;
    if (size >= 20.0) losses[0] = size < 30.0 ? kNan : size < 60.0 ? -1e300 : 1e300;
    return 0;
}

/** The losses whose discrepancy is taken over a finite set; the caller's, which may be hostile,
 *  comes first, so that mutants die early. */
std::vector<OptionTexts> losses() {
    std::vector<OptionTexts> all = loss_cases();
    std::erase_if(all, [](const OptionTexts &loss) { return loss.at("loss") == "squared"; });
    std::reverse(all.begin(), all.end());
    return all;
}

/** The caller's loss here takes numbers. */
Data make_labelled(std::size_t rows, double shift, unsigned seed, const OptionTexts &loss) {
    Data data = make_data(rows, shift, seed);
    return labels_of(loss) == Labels::any ? data : with_labels(std::move(data), loss);
}

Settings settings_for(const OptionTexts &texts, Wanted wanted = Wanted::discrepancy,
                      double loss_bound = kInf) {
    static std::thread::id caller = std::this_thread::get_id();
    engine::OptionValues values;
    values.parse(engine::find_option("epsilon"), "2");
    values.parse(engine::find_option("delta"), "1e-3");
    values.parse(engine::find_option("unsafe_seed"), "1");
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    values.custom_loss = {hostile, &caller, 2, {loss_bound, kInf, kInf}};
    return engine::make_settings(values, wanted);
}

/** What a release shows, and what it hides. */
struct Outcome {
    privacy::Plan plan;
    double bound = 0.0;
    double released = 0.0;
    std::int64_t integer = 0;
};

Outcome release(const Data &source, const Data &target, const Settings &settings) {
    NoControl control;
    const Sample source_sample = source.sample();
    const Sample target_sample = target.sample();
    PrivateCall call(source_sample, target_sample, settings, Wanted::discrepancy, control);
    privacy::Ledger ledger;
    call.charge(ledger);
    Recorder trace;
    const double released = call.release_discrepancy(&trace);
    check_noise(call, &trace);
    check_true("one number", trace.entries.size() == 1 && trace.entries[0].integers.size() == 1);
    return {call.plan(), call.facts().general_bound, released, trace.entries[0].integers[0]};
}

OptionTexts texts_for(OptionTexts texts, const std::string &domain) {
    texts["private_domain"] = domain;
    if (domain != "both") return texts;
    texts["preprocess"] = "none";
    texts["radius"] = "2";
    texts["feature_radius"] = "4";
    if (has_numbers(texts)) texts["label_bound"] = "5";
    return texts;
}

/** Largest distance of the integers of neighbours, in units of the sensitivity. */
double largest_step(const std::string &name, const std::vector<Outcome> &outcomes) {
    const Outcome &first = outcomes.front();
    const privacy::NumberGrid &grid = *first.plan.discrepancy;
    const auto [least, most] = std::minmax_element(
        outcomes.begin(), outcomes.end(),
        [](const Outcome &a, const Outcome &b) { return a.integer < b.integer; });
    check_true(name + ": sensitivity", most->integer - least->integer <= grid.most);
    for (const Outcome &other : outcomes) {
        check_true(name + ": same plan", other.plan.discrepancy->unit == grid.unit &&
                                             other.plan.tolerance == first.plan.tolerance &&
                                             other.bound == first.bound);
        check_true(name + ": in range", other.released >= 0.0 && other.released <= other.bound);
        // The same noise: what is released moves as the integers do.
        check_true(name + ": released",
                   std::abs(other.released - first.released) <=
                       grid.unit * static_cast<double>(grid.most) * (1.0 + 1e-12));
    }
    return static_cast<double>(most->integer - least->integer) / static_cast<double>(grid.most);
}

std::vector<OptionTexts> losses_and_sides() {
    std::vector<OptionTexts> all = losses();
    all.push_back({{"loss", "logistic"}, {"discrepancy_side", "target_above"}});
    return all;
}

void neighbours_differ_by_at_most_the_sensitivity() {
    for (const OptionTexts &loss : losses_and_sides())
        for (const std::string &domain : private_domains(loss)) {
            const Settings settings = settings_for(texts_for(loss, domain), Wanted::discrepancy,
                                                   domain == "both" ? 20.0 : kInf);
            double usage = 0.0;
            for (const std::size_t n : {1U, 60U}) {
                const bool of_source = domain == "source";
                const Data many = make_labelled(150, of_source ? 0.7 : 0.0, 1, loss);
                const Data few = make_labelled(n, of_source ? 0.0 : 0.7, 2, loss);
                std::vector<Outcome> outcomes;
                for (const Data &other :
                     hostile_variants(few, n / 2, {25.0, 70.0, -70.0, 2e3, 1e8, -1e8},
                                      {-1.0, 1.0, 2.0, 7.0, kNan}))
                    outcomes.push_back(
                        release(of_source ? other : many, of_source ? many : other, settings));
                usage = std::max(usage, largest_step(name_of(loss) + " " + domain, outcomes));
            }
            // Without a public sample B is the largest loss of the whole ball, which no point of
            // H_0 may attain.
            check_true(name_of(loss) + " " + domain + ": the neighbours come near the sensitivity",
                       usage > (domain == "both" ? 0.25 : 0.4));
        }
}

double huber(double score, double y) {
    const double size = std::abs(score - y);
    const double t = std::min(size, 2.0);
    return t * (2.0 * size - t);
}
double logistic(double score, double y) { return std::log1p(std::exp(-y * score)); }

std::vector<double> losses_at(const Data &data, const arma::vec &theta,
                              const std::function<double(double, double)> &loss) {
    std::vector<double> values;
    for (std::size_t i = 0; i < data.y.size(); ++i) {
        double score = 0.0;
        for (std::size_t j = 0; j < kFeatures; ++j) score += theta(j) * data.x[i * kFeatures + j];
        values.push_back(loss(score, data.y[i]));
    }
    return values;
}

double clipped_mean(const std::vector<double> &values, double bound) {
    double sum = 0.0;
    for (const double value : values) sum += std::min(value, bound);
    return sum / static_cast<double>(values.size());
}

/** Bound and value from the definition, in raw coordinates. */
void the_value_is_the_largest_difference_of_clipped_means() {
    const struct {
        OptionTexts texts;
        double (*loss)(double, double);
        double shift;  // of the target against the source
    } cases[] = {
        {{{"loss", "huber"}, {"huber_threshold", "2"}}, huber, 0.7},
        {{{"loss", "logistic"}}, logistic, 0.7},
        {{{"loss", "logistic"}, {"discrepancy_center", "source"}}, logistic, 0.7},
        {{{"loss", "logistic"}, {"discrepancy_side", "target_above"}}, logistic, 0.7},
        {{{"loss", "huber"}, {"huber_threshold", "2"}, {"discrepancy_side", "target_above"}},
         huber,
         -0.7},
        {{{"loss", "huber"}, {"huber_threshold", "2"}, {"discrepancy_radius", "0.5"}},
         huber,
         -0.7}};
    for (auto [texts, loss, shift] : cases) {
        texts["preprocess"] = "none";
        texts["intercept"] = "false";
        texts["threads"] = "2";
        const Data source = make_labelled(400, shift > 0.0 ? 0.0 : -shift, 3, texts);
        const Data target = make_labelled(300, std::max(shift, 0.0), 4, texts);
        const Settings settings = settings_for(texts);
        const Outcome outcome = release(source, target, settings);

        NoControl control;
        const Sample source_sample = source.sample();
        const PublicSample sample(source_sample, "source", settings, control);
        const bool centred = settings.center_kind == CenterKind::source;
        const arma::vec center = centred ? sample.fit() : arma::zeros(kFeatures);
        const auto points = public_predictors(
            center, settings.discrepancy_radius.value_or(sample.radius()), sample.fit());
        double bound = 0.0;
        for (const arma::vec &theta : points)
            bound = std::max(bound, quantile(losses_at(source, theta, loss), 0.99));
        check_close("bound", outcome.bound, bound, 1e-12);
        double value = 0.0;
        for (const arma::vec &theta : points) {
            const double above = clipped_mean(losses_at(target, theta, loss), bound) -
                                 clipped_mean(losses_at(source, theta, loss), bound);
            value = std::max(value, texts.contains("discrepancy_side") ? above : std::abs(above));
        }
        const double unit = outcome.plan.discrepancy->unit;
        check_true("value", std::abs(unit * static_cast<double>(outcome.integer) - value) <=
                                unit + 2e-9 * bound);
        check_close("sensitivity", unit * static_cast<double>(outcome.plan.discrepancy->most),
                    bound / 300.0 * (1.0 + 0x1p-9), 1e-9);
    }
}

void threads_change_nothing() {
    for (const OptionTexts &loss : losses()) {
        OptionTexts texts = texts_for(loss, "target");
        const Data source = make_labelled(300, 0.0, 5, loss);
        const Data target = make_labelled(700, 0.7, 6, loss);
        const Outcome one = release(source, target, settings_for(texts));
        texts["threads"] = "3";
        const Outcome three = release(source, target, settings_for(texts));
        check_true(name_of(loss), one.released == three.released && one.integer == three.integer);
    }
}

dpa_status status_of(const OptionTexts &texts, const Data &data, std::string &message) {
    try {
        (void)release(data, data, settings_for(texts));
        return DPA_OK;
    } catch (const Error &error) {
        message = error.what();
        return error.status();
    }
}

void without_a_bound_it_is_refused() {
    const Data signs = make_labelled(30, 0.0, 7, {{"loss", "logistic"}});
    OptionTexts texts = {
        {"private_domain", "both"}, {"preprocess", "none"}, {"loss", "logistic"}, {"radius", "2"}};
    std::string message;
    check_true("no bound", status_of(texts, signs, message) == DPA_E_OPTION);
    check_true(message, message.find("feature_radius") != std::string::npos);
    texts["feature_radius"] = "4";
    check_true("with a bound", status_of(texts, signs, message) == DPA_OK);
    texts["discrepancy_center"] = "source";
    check_true("no centre", status_of(texts, signs, message) == DPA_E_OPTION);
    check_true(message, message.find("discrepancy_center") != std::string::npos);
    check_true("too large", status_of({{"form", "general"}, {"radius", "1e40"}}, signs, message) ==
                                DPA_E_OPTION);
    check_true(message, message.find("1e60") != std::string::npos);
}

/** What the caller declares is never exceeded, though the public losses may be larger. */
void a_declared_bound_limits_the_noise() {
    const Data data = make_labelled(30, 0.0, 7, {});
    const Settings settings = settings_for({{"loss", "custom"}}, Wanted::discrepancy, 0.5);
    check_true("bound", release(data, data, settings).bound == 0.5);
}

/** The tolerance is public: the default, or at least what rounding needs. */
void a_tolerance_below_the_rounding_is_refused() {
    const Data data = make_labelled(30, 0.0, 8, {});
    std::string message;
    check_true("refused", status_of({{"loss", "huber"}, {"discrepancy_tolerance", "1e-14"}}, data,
                                    message) == DPA_E_OPTION);
    check_true(message, message.find("discrepancy_tolerance") != std::string::npos);
    check_true("allowed", status_of({{"loss", "huber"}, {"discrepancy_tolerance", "1e-12"}}, data,
                                    message) == DPA_OK);
}

/** Only a fit in which weights can leave their reference needs one. */
void a_fit_asks_for_it_where_weights_can_change() {
    NoControl control;
    const Data data = make_labelled(60, 0.0, 9, {{"loss", "logistic"}});
    const Sample source = data.sample();
    const Sample target = data.sample();
    for (const std::string lambda : {"auto", "0.5"}) {
        const Settings settings = settings_for(
            {{"loss", "logistic"}, {"alpha", "0.5"}, {"lambda_1", lambda}}, Wanted::fit);
        const PrivateCall call(source, target, settings, Wanted::fit, control);
        check_true("released", call.request().discrepancy == (lambda != "auto"));
        check_true("bound", std::isnan(call.facts().general_bound) == (lambda == "auto"));
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_value_is_the_largest_difference_of_clipped_means),
        core_test(threads_change_nothing),
        core_test(without_a_bound_it_is_refused),
        core_test(a_declared_bound_limits_the_noise),
        core_test(a_tolerance_below_the_rounding_is_refused),
        core_test(a_fit_asks_for_it_where_weights_can_change),
        // The slowest comes last: mutants die before it.
        core_test(neighbours_differ_by_at_most_the_sensitivity),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
