// The C API from C++: handles with owners, errors as exceptions. Both samples are public here; a
// search chooses how much to trust the source, by rows that no fit has seen, and the duality gap
// certifies the chosen fit.
#include <dpadapt/dpadapt.h>

#include <array>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

void check(dpa_status status) {
    if (status != DPA_OK) throw std::runtime_error(dpa_last_error());
}

template <typename T, void (*destroy)(T *)>
struct Destroy {
    void operator()(T *handle) const { destroy(handle); }
};
template <typename T, void (*destroy)(T *)>
using Owner = std::unique_ptr<T, Destroy<T, destroy>>;

using Problem = Owner<dpa_problem, dpa_problem_destroy>;
using Options = Owner<dpa_options, dpa_options_destroy>;
using Search = Owner<dpa_search, dpa_search_destroy>;
using Solution = Owner<dpa_solution, dpa_solution_destroy>;

/** What create() stores, with its owner. */
template <typename Handle, typename Create>
Handle make(Create create) {
    typename Handle::pointer handle = nullptr;
    check(create(&handle));
    return Handle(handle);
}

struct Sample {
    std::vector<double> x;
    std::vector<double> y;
};

/** Rows of two features with label slope a + b + noise. */
Sample draw(std::size_t rows, double slope, std::mt19937 &engine) {
    std::normal_distribution<double> normal;
    Sample sample;
    for (std::size_t i = 0; i < rows; i++) {
        const double a = normal(engine), b = normal(engine);
        sample.x.insert(sample.x.end(), {a, b});
        sample.y.push_back(slope * a + b + 0.5 * normal(engine));
    }
    return sample;
}

void set(dpa_status (*set_sample)(dpa_problem *, const double *, std::size_t, std::size_t,
                                  std::size_t, std::int32_t, const double *, std::size_t),
         const Problem &problem, const Sample &sample) {
    check(set_sample(problem.get(), sample.x.data(), sample.y.size(), 2, 2, DPA_ROW_MAJOR,
                     sample.y.data(), sample.y.size()));
}

std::string setting(const Search &search, std::size_t candidate, const char *option) {
    std::array<char, 64> text{};
    check(dpa_search_setting(search.get(), candidate, option, text.data(), text.size(), nullptr));
    return text.data();
}

void run() {
    std::mt19937 engine;
    const Problem problem = make<Problem>(dpa_problem_create);
    const Problem validation = make<Problem>(dpa_problem_create);
    set(dpa_problem_set_source, problem, draw(2000, 1.0, engine));
    set(dpa_problem_set_target, problem, draw(30, 1.5, engine));
    set(dpa_problem_set_target, validation, draw(200, 1.5, engine));

    const Options options = make<Options>(dpa_options_create);
    check(dpa_options_set_string(options.get(), "private_domain", "none"));
    const Search search = make<Search>(dpa_search_create);
    check(dpa_search_add(search.get(), "alpha", "0,0.1,0.5,0.9,1"));
    check(dpa_search_add(search.get(), "kappa_1", "0.1,1,auto"));

    const Solution best = make<Solution>([&](dpa_solution **out) {
        return dpa_search_run(search.get(), problem.get(), validation.get(), nullptr, options.get(),
                              out);
    });
    std::size_t chosen = 0;
    check(dpa_search_chosen(search.get(), &chosen));
    std::array<double, 2> w{};
    double gap = 0;
    check(dpa_solution_coefficients(best.get(), w.data(), w.size()));
    check(dpa_solution_duality_gap(best.get(), &gap));
    std::cout << "alpha = " << setting(search, chosen, "alpha")
              << ", kappa_1 = " << setting(search, chosen, "kappa_1") << "\nlabel = " << w[0]
              << " a + " << w[1] << " b, within " << gap << " of the minimum\n";
    if (!(w[0] > 1.2 && w[0] < 1.8))
        throw std::runtime_error("the slope of the target was not found");
}

}  // namespace

int main() {
    try {
        run();
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
