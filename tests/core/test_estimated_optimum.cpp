// The optimum from released gradients: what clips leave of them far away is what a simulation says,
// noise is averaged, and steps that clips or a long metric hold back leave no bias.
#include "privacy/replay.hpp"
#include "private/estimated_optimum.hpp"
#include "problem/public_sample.hpp"

using namespace dpadapt;

namespace {

constexpr arma::uword kParameters = kFeatures + 1;  // with the intercept

arma::vec normal_vector(Random &random, arma::uword d) {
    arma::vec sample(d);
    for (double &value : sample) value = random.normal();
    return sample;
}

/** Features and noise of labels are normal, of deviation 1; so the Hessian is nearly I. */
Data public_rows(std::size_t rows) {
    Random random(11);
    Data data{std::vector<double>(rows * kFeatures), std::vector<double>(rows)};
    for (double &value : data.x) value = random.normal();
    for (std::size_t i = 0; i < rows; ++i) data.y[i] = data.x[i * kFeatures] + random.normal();
    return data;
}

Metric plain_metric(double clip) {
    Metric metric;
    metric.maps_rows = true;
    metric.unit = 2.0;
    metric.map = arma::mat(kParameters, kParameters, arma::fill::eye);
    metric.inverse = metric.public_map = metric.map;
    metric.clip = clip;
    metric.term_square = 1.0;
    metric.start.zeros(kParameters);
    return metric;
}

/** Mean clipped gradient of half the squared loss at v, where the labels are noise. */
arma::vec simulated_gradient(Random &random, const arma::vec &v, double clip, unsigned draws) {
    arma::vec mean(v.n_elem, arma::fill::zeros);
    for (unsigned k = 0; k < draws; ++k) {
        arma::vec row = normal_vector(random, v.n_elem);
        row(v.n_elem - 1) = 1.0;
        const arma::vec gradient = (arma::dot(row, v) + random.normal()) * row;
        mean += std::min(1.0, clip / arma::norm(gradient)) * gradient / draws;
    }
    return mean;
}

/** Works on public rows of a fit. */
template <typename Work>
void with_public_rows(const Work &work) {
    NoControl control;
    const Data data = public_rows(5000);
    const Sample sample = data.sample();
    const Settings settings = settings_of({{"epsilon", "1"}, {"delta", "1e-5"}}, Wanted::fit);
    work(PublicSample(sample, "source", settings, control));
}

void what_clips_leave_is_what_they_leave_of_other_rows() {
    with_public_rows([](const PublicSample &sample) {
        constexpr unsigned kDraws = 200000;
        Random random(3);
        for (const double clip : {1.5, 4.0}) {
            Metric metric = plain_metric(clip);
            metric.start = metric.to_v(sample.fit());
            Saturation saturation(sample, metric);
            check_true("without a direction", saturation(10.0) == 1.0);
            arma::vec direction(kParameters, arma::fill::zeros);
            direction(1) = 1.0;
            saturation.aim(5.0 * direction);
            double before = 1.0;
            const double near =
                simulated_gradient(random, 0.15 * direction, clip, 2 * kDraws)(1) / 0.15;
            for (const double distance : {0.3, 1.0, 2.0, 4.0}) {
                const arma::vec gradient =
                    simulated_gradient(random, distance * direction, clip, kDraws);
                const double share = std::max(0.25, gradient(1) / distance / near);
                check_close("what is left", saturation(distance), share, 0.2);
                check_true("less far away", saturation(distance) <= before);
                before = saturation(distance);
            }
            check_true("of far gradients a quarter", saturation(1e6) == 0.25);
        }
        Saturation whole(sample, plain_metric(1e9));
        whole.aim(arma::vec(kParameters, arma::fill::ones));
        for (const double distance : {0.1, 3.0, 1e4})
            check_close("nothing is clipped", whole(distance), 1.0, 1e-6);
    });
}

/** Of gradients at one point, without a shift, every one counts alike. */
void noise_is_averaged() {
    const Metric metric = plain_metric(1.0);
    EstimatedOptimum optimum(metric, std::nullopt, {0.01, 6.0}, 1.0);
    Random random(5);
    arma::vec mean(kParameters, arma::fill::zeros);
    const arma::vec none(kParameters, arma::fill::zeros);
    for (unsigned step = 1; step <= 20; ++step) {
        const arma::vec noise = normal_vector(random, kParameters);
        mean -= noise / 20.0;
        optimum.add(none, noise, 1.0);
    }
    optimum.update(none);
    for (arma::uword k = 0; k < kParameters; ++k)
        check_close("the mean", optimum.mean()(k), mean(k), 1e-12);
    check_close("its variance", optimum.variance(), 1.0 / 20.0, 1e-12);
}

/** Curvature 0.2 in one direction: a running mean would keep 20^-0.2, more than half. */
void a_long_metric_leaves_no_bias() {
    const Metric metric = plain_metric(1.0);
    EstimatedOptimum optimum(metric, std::nullopt, {0.01, 6.0}, 1e-6);
    const arma::vec curvature{1.0, 0.2, 1.0, 1.0};
    const arma::vec truth{3.0, 3.0, 0.0, -3.0};
    arma::vec v = metric.start;
    for (unsigned step = 1; step <= 20; ++step) {
        optimum.add(v, curvature % (v - truth), 1.0);
        optimum.update(v);
        v = optimum.mean();
    }
    check_true("the flat direction", std::abs(v(1) - truth(1)) <= 0.1 * truth(1));
    check_true("the others", std::abs(v(0) - truth(0)) + std::abs(v(3) - truth(3)) <= 0.05);
}

/** Hundreds of steps are kept as pairs of pairs. */
void many_steps_keep_their_mean() {
    const Metric metric = plain_metric(1.0);
    EstimatedOptimum optimum(metric, std::nullopt, {0.01, 6.0}, 1.0);
    const arma::vec none(kParameters, arma::fill::zeros);
    double sum = 0.0;
    constexpr unsigned kSteps = 1000;
    for (unsigned step = 0; step < kSteps; ++step) {
        arma::vec gradient = none;
        gradient(0) = step % 7;
        sum -= gradient(0);
        optimum.add(none, gradient, 1.0);
    }
    optimum.update(none);
    check_close("the mean", optimum.mean()(0), sum / kSteps, 1e-12);
    check_close("its variance", optimum.variance(), 1.0 / kSteps, 1e-12);
}

/** An optimum that is far beyond the clip: a running mean would be a third of the way off. */
void a_clipped_start_leaves_no_bias() {
    with_public_rows([](const PublicSample &sample) {
        constexpr unsigned kRecords = 20000;
        constexpr double kClip = 2.0;
        Metric metric = plain_metric(kClip);
        metric.start = metric.to_v(sample.fit());
        EstimatedOptimum optimum(metric, Saturation(sample, metric), {0.002, 4.0}, 1e-4);
        Random random(9);
        const arma::vec shift{6.0, -6.0, 6.0, 0.0};
        arma::vec v(kParameters, arma::fill::zeros);
        for (unsigned step = 1; step <= 20; ++step) {
            const arma::vec gradient = simulated_gradient(random, v - shift, kClip, kRecords) +
                                       0.01 * normal_vector(random, kParameters);
            optimum.add(v + metric.start, gradient, 1.0);
            optimum.aim(v);
            for (unsigned round = 0; round < 3; ++round) {
                optimum.update(v);
                v = optimum.mean() - metric.start;
            }
        }
        check_true("arrived", arma::norm(v - shift) <= 0.05 * arma::norm(shift));
        check_true("its noise is told", optimum.variance() >= 1e-4 / 20.0);
    });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(what_clips_leave_is_what_they_leave_of_other_rows),
        core_test(noise_is_averaged),
        core_test(a_long_metric_leaves_no_bias),
        core_test(many_steps_keep_their_mean),
        core_test(a_clipped_start_leaves_no_bias),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
