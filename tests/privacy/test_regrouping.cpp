// Whose a row is, is the custodian's to say. A locked problem refuses to be told again, and so what
// its fits prove about a whole person stays below what they claim: with an id of its own for each
// of six rows, a stated epsilon of 2 would be 26, and 5.8 would be proven here.
#include <boost/math/distributions/binomial.hpp>

#include "privacy/ledger_files.hpp"

namespace {

constexpr std::size_t kSource = 20;
constexpr std::size_t kTarget = 8;
constexpr std::size_t kTheirs = 6;  ///< rows of the person who is attacked
constexpr int kFits = 3000;
constexpr double kEpsilon = 2.0;
constexpr double kDelta = 0.01;

dpa_options *make_options() {
    dpa_options *options = nullptr;
    check_status("options", dpa_options_create(&options), DPA_OK);
    for (const auto &[name, text] : {std::pair{"epsilon", "2"},
                                     {"delta", "0.01"},
                                     {"iterations", "1"},
                                     {"moments_share", "0"},
                                     {"preprocess", "none"},
                                     {"shrinkage", "0"}})
        check_status(name, dpa_options_parse(options, name, text), DPA_OK);
    return options;
}

/** What the custodian hands out, and an analyst who tells that each row is somebody else's. */
class Locked {
  public:
    Locked(double label, const dpa_options *options) {
        double x[kSource];
        double y[kSource];
        for (std::size_t i = 0; i < kSource; ++i) {
            x[i] = static_cast<double>(i % 5) / 2.0 - 1.0;
            y[i] = x[i] + static_cast<double>(i % 3) / 5.0;
        }
        double target_x[kTarget] = {};
        double target_y[kTarget] = {};
        std::int64_t persons[kTarget] = {};
        std::int64_t own[kTarget];
        for (std::size_t i = 0; i < kTarget; ++i) {
            own[i] = static_cast<std::int64_t>(i);
            persons[i] = i < kTheirs ? 0 : own[i];
            if (i >= kTheirs) continue;
            target_x[i] = 1.0;
            target_y[i] = label;
        }
        check_status("problem", dpa_problem_create(&handle_), DPA_OK);
        check_status("source",
                     dpa_problem_set_sample(handle_, DPA_SOURCE, dpa_matrix{x, kSource, 1, 1, 1}, y,
                                            kSource),
                     DPA_OK);
        check_status(
            "target",
            dpa_problem_set_sample(handle_, DPA_TARGET, dpa_matrix{target_x, kTarget, 1, 1, 1},
                                   target_y, kTarget),
            DPA_OK);
        check_status("persons", dpa_problem_set_groups(handle_, DPA_TARGET, persons, kTarget),
                     DPA_OK);
        check_status("budget", dpa_problem_set_budget(handle_, options), DPA_OK);
        check_status("lock", dpa_problem_lock(handle_, options), DPA_OK);
        check_status("persons again", dpa_problem_set_groups(handle_, DPA_TARGET, own, kTarget),
                     DPA_E_STATE);
    }
    Locked(const Locked &) = delete;
    Locked &operator=(const Locked &) = delete;
    ~Locked() { dpa_problem_destroy(handle_); }

    /** What a fit predicts where the person's rows are. */
    [[nodiscard]] double prediction(const dpa_options *options) const {
        dpa_solution *solution = nullptr;
        check_status("fit", dpa_solve(handle_, nullptr, options, &solution), DPA_OK);
        double slope = 0.0;
        double intercept = 0.0;
        check_status("slope", dpa_solution_array(solution, "coefficients", &slope, 1), DPA_OK);
        check_status("intercept", dpa_solution_array(solution, "intercept", &intercept, 1), DPA_OK);
        dpa_solution_destroy(solution);
        return slope + intercept;
    }

  private:
    dpa_problem *handle_ = nullptr;
};

std::vector<double> predictions(double label, int count, const dpa_options *options) {
    std::vector<double> found;
    for (int k = 0; k < count; ++k) found.push_back(Locked(label, options).prediction(options));
    return found;
}

double above(const std::vector<double> &values, double threshold) {
    return static_cast<double>(std::count_if(values.begin(), values.end(),
                                             [&](double value) { return value > threshold; }));
}

/** With 95 % (Clopper-Pearson): P(high > t) <= e^epsilon P(low > t) + delta. */
double proven_epsilon(const std::vector<double> &high, const std::vector<double> &low,
                      double threshold) {
    using Binomial = boost::math::binomial_distribution<>;
    const auto n = static_cast<double>(high.size());
    const double most = Binomial::find_lower_bound_on_p(n, above(high, threshold), 0.025);
    const double least = Binomial::find_upper_bound_on_p(n, above(low, threshold), 0.025);
    return most > kDelta ? std::max(0.0, std::log((most - kDelta) / least)) : 0.0;
}

/** Half of the fits choose the threshold, the others prove. */
void a_whole_person_is_protected() {
    dpa_options *options = make_options();
    const std::vector<double> first_high = predictions(1e6, kFits / 2, options);
    const std::vector<double> first_low = predictions(-1e6, kFits / 2, options);
    double threshold = 0.0;
    double best = -1.0;
    for (std::size_t k = 0; k < first_high.size(); k += 10) {
        if (above(first_high, first_high[k]) < 0.1 * kFits / 2) continue;  // too few to prove by
        const double proven = proven_epsilon(first_high, first_low, first_high[k]);
        if (proven > best) threshold = first_high[k];
        best = std::max(best, proven);
    }
    const double proven = proven_epsilon(predictions(1e6, kFits / 2, options),
                                         predictions(-1e6, kFits / 2, options), threshold);
    std::printf("a person of %zu rows: claimed %g, proven %.2f\n", kTheirs, kEpsilon, proven);
    check_true("proven epsilon " + std::to_string(proven) + " is not above the claimed",
               proven <= kEpsilon);
    check_true("proven epsilon " + std::to_string(proven) + " shows that there is a test",
               proven >= 0.4);
    dpa_options_destroy(options);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(a_whole_person_is_protected)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
