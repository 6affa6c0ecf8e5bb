// The clip of two private samples follows the lengths of their gradients, whatever it was at first,
// and is never longer than it was.
#include "core/core.hpp"
#include "private/steps.hpp"

using dpadapt::ClipScale;

namespace {

constexpr std::size_t kRecords = 4000;
constexpr double kMedian = 0.6745;  // of the absolute values of a normal variable

/** Share of the clipped gradients that are shorter than the scale asks for. */
double share_below(const ClipScale &scale, double length, Random &random) {
    double below = 0.0;
    for (std::size_t i = 0; i < kRecords; ++i) {
        const double clipped = std::min(std::abs(length * random.normal()), scale());
        below += clipped < scale.below() * scale() ? 1.0 : 0.0;
    }
    return below / kRecords;
}

/** After 20 steps at which gradients have this length, in units of the guessed clip. */
double scale_of(double length, double noise, unsigned seed) {
    Random random(seed);
    ClipScale scale(noise);
    for (int step = 0; step < 20; ++step)
        scale.see(share_below(scale, length, random) + noise * random.normal());
    return scale();
}

void a_clip_comes_down_to_the_gradients() {
    for (const double length : {0.3, 0.1, 0.02, 0.005}) {
        const double scale = scale_of(length, 0.01, 1);
        std::printf("gradients of %g: scale %g\n", length, scale);
        check_true("above the median", scale > 1.2 * kMedian * length);
        check_true("not far above", scale < 1.4 * kMedian * length);
    }
}

void noise_leaves_it_near() {
    double worst = 1.0;
    for (unsigned seed = 1; seed <= 50; ++seed) {
        const double ratio = scale_of(0.1, 0.3, seed) / (kMedian * 0.1);
        worst = std::max({worst, ratio, 1.0 / ratio});
    }
    std::printf("with noise of 0.3: off by a factor of %g at most\n", worst);
    check_true("near", worst < 5.0);
}

void it_is_never_longer() {
    for (const double length : {1.0, 10.0, 1e6})
        check_true("as it was", scale_of(length, 0.01, 1) <= 1.0);
    check_true("long gradients keep it", scale_of(10.0, 0.01, 1) == 1.0);
}

/** Steps that begin far away keep the clip; where they have arrived, it comes down within a few. */
void long_gradients_are_soon_forgotten() {
    Random random(3);
    ClipScale scale(0.01);
    for (int step = 0; step < 10; ++step) scale.see(share_below(scale, 50.0, random));
    check_true("still", scale() == 1.0);
    for (int step = 0; step < 10; ++step) scale.see(share_below(scale, 0.1, random));
    check_true("down", scale() < 0.25);
}

void the_target_begins_where_the_source_ended() {
    Random random(4);
    ClipScale source(0.01);
    for (int step = 0; step < 20; ++step) source.see(share_below(source, 0.05, random));
    ClipScale target(0.3);
    check_true("a guess", target() == 1.0);
    target.begin(source);
    check_true("the source's", target() == source());
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(a_clip_comes_down_to_the_gradients),
        core_test(noise_leaves_it_near),
        core_test(it_is_never_longer),
        core_test(long_gradients_are_soon_forgotten),
        core_test(the_target_begins_where_the_source_ended),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
