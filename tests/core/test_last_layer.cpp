// A private perceptron fits its last layer: the network that it starts from is the public one, the
// records are read as the public rows are, and a target that no public unit separates is followed.
#include <numbers>

#include "privacy/replay.hpp"
#include "records/arithmetic.hpp"
#include "solution/findings.hpp"
#include "solution/predict.hpp"

using namespace dpadapt;

namespace {

/** Two moons in the first two features, turned; the third one says nothing. */
Data moons(std::size_t rows, double turn, unsigned seed) {
    Random random(seed);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (std::size_t i = 0; i < rows; ++i) {
        const double angle = std::numbers::pi * (0.5 + 0.5 * std::erf(random.normal()));
        const bool upper = random.normal() < 0.0;
        const double a = (upper ? std::cos(angle) : 1.0 - std::cos(angle)) + 0.15 * random.normal();
        const double b = (upper ? std::sin(angle) : 0.5 - std::sin(angle)) + 0.15 * random.normal();
        data.x[i * kFeatures] = std::cos(turn) * a - std::sin(turn) * b;
        data.x[i * kFeatures + 1] =
            std::sin(turn) * a + std::cos(turn) * b + (turn > 0.0 ? 0.2 : 0);
        data.y[i] = upper ? -1.0 : 1.0;
    }
    return data;
}

constexpr double kTurn = 0.6;

OptionTexts network(const std::string &epsilon) {
    return {{"loss", "perceptron"}, {"perceptron_output", "logistic"},
            {"hidden_units", "8"},  {"epsilon", epsilon},
            {"delta", "1e-5"},      {"unsafe_seed", "1"}};
}

double accuracy(const Solution &solution, const Data &data) {
    const std::vector<double> labels = predict(solution, data.sample().x());
    double right = 0.0;
    for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == data.y[i] ? 1.0 : 0.0;
    return right / static_cast<double>(labels.size());
}

Solution described(const PrivateProblem &problem, const arma::vec &theta) {
    return describe_predictor(problem.preprocess(), problem.predictor(), problem.parameters(theta));
}

/** Random units beside the public ones have no weight yet. */
void the_public_network_is_where_it_starts() {
    const Data source = moons(300, 0.0, 1);
    const Sample sample = source.sample();
    NoControl control;
    for (const std::string hidden : {"3", "3 4"}) {
        OptionTexts texts = network("1");
        texts["hidden_units"] = hidden;
        const Settings settings = settings_of(texts, Wanted::fit);
        const PrivateProblem all(sample, sample, settings, control);
        const PrivateProblem last(sample, sample, settings, control, Part::last_layer);
        const std::vector<double> a = scores(described(all, all.start(1)), sample.x());
        const std::vector<double> b = scores(described(last, last.start(1)), sample.x());
        for (std::size_t i = 0; i < a.size(); ++i)
            if (std::abs(a[i] - b[i]) > 1e-12) check_true("the same scores", false);
        check_true("it is wider", last.predictor().hidden.back() > all.predictor().hidden.back());

        // What a reader makes of the record is what the public sample has for it.
        const records::Coordinates to = records::coordinates_of(last);
        arma::mat rows;
        last.public_sample()->rows().fill(0, 20, rows);
        arma::mat inputs;
        all.public_sample()->rows().fill(0, 20, inputs);
        loss::HiddenUnits units(to.hidden);
        arma::vec made(to.dimension());
        for (arma::uword i = 0; i < rows.n_cols; ++i) {
            units({inputs.colptr(i), inputs.n_rows}, made.memptr());
            check_true("the same units", arma::approx_equal(made, rows.col(i), "absdiff", 1e-12));
            for (arma::uword j = 0; j < 2; ++j) {  // the third column is constant
                const double unit = made(made.n_elem - 1 - kFeatures + j);
                const double z = 0.5 * inputs(j, i);
                check_true("nearly linear",
                           unit * z > 0.0 && std::abs(unit) < std::abs(z) &&
                               std::abs(unit) >= std::tanh(std::tanh(0.9 * std::abs(z))));
            }
        }
        check_true("bounded", arma::norm(rows.col(0)) <= last.record_radius());
    }
}

void it_follows_the_target_and_does_no_harm() {
    const Data source = moons(1000, 0.0, 1);
    const Data test = moons(4000, kTurn, 3);
    const Data many = moons(10000, kTurn, 2);
    const Data few = moons(40, kTurn, 4);
    const Sample sample = source.sample();
    NoControl control;
    const PrivateProblem problem(sample, sample, settings_of(network("4"), Wanted::fit), control);
    const double before = accuracy(described(problem, problem.start(1)), test);
    check_true("the source's network is not the target's", before < 0.95);
    const double after = accuracy(run_private(source, many, network("4"), nullptr).solution, test);
    check_true("10000 records: " + std::to_string(after), after >= 0.97);
    for (unsigned seed = 1; seed <= 3; ++seed) {
        OptionTexts texts = network("0.5");
        texts["unsafe_seed"] = std::to_string(seed);
        const double kept = accuracy(run_private(source, few, texts, nullptr).solution, test);
        check_true("40 records do no harm", kept >= before - 0.003);
    }
}

/** Slopes of a network that is sure of its classes would clip those of all other records. */
void a_thousand_records_turn_a_sure_network() {
    const Data test = moons(2000, kTurn, 3);
    double least = 1.0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
        OptionTexts texts = network("1");
        texts["hidden_units"] = "16";
        texts["unsafe_seed"] = std::to_string(seed);
        const Solution solution =
            run_private(moons(1000, 0.0, 10 + seed), moons(1000, kTurn, 20 + seed), texts, nullptr)
                .solution;
        least = std::min(least, accuracy(solution, test));
    }
    check_true("the worst of four: " + std::to_string(least), least >= 0.9);
}

void another_metric_fits_all_layers() {
    const Data source = moons(200, 0.0, 1);
    OptionTexts texts = network("1");
    check_true("wider",
               run_private(source, source, texts, nullptr).solution.loss.hidden.back() > 8);
    texts["metric"] = "gradients";
    const Run all = run_private(source, source, texts, nullptr);
    check_true("as wide as asked for", all.solution.loss.hidden.back() == 8);
    // And one more, which counts records.
    check_true("all parameters", all.plan.releases.back().dimension == 4 * 8 + 9 + 1);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_public_network_is_where_it_starts),
        core_test(it_follows_the_target_and_does_no_harm),
        core_test(a_thousand_records_turn_a_sure_network),
        core_test(another_metric_fits_all_layers),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
