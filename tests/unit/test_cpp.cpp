// dpadapt.hpp: the C functions with owners, spans and exceptions.
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <dpadapt/dpadapt.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <type_traits>

#ifdef __linux__
#include <sys/resource.h>
#endif

// It has no guard for C++ of its own.
extern "C" {
#include <cmocka.h>
}

namespace {

static_assert(std::is_nothrow_move_constructible_v<dpa::Solution>);
static_assert(std::is_nothrow_move_assignable_v<dpa::Problem>);
static_assert(!std::is_copy_constructible_v<dpa::Options>);

constexpr size_t kRows = 400;

/** Label 2 a + b in the source, 2 a + b + shift in the target. */
struct Data {
    explicit Data(double shift) : x(2 * kRows), y(kRows) {
        for (size_t i = 0; i < kRows; ++i) {
            x[2 * i] = static_cast<double>(i * 7 % 11) / 11.0;
            x[2 * i + 1] = static_cast<double>(i * 5 % 13) / 13.0;
            y[i] = 2.0 * x[2 * i] + x[2 * i + 1] + shift + static_cast<double>(i % 2) / 50.0;
        }
    }
    [[nodiscard]] dpa::Rows rows() const { return {x, 2}; }
    std::vector<double> x, y;
};

const Data kSource(0.0);
const Data kTarget(1.0);

dpa::Problem problem() {
    dpa::Problem problem;
    problem.set_source(kSource.rows(), kSource.y);
    problem.set_target(kTarget.rows(), kTarget.y);
    return problem;
}

/** The call throws exactly that error, with that status and text. */
template <typename Expected, typename Call>
void assert_throws(dpa_status status, const char *text, Call call) {
    try {
        call();
    } catch (const dpa::Error &error) {
        assert_true(typeid(error) == typeid(Expected));
        assert_int_equal(error.status(), status);
        if (std::string(error.what()).find(text) == std::string::npos) fail_msg("%s", error.what());
        return;
    }
    fail_msg("nothing was thrown");
}

void options_take_numbers_words_and_truth_values(void **) {
    dpa::Options options{{"epsilon", 1}, {"delta", 1e-6}, {"alpha", "0.5"}, {"intercept", false}};
    assert_string_equal(options["epsilon"].c_str(), "1");
    assert_string_equal(options["delta"].c_str(), "1e-06");
    assert_string_equal(options["alpha"].c_str(), "0.5");
    assert_string_equal(options["intercept"].c_str(), "false");
    assert_string_equal(options.set("alpha", "auto")["alpha"].c_str(), "auto");
    assert_throws<dpa::Error>(DPA_E_OPTION_NAME, "epslion", [&] { options.set("epslion", 1.0); });
}

void a_source_is_mapped_to_the_columns_of_the_target(void **) {
    const std::vector<double> swap{0, 1, 1, 0};
    std::vector<double> swapped(kSource.x.size());
    for (size_t i = 0; i < swapped.size(); ++i) swapped[i] = kSource.x[i ^ 1];
    dpa::Problem mapped;
    mapped.set_source_map({swap, 2}, std::vector<double>(2));
    mapped.set_source({swapped, 2}, kSource.y);
    mapped.set_target(kTarget.rows(), kTarget.y);
    const dpa::Options options{{"private_domain", "none"}};
    dpa::Problem plain = problem();
    assert_true(dpa::solve(mapped, options).coefficients() ==
                dpa::solve(plain, options).coefficients());
    assert_throws<dpa::Error>(DPA_E_STATE, "before its rows", [&] {
        mapped.set_source_map({swap, 2});
    });
}

void a_fit_agrees_with_that_of_the_c_functions(void **) {
    const dpa::Options options{{"private_domain", "none"}, {"kappa_1", 0.01}};
    dpa::Problem both = problem();
    const dpa::Solution solution = dpa::solve(both, options);
    dpa_solution *plain = nullptr;
    dpa::check(dpa_solve(both.get(), nullptr, options.get(), &plain));
    double w[2], b;
    dpa::check(dpa_solution_array(plain, "coefficients", w, 2));
    dpa::check(dpa_solution_array(plain, "intercept", &b, 1));
    dpa_solution_destroy(plain);
    assert_memory_equal(solution.coefficients().data(), w, sizeof w);
    assert_memory_equal(solution.intercept().data(), &b, sizeof b);
    assert_int_equal(solution.target_weights().size(), kRows);
    assert_true(solution.value("duality_gap") < 1e-3);
    assert_int_equal(solution.privacy().protection, DPA_PROTECTION_NONE);
}

void rows_may_lie_by_columns(void **) {
    const dpa::Options options{{"private_domain", "none"}};
    dpa::Problem both = problem();
    const dpa::Solution solution = dpa::solve(both, options);
    const std::vector<double> by_rows = {1, 2, 3, 4, 5, 6}, by_columns = {1, 3, 5, 2, 4, 6};
    const auto first = solution.predict({by_rows, 2});
    const auto second = solution.predict(dpa::Rows::by_columns(by_columns, 2));
    for (size_t i = 0; i < 3; ++i) assert_true(std::fabs(first[i] - second[i]) < 1e-12);
    assert_throws<dpa::Error>(DPA_E_DIMENSION, "6 numbers are no rows of 4 columns", [&] {
        (void)solution.predict({by_rows, 4});
    });
    assert_throws<dpa::Error>(DPA_E_DIMENSION, "5",
                              [&] { (void)dpa::Rows(std::span(by_rows).first(5), 0); });
}

void a_moved_handle_is_released_once(void **) {
    dpa::Problem first;
    dpa_problem *handle = first.get();
    {
        dpa::Problem second = std::move(first);
        assert_null(first.get());
        assert_ptr_equal(second.get(), handle);
        assert_int_equal(dpa_problem_shape(handle, nullptr, nullptr, nullptr), DPA_OK);
    }
    assert_int_equal(dpa_problem_shape(handle, nullptr, nullptr, nullptr), DPA_E_HANDLE);
}

void a_private_fit_is_one_call(void **) {
    const dpa::Options options{{"epsilon", 4}, {"delta", 1e-5}};
    const dpa::Solution solution =
        dpa::private_fit(kSource.rows(), kSource.y, kTarget.rows(), kTarget.y, options);
    const auto promise = solution.privacy();
    assert_int_equal(promise.protection, DPA_PROTECTION_GUARANTEED);
    assert_true(promise.epsilon == 4.0 && promise.delta == 1e-5);
    assert_true(solution.privacy_report().find("PRIVATE") == 0);
    assert_throws<dpa::Error>(DPA_E_NOT_RELEASABLE, "dpa_solution_array",
                              [&] { (void)solution.target_weights(); });
}

void a_spent_budget_is_a_budget_error(void **) {
    const dpa::Options options{{"epsilon", 1}, {"delta", 1e-5}};
    dpa::Problem both = problem();
    const double mu = dpa::Plan(both, options).value("mu");
    (void)dpa::solve(both, options);
    assert_true(both.budget("spent_mu") == mu);
    assert_throws<dpa::BudgetError>(DPA_E_BUDGET, "", [&] { (void)dpa::solve(both, options); });
}

void a_token_stops_a_call(void **) {
    dpa::Cancel token;
    dpa::Options options{{"private_domain", "none"}};
    options.set_cancel(token);
    dpa::Problem both = problem();
    token.request();
    assert_throws<dpa::CancelledError>(DPA_E_CANCELLED, "",
                                       [&] { (void)dpa::solve(both, options); });
    dpa::check(dpa_options_set_cancel(options.get(), nullptr));
    assert_int_equal(dpa::solve(both, options).shape().features, 2);
}

void a_solution_is_saved_and_loaded(void **) {
    dpa::Problem both = problem();
    const dpa::Solution solution = dpa::solve(both, {{"private_domain", "none"}});
    const std::string path = "test_cpp.model";
    for (const bool weights : {false, true}) {
        solution.save(path, weights);
        const dpa::Solution loaded = dpa::Solution::load(path);
        assert_true(loaded.coefficients() == solution.coefficients());
        assert_true(loaded.predict(kTarget.rows()) == solution.predict(kTarget.rows()));
        if (weights) assert_true(loaded.source_weights() == solution.source_weights());
    }
    std::remove(path.c_str());
    for (const auto &call : {std::function<void()>([&] { (void)dpa::Solution::load(path); }),
                             std::function<void()>([&] { solution.save("no/such/folder"); })}) {
        bool failed = false;
        try {
            call();
        } catch (const std::runtime_error &error) {
            failed = std::string(error.what()).find("cannot ") != std::string::npos;
        }
        assert_true(failed);
    }
}

std::string content(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/** Whether the folder has so many files. */
void assert_files(const std::filesystem::path &folder, std::ptrdiff_t count) {
    const std::filesystem::directory_iterator files(folder);
    assert_int_equal(std::distance(begin(files), end(files)), count);
}

void a_saved_file_is_the_old_one_or_the_new_one(void **) {
    namespace fs = std::filesystem;
    const fs::path folder = "test_cpp.folder";
    fs::remove_all(folder);
    fs::create_directory(folder);
    dpa::Problem both = problem();
    const dpa::Solution open = dpa::solve(both, {{"private_domain", "none"}});
    const dpa::Solution secret =
        dpa::private_fit(kSource.rows(), kSource.y, kTarget.rows(), kTarget.y,
                         {{"epsilon", 1}, {"delta", 1e-6}, {"alpha", 0.5}});
    // A reader of the old file goes on reading it: the new one has taken its name alone.
    const fs::path model = folder / "model", other = folder / "other";
    std::ofstream(model) << "old";
    std::ofstream(other) << "old";
    fs::create_hard_link(model, folder / "reader");
    fs::create_symlink("other", folder / "link");
    open.save(model);
    open.save(folder / "link");
    assert_true(content(folder / "reader") == "old");
    assert_true(content(model) == content(other) && fs::is_symlink(folder / "link"));
    assert_files(folder, 4);
    // Whoever may read what is there may go on; what is new and private is for its owner.
    const fs::perms group = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
    fs::permissions(model, group);
    secret.save(model);
    assert_true(fs::status(model).permissions() == group);
    secret.save(folder / "new");
    assert_true(fs::status(folder / "new").permissions() ==
                (fs::perms::owner_read | fs::perms::owner_write));
    assert_true(dpa::Solution::load(folder / "new").coefficients() == secret.coefficients());
    if (geteuid() == 0) {  // who alone can make another user's link
        fs::permissions(folder, fs::perms::all);
        std::ofstream(other) << "old";
        assert_int_equal(lchown((folder / "link").c_str(), 12345, 12345), 0);
        bool refused = false;
        try {
            open.save(folder / "link");
        } catch (const std::runtime_error &error) {
            refused = std::string(error.what()).find("another user") != std::string::npos;
        }
        assert_true(refused && content(other) == "old");
    }
    // A failure leaves nothing.
    fs::create_directories(folder / "full" / "of");
    bool failed = false;
    try {
        open.save(folder / "full");
    } catch (const std::runtime_error &) {
        failed = true;
    }
    assert_true(failed);
    open.save("/dev/null");
    assert_true(fs::is_character_file("/dev/null"));
    assert_files(folder, 6);
    fs::remove_all(folder);
}

#ifdef __linux__
/** A full disk, by the limit on a file's size. */
void a_full_disk_leaves_the_old_file(void **) {
    dpa::Problem both = problem();
    const dpa::Solution solution = dpa::solve(both, {{"private_domain", "none"}});
    const std::filesystem::path folder = "test_cpp.full";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "model") << "old";
    rlimit before{};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{16, before.rlim_max};
    std::signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    bool failed = false;
    try {
        solution.save(folder / "model");
    } catch (const std::runtime_error &) {
        failed = true;
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_true(failed);
    assert_true(content(folder / "model") == "old");
    assert_files(folder, 1);
    std::filesystem::remove_all(folder);
}
#endif

void a_search_and_an_evaluation_are_read(void **) {
    const dpa::Options options{{"private_domain", "none"}};
    dpa::Problem both = problem(), rows;
    rows.set_target(kTarget.rows(), kTarget.y);
    dpa::Search search;
    search.add("alpha", "0,1");
    const dpa::Solution best = search.run(both, rows, options);
    assert_int_equal(search.chosen(), 0);
    assert_string_equal(search.setting(0, "alpha").c_str(), "0");
    assert_true(search.loss(0) < search.loss(1));
    const dpa::Solution source = dpa::baseline(both, "source_only", options);
    const dpa::Evaluation evaluation(rows, {&best, &source}, options);
    const auto measures = evaluation.measures();
    assert_string_equal(measures[0].name, "squared_error");
    assert_true(measures[0].lower <= measures[0].estimate &&
                measures[0].estimate <= measures[0].upper);
    assert_int_equal(measures.back().solution, 1);
    assert_true(evaluation.report().size() > 100);
}

void tables_become_rows_and_a_model(void **) {
    std::vector<const char *> colours, answers;
    std::vector<double> age;
    for (size_t i = 0; i < 60; ++i) {
        colours.push_back(i % 3 == 0 ? "red" : "blue");
        answers.push_back(i % 2 == 0 ? "no" : "yes");
        age.push_back(static_cast<double>(i * 7 % 11));
    }
    dpa::Table table(60);
    table.add("age", age).add("colour", colours).add("answer", answers);
    dpa::Options options{{"private_domain", "none"}, {"alpha", 0.5}, {"loss", "logistic"}};
    const dpa::Schema schema(table, "answer", options);
    schema.set_loss(options);
    assert_string_equal(options["loss"].c_str(), "logistic");
    assert_int_equal(table.rows(), 60);
    assert_int_equal(schema.features(), 2);
    assert_string_equal(schema.feature(0).c_str(), "age");
    assert_string_equal(schema.label(1).c_str(), "yes");
    assert_true(schema.known_labels().starts_with("no or yes"));
    assert_true(schema.describe().find("colour") != std::string::npos);
    const dpa::Schema::Coded rows = schema.apply(table);
    assert_true(rows.y[1] == 1.0 && rows.x[2] == 7.0);
    dpa::Problem problem;
    problem.lend_source(rows.rows(), rows.y);
    problem.lend_target(rows.rows(), rows.y);
    const dpa::Solution fit = dpa::solve(problem, options);
    const std::string model = schema.model(fit);
    const std::span data(reinterpret_cast<const uint8_t *>(model.data()), model.size());
    assert_true(dpa::Schema::from_bytes(data).bytes() == schema.bytes());
    assert_string_equal(dpa::Solution::from_bytes(data).digest().c_str(), fit.digest().c_str());
}

void estimates_and_weights_are_read(void **) {
    const dpa::Options options{{"private_domain", "none"}, {"alpha", 0.5}, {"discrepancy", 0.1}};
    dpa::Problem both = problem();
    assert_int_equal(both.shape().source_rows, kRows);
    const dpa::Discrepancy discrepancy(both, {{"private_domain", "none"}});
    assert_true(discrepancy.value("lower") <= discrepancy.value());
    assert_true(discrepancy.value() <= discrepancy.value("upper"));
    assert_int_equal(discrepancy.maximizer().size(), 2);
    const dpa::Solution fit = dpa::solve(both, options);
    const std::vector<double> weights = fit.weigh(DPA_SOURCE, kSource.rows(), kSource.y);
    for (size_t i = 0; i < kRows; ++i)
        assert_true(std::fabs(weights[i] - fit.source_weights()[i]) < 1e-12);
    assert_int_equal(fit.intervals(0.9).size(), 6);
    assert_string_equal(fit.termination().c_str(), "converged");
    assert_true(fit.value(dpa::Solution::settings().front()) == 0.5);
    assert_int_equal(dpa::select(both, {&fit, &fit}, options), 0);
}

/** The target stays elsewhere: `user` is a function that answers the requests. */
int32_t answer(const uint8_t *request, size_t size, dpa_partial *total, void *) {
    dpa::Partial sum({request, size});
    sum.add(kTarget.rows(), kTarget.y);
    if (sum.records() != kRows) return 1;
    const std::vector<uint8_t> bytes = sum.bytes();
    return dpa_partial_merge(total, bytes.data(), bytes.size()) == DPA_OK ? 0 : 1;
}

void passes_and_ledgers_are_used(void **) {
    const dpa::Options options{{"epsilon", 1.0}, {"delta", 1e-6}, {"unsafe_seed", int64_t{7}}};
    dpa::Problem here = problem(), away;
    away.set_source(kSource.rows(), kSource.y);
    away.set_passes(DPA_TARGET, kRows, 2, answer, nullptr);
    assert_true(dpa::solve(here, options).coefficients() ==
                dpa::solve(away, options).coefficients());
    const dpa::Options budget{{"epsilon", 2.0}, {"delta", 1e-6}};
    dpa::Ledger ledger = dpa::Ledger::in_memory(budget, false);
    const dpa::Ledger parent = dpa::Ledger::in_memory(budget, false);
    ledger.set_parent(parent);
    const dpa::Ledger copy = dpa::Ledger::from_bytes(ledger.bytes());
    assert_false(copy.contains(std::string(64, '0')));
    assert_string_equal(copy.report().c_str(), ledger.report().c_str());
}

void prices_are_computed(void **) {
    const dpa::Options options{{"epsilon", 1.0}, {"delta", 1e-6}};
    const dpa::Plan plan(100, 50, 3, options);
    assert_true(plan.epsilon(1e-6) <= 1.0 && plan.epsilon(1e-6) > 0.999);
    const double mu = dpa::privacy_mu(1.0, 1e-6);
    assert_true(dpa::privacy_delta(1.0, 0.0, mu) <= 1e-6);
    assert_true(dpa::privacy_epsilon(1e-6, 0.0, mu) <= 1.0);
    assert_true(dpa::privacy_epsilon(1e-6, 0.0, mu, 0.0, 10) > 10.0);
    assert_true(dpa::privacy_sampled_mu(2.0, 0.01, 100, DPA_NEIGHBOURS_ZERO_OUT, 1e-9) < 1.0);
    dpa::Problem both = problem();
    const dpa::Solution fit = dpa::solve(both, options);
    dpa::check_report(fit.privacy_report(DPA_REPORT_JSON));
    assert_true(fit.findings().size() > 20);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(tables_become_rows_and_a_model),
        cmocka_unit_test(estimates_and_weights_are_read),
        cmocka_unit_test(passes_and_ledgers_are_used),
        cmocka_unit_test(prices_are_computed),
        cmocka_unit_test(options_take_numbers_words_and_truth_values),
        cmocka_unit_test(a_source_is_mapped_to_the_columns_of_the_target),
        cmocka_unit_test(a_fit_agrees_with_that_of_the_c_functions),
        cmocka_unit_test(rows_may_lie_by_columns),
        cmocka_unit_test(a_moved_handle_is_released_once),
        cmocka_unit_test(a_private_fit_is_one_call),
        cmocka_unit_test(a_spent_budget_is_a_budget_error),
        cmocka_unit_test(a_token_stops_a_call),
        cmocka_unit_test(a_solution_is_saved_and_loaded),
        cmocka_unit_test(a_saved_file_is_the_old_one_or_the_new_one),
#ifdef __linux__
        cmocka_unit_test(a_full_disk_leaves_the_old_file),
#endif
        cmocka_unit_test(a_search_and_an_evaluation_are_read),
    };
    return cmocka_run_group_tests_name("cpp", tests, nullptr, nullptr);
}
