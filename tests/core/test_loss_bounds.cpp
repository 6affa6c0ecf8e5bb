// G, beta and B against gradients, Hessians and values at sampled parameters and records of the
// range: never above, and attained where the derivation says so.
#include <memory>
#include <vector>

#include "core.hpp"
#include "linalg/arma.hpp"
#include "loss/perceptron.hpp"
#include "loss/poisson.hpp"
#include "loss/scores.hpp"
#include "loss/softmax.hpp"
#include "loss/survival.hpp"

using namespace dpadapt::loss;

namespace {

constexpr std::size_t kFeatures = 3;

arma::vec random_direction(std::size_t n, Random &random) {
    arma::vec v(n);
    for (double &value : v) value = random.normal();
    return v / arma::norm(v);
}

std::vector<double> labels_of(const Loss &loss, double label_bound) {
    if (loss.accepts(0.5)) {
        if (loss.accepts(-1.0) && !loss.accepts(0.0)) return {-1e9, 1e-9, 2.0};  // times to 2
        const double least = loss.accepts(0.0) ? 0.0 : 1e-310;
        return {loss.accepts(-1.0) ? -label_bound : least, label_bound};
    }
    std::vector<double> labels;
    for (const double label : {-1.0, 0.0, 1.0, 2.0, 3.0})
        if (loss.accepts(label)) labels.push_back(label);
    return labels;
}

arma::vec gradient_at(const Loss &loss, const arma::vec &x, double label, const arma::vec &theta,
                      double *value) {
    arma::vec gradient(theta.n_elem);
    loss.evaluate({1, x.n_elem, x.memptr(), &label}, {theta.memptr(), theta.n_elem}, {value, 1},
                  {gradient.memptr(), gradient.n_elem});
    return gradient;
}

double hessian_norm(const Loss &loss, const arma::vec &x, double label, const arma::vec &theta) {
    constexpr double kStep = 1e-5;
    arma::mat hessian(theta.n_elem, theta.n_elem);
    double value = 0.0;
    for (arma::uword j = 0; j < theta.n_elem; ++j) {
        arma::vec moved = theta;
        moved(j) = theta(j) + kStep;
        const arma::vec above = gradient_at(loss, x, label, moved, &value);
        moved(j) = theta(j) - kStep;
        hessian.col(j) = (above - gradient_at(loss, x, label, moved, &value)) / (2 * kStep);
    }
    return arma::norm(0.5 * (hessian + hessian.t()), 2);
}

/** The largest value, gradient and Hessian found, as shares of the bounds. */
struct Found {
    double value = 0.0;
    double lipschitz = 0.0;
    double smoothness = 0.0;
};

void look(const Loss &loss, const Bounds &bounds, const arma::vec &x, double label,
          const arma::vec &theta, Found &found) {
    double value = 0.0;
    const arma::vec gradient = gradient_at(loss, x, label, theta, &value);
    found.value = std::max(found.value, value / bounds.value);
    found.lipschitz = std::max(found.lipschitz, arma::norm(gradient) / bounds.lipschitz);
    found.smoothness =
        std::max(found.smoothness, hessian_norm(loss, x, label, theta) / bounds.smoothness);
}

/** Random points on and in the ball, each improved by steps that keep what is larger. */
Found search(const Loss &loss, const Range &range, int trials, Random &random) {
    const Bounds bounds = loss.bounds(range);
    Found found;
    const std::size_t width = loss.parameters(kFeatures);
    for (int trial = 0; trial < trials; ++trial)
        for (const double label : labels_of(loss, range.label_bound)) {
            arma::vec theta = range.radius * random_direction(width, random);
            arma::vec x = range.feature_radius * random_direction(kFeatures, random);
            look(loss, bounds, x, label, theta * random.uniform(), found);
            double best = 0.0;
            for (int step = 0; step < 60; ++step) {
                arma::vec moved = theta + 0.5 * range.radius * random_direction(width, random);
                moved *= range.radius / arma::norm(moved);
                double value = 0.0;
                const double size = arma::norm(gradient_at(loss, x, label, moved, &value));
                if (size < best) continue;
                best = size;
                theta = moved;
            }
            look(loss, bounds, x, label, theta, found);
        }
    return found;
}

Found check_bounds(const std::string &name, const Loss &loss, const Range &range) {
    Random random(21);
    const Found found = search(loss, range, 60, random);
    std::printf("%s, Lambda %g, R %g: found %.3f B, %.3f G, %.3f beta\n", name.c_str(),
                range.radius, range.feature_radius, found.value, found.lipschitz, found.smoothness);
    constexpr double kRounding = 1e-5;  // of the differences
    check_true(name + " B", found.value <= 1 + 1e-14);
    check_true(name + " G", found.lipschitz <= 1 + 1e-14);
    check_true(name + " beta", found.smoothness <= 1 + kRounding);
    return found;
}

const Range kRanges[] = {{0.5, 1.0, 1.0}, {2.0, 3.0, 0.7}, {6.0, 0.5, 4.0}, {1.0, 10.0, 1.0}};

void bounds_by_score_hold_and_are_near() {
    for (const Range &range : kRanges) {
        const std::pair<const char *, std::unique_ptr<Loss>> losses[] = {
            {"squared", std::make_unique<Squared>()},
            {"huber", std::make_unique<Huber>(2.0)},
            {"pinball 0.5", std::make_unique<Pinball>(0.5, 2.5)},
            {"pinball 0.9", std::make_unique<Pinball>(0.9, 2.0)},
            {"poisson 0.05", std::make_unique<Poisson>(0.05)},
            {"gamma 0.05", std::make_unique<Gamma>(0.05)},
            {"survival", std::make_unique<Survival>(CumulativeHazard{{0.5, 2.0}, {1.0, 30.0}})},
            {"logistic", std::make_unique<Logistic>()},
            {"softmax 2", std::make_unique<Softmax>(2)},
            {"softmax 4", std::make_unique<Softmax>(4)}};
        for (const auto &[name, loss] : losses) {
            const Found found = check_bounds(name, *loss, range);
            check_true("B is near", found.value >= 0.5);
            check_true("G is near", found.lipschitz >= 0.5);
            check_true("beta is near", found.smoothness >= 0.3);
        }
    }
}

/** At theta = -+Lambda x / R, y = +-Y; the curvature of logistic losses at theta = 0. */
void bounds_are_attained() {
    Random random(22);
    for (const Range &range : kRanges) {
        const arma::vec x = range.feature_radius * random_direction(kFeatures, random);
        const arma::vec along = range.radius / range.feature_radius * x;
        const arma::vec none(kFeatures, arma::fill::zeros);
        const auto check = [&](const std::string &name, const Loss &loss, double label,
                               const arma::vec &theta, const arma::vec &bent) {
            const Bounds bounds = loss.bounds(range);
            double value = 0.0;
            const arma::vec gradient = gradient_at(loss, x, label, theta, &value);
            check_close(name + " B", value, bounds.value, 1e-14);
            check_close(name + " G", arma::norm(gradient), bounds.lipschitz, 1e-14);
            check_close(name + " beta", hessian_norm(loss, x, label, bent), bounds.smoothness,
                        1e-5);
        };
        check("squared", Squared(), -range.label_bound, along, along);
        const double s = arma::dot(along, x);
        check("huber", Huber(1.5), -range.label_bound, along, -along * (range.label_bound / s));
        check("pinball 0.2", Pinball(0.2, 1.5), -range.label_bound, along,
              -along * (range.label_bound / s));
        check("pinball 0.9", Pinball(0.9, 0.5), range.label_bound, -along,
              along * (range.label_bound / s));
        const bool large = range.label_bound > 3.0;  // in one range the other corner has the most
        check("poisson", Poisson(0.02), large ? range.label_bound : 0.0, large ? -along : along,
              along);
        check("gamma", Gamma(1e-9), range.label_bound, -along, -along);
        const Gamma gamma(10.0);  // whose least label has the most
        const double least = 1e-310;
        double most = 0.0;
        const arma::vec gradient = gradient_at(gamma, x, least, along, &most);
        check_close("gamma B", most, gamma.bounds(range).value, 1e-14);
        if (range.label_bound * std::exp(s) < 20.0)
            check_close("gamma G", arma::norm(gradient), gamma.bounds(range).lipschitz, 1e-14);
        check("logistic", Logistic(), -1.0, along, none);
        check("softmax", Softmax(2), 0.0, arma::join_cols(-along, along) / std::sqrt(2.0),
              arma::join_cols(none, none));
    }
}

void bounds_of_perceptrons_hold() {
    for (const Range &range : kRanges) {
        check_bounds("perceptron 1, squared", Perceptron({1}, std::make_unique<Squared>()), range);
        check_bounds("perceptron 3, logistic", Perceptron({3}, std::make_unique<Logistic>()),
                     range);
        check_bounds("perceptron 2-2, softmax", Perceptron({2, 2}, std::make_unique<Softmax>(3)),
                     range);
    }
    // Without hidden layers it is the output loss.
    const Bounds plain = Softmax(3).bounds(kRanges[1]);
    const Bounds none = Perceptron({}, std::make_unique<Softmax>(3)).bounds(kRanges[1]);
    check_close("B", plain.value, none.value, 1e-15);
    check_close("G", plain.lipschitz, none.lipschitz, 1e-15);
    check_close("beta", plain.smoothness, none.smoothness, 1e-15);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(bounds_by_score_hold_and_are_near),
        core_test(bounds_are_attained),
        core_test(bounds_of_perceptrons_hold),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
