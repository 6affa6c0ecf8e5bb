// What clips may hide: known distributions, of which the clipped mean gives back the mean.
#include "core/core.hpp"
#include "evaluate/error_bound.hpp"

using namespace dpadapt::evaluate;

namespace {

/** Losses of a tail, in units of the bound, by their quantiles. */
double loss_at(Tail tail, double scale, double level) {
    if (tail == Tail::exponential) return -scale * std::log1p(-level);
    const bool heavy = tail == Tail::heavy_squares || tail == Tail::heavy_absolutes;
    double low = 0.0;
    double high = 1e4;
    for (int step = 0; step < 80; ++step) {
        const double t = 0.5 * (low + high);
        const double s = t / std::hypot(2.0, t);
        const double below = heavy ? 1.5 * s - 0.5 * s * s * s : std::erf(t * M_SQRT1_2);
        (below < level ? low : high) = t;
    }
    const double size = scale * low;
    return tail == Tail::squares || tail == Tail::heavy_squares ? size * size : size;
}

void the_tail_of_the_clipped_mean_is_added() {
    constexpr int kPoints = 20000;
    for (const Tail tail : {Tail::squares, Tail::absolutes, Tail::heavy_squares,
                            Tail::heavy_absolutes, Tail::exponential})
        for (const double scale : {0.3, 0.7, 2.0}) {
            double mean = 0.0;
            double clipped = 0.0;
            double share = 0.0;
            for (int k = 0; k < kPoints; ++k) {
                const double loss = loss_at(tail, scale, (k + 0.5) / kPoints);
                mean += loss / kPoints;
                clipped += std::min(loss, 1.0) / kPoints;
                share += (loss > 1.0 ? 1.0 : 0.0) / kPoints;
            }
            const std::string name =
                std::to_string(static_cast<int>(tail)) + " at scale " + std::to_string(scale);
            const Interval exact{clipped, clipped, clipped};
            const double hidden = hidden_by_clips(exact, {share, 0.0, 1.0}, tail);
            check_close(name + " by the mean", clipped + hidden, mean, 0.02);
            const double by_share = hidden_by_clips({0.9, 0.9, 0.9}, {share, 0.0, share}, tail);
            if (clipped < 0.9) check_close(name + " by the share", clipped + by_share, mean, 0.02);
        }
}

void what_nothing_bounds_is_open() {
    const Interval sure{0.1, 0.09, 0.11};
    check_true("at its bound",
               std::isinf(hidden_by_clips({0.9, 0.5, 1.0}, {0.5, 0.0, 1.0}, Tail::squares)));
    check_true("many more than the tail has",
               std::isinf(hidden_by_clips(sure, {0.08, 0.06, 0.1}, Tail::squares)));
    check_close("a few more: at most twice the bound",
                hidden_by_clips({0.1, 0.0999, 0.1001}, {0.005, 0.004, 0.006}, Tail::squares), 0.006,
                1e-12);
    check_true("none", hidden_by_clips(sure, {0.0, 0.0, 0.001}, Tail::squares) < 1e-3);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_tail_of_the_clipped_mean_is_added),
        core_test(what_nothing_bounds_is_open),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
