// The instance of the benchmarks: source and target rows of a shifted linear model, 90 % source
// unless said otherwise, row-major.
#pragma once

#include <dpadapt/dpadapt.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

struct Instance {
    Instance(std::size_t rows, std::size_t columns) : Instance(rows, columns, rows - rows / 10) {}

    Instance(std::size_t rows, std::size_t columns, std::size_t source_rows)
        : cols(columns), source(source_rows), y(rows), storage_(rows * columns + 8) {
        x = storage_.data();
        while (reinterpret_cast<std::uintptr_t>(x) % 64 != 0) ++x;  // as the library aligns copies
        std::uint64_t state = 1;
        const auto uniform = [&] {
            state = state * 6364136223846793005U + 1442695040888963407U;
            return static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
        };
        for (std::size_t i = 0; i < rows; ++i) {
            for (std::size_t j = 0; j < cols; ++j) {
                x[i * cols + j] = uniform() + (i < source ? 0.0 : 0.05);
                y[i] += x[i * cols + j] * (j % 3 == 0 ? 1.0 : -0.5);
            }
            y[i] += (i % 50 == 0 ? 20.0 : 1.0) * uniform();
        }
    }
    std::size_t cols;
    std::size_t source;
    std::vector<double> y;
    double *x = nullptr;

    [[nodiscard]] std::size_t rows() const { return y.size(); }
    [[nodiscard]] std::size_t target() const { return rows() - source; }

  private:
    std::vector<double> storage_;
};

inline void check(dpa_status status) {
    if (status == DPA_OK) return;
    std::fprintf(stderr, "%s\n", dpa_last_error());
    std::exit(EXIT_FAILURE);
}

struct Deleter {
    void operator()(dpa_problem *handle) const { dpa_problem_destroy(handle); }
    void operator()(dpa_options *handle) const { dpa_options_destroy(handle); }
    void operator()(dpa_solution *handle) const { dpa_solution_destroy(handle); }
};

/** Solves with the defaults; the samples are lent or copied. Returns the number of iterations. */
inline std::int64_t solve(const Instance &instance, bool lend, std::int64_t threads) {
    dpa_problem *problem = nullptr;
    check(dpa_problem_create(&problem));
    const std::unique_ptr<dpa_problem, Deleter> keep_problem(problem);
    const auto set = lend ? dpa_problem_lend_sample : dpa_problem_set_sample;
    const std::size_t d = instance.cols;
    check(set(problem, DPA_SOURCE, {instance.x, instance.source, d, d, DPA_ROW_MAJOR},
              instance.y.data(), instance.source));
    check(set(problem, DPA_TARGET,
              {instance.x + instance.source * d, instance.target(), d, d, DPA_ROW_MAJOR},
              instance.y.data() + instance.source, instance.target()));
    dpa_options *options = nullptr;
    check(dpa_options_create(&options));
    const std::unique_ptr<dpa_options, Deleter> keep_options(options);
    check(dpa_options_parse(options, "private_domain", "none"));
    check(dpa_options_set(options, "threads", static_cast<double>(threads)));
    dpa_solution *solution = nullptr;
    check(dpa_solve(problem, nullptr, options, &solution));
    const std::unique_ptr<dpa_solution, Deleter> keep_solution(solution);
    double iterations = 0.0;
    check(dpa_solution_value(solution, "iterations", &iterations));
    return static_cast<std::int64_t>(iterations);
}

/** Whether the program is run as a test, on a tiny instance. */
inline bool is_smoke(int argc, char **argv) {
    return argc == 2 && std::string_view(argv[1]) == "--smoke";
}
