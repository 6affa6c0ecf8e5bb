// What a worker of passes takes for a record: each request of a private fit, carried out once more
// over rows in batches, one thread, CPU time, the least of some rounds. Bar: 150 ns at 20 features
// of a gradient. One JSON line a layout: moments (the costliest request) and gradients (the median
// of the others), ns a record, beside a plain sum of the same numbers.
#include <algorithm>
#include <ctime>

#include "instance.hpp"

namespace {

using Request = std::vector<uint8_t>;

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/** The target's rows, in batches as an engine has them. */
struct Rows {
    const Instance &instance;
    std::size_t batch;
    std::vector<double> columns;  ///< batch after batch, column after column; empty: row by row

    Rows(const Instance &of, std::size_t at_a_time, bool by_columns)
        : instance(of), batch(at_a_time) {
        const std::size_t d = of.cols;
        if (!by_columns) return;
        columns.resize(of.target() * d);
        for (std::size_t i = 0; i < of.target(); ++i) {
            const std::size_t begin = i - i % batch;
            const std::size_t count = std::min(batch, of.target() - begin);
            for (std::size_t j = 0; j < d; ++j)
                columns[begin * d + j * count + (i - begin)] = of.x[(of.source + i) * d + j];
        }
    }
    void add(dpa_partial *to) const {
        const std::size_t d = instance.cols;
        for (std::size_t begin = 0; begin < instance.target(); begin += batch) {
            const std::size_t count = std::min(batch, instance.target() - begin);
            const double *y = instance.y.data() + instance.source + begin;
            const double *x = columns.empty() ? instance.x + (instance.source + begin) * d
                                              : columns.data() + begin * d;
            check(dpa_partial_add(to,
                                  dpa_matrix{x, count, d, columns.empty() ? d : count,
                                             columns.empty() ? DPA_ROW_MAJOR : DPA_COL_MAJOR},
                                  y, count, nullptr, 0));
        }
    }
};

struct Driver {
    const Rows &rows;
    std::vector<Request> requests;
};

int32_t pass(const uint8_t *request, size_t size, dpa_partial *total, void *user) {
    auto *driver = static_cast<Driver *>(user);
    driver->requests.emplace_back(request, request + size);
    driver->rows.add(total);
    return 0;
}

std::vector<Request> requests_of_fit(const Rows &rows) {
    const Instance &instance = rows.instance;
    const std::size_t d = instance.cols;
    Driver driver{rows, {}};
    dpa_problem *problem = nullptr;
    dpa_options *options = nullptr;
    dpa_solution *solution = nullptr;
    check(dpa_problem_create(&problem));
    const std::unique_ptr<dpa_problem, Deleter> keep_problem(problem);
    check(dpa_options_create(&options));
    const std::unique_ptr<dpa_options, Deleter> keep_options(options);
    check(dpa_options_parse(options, "epsilon", "1"));
    check(dpa_options_parse(options, "delta", "1e-6"));
    check(dpa_problem_lend_sample(problem, DPA_SOURCE,
                                  dpa_matrix{instance.x, instance.source, d, d, DPA_ROW_MAJOR},
                                  instance.y.data(), instance.source));
    check(dpa_problem_set_passes(problem, DPA_TARGET, instance.target(), d, pass, &driver));
    check(dpa_solve(problem, nullptr, options, &solution));
    dpa_solution_destroy(solution);
    return driver.requests;
}

double least_time(const Rows &rows, const Request &request, int rounds) {
    double least = 1e300;
    for (int round = 0; round < rounds; ++round) {
        dpa_partial *partial = nullptr;
        check(dpa_partial_create(request.data(), request.size(), &partial));
        const double begin = cpu_seconds();
        rows.add(partial);
        least = std::min(least, cpu_seconds() - begin);
        dpa_partial_destroy(partial);
    }
    return 1e9 * least / static_cast<double>(rows.instance.target());
}

double time_of_sum(const Instance &instance, int rounds) {
    const double *x = instance.x + instance.source * instance.cols;
    const std::size_t n = instance.target() * instance.cols;
    double least = 1e300;
    volatile double seen = 0.0;
    for (int round = 0; round < rounds; ++round) {
        const double begin = cpu_seconds();
        double sums[16] = {};
        for (std::size_t i = 0; i + 16 <= n; i += 16)
            for (std::size_t k = 0; k < 16; ++k) sums[k] += x[i + k];
        for (const double sum : sums) seen = seen + sum;
        least = std::min(least, cpu_seconds() - begin);
    }
    return 1e9 * least / static_cast<double>(instance.target());
}

void measure(const Instance &instance, std::size_t batch, bool by_columns, int rounds) {
    const Rows rows(instance, batch, by_columns);
    std::vector<double> times;
    for (const Request &request : requests_of_fit(rows))
        times.push_back(least_time(rows, request, rounds));
    std::sort(times.begin(), times.end());
    std::printf(
        "{\"rows\": %zu, \"columns\": %zu, \"batch\": %zu, \"layout\": \"%s\", \"requests\": %zu, "
        "\"gradient_ns\": %.0f, \"moments_ns\": %.0f, \"sum_ns\": %.0f}\n",
        instance.target(), instance.cols, batch, by_columns ? "columns" : "rows", times.size(),
        times[times.size() / 2], times.back(), time_of_sum(instance, rounds));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    const std::size_t source = 5000;
    const std::size_t target = smoke ? 2000 : 200000;
    for (const std::size_t cols : {10, 20, 50, 100}) {
        const Instance instance(source + target, cols, source);
        for (const bool by_columns : {false, true})
            for (const std::size_t batch : {std::size_t{2048}, target})
                measure(instance, batch, by_columns, smoke ? 1 : 5);
        if (smoke) break;
    }
    return EXIT_SUCCESS;
}
