// Sequences of calls with handles that are good, destroyed, of another type, or no handles at all:
// those are refused, whatever came before, and good ones work whatever came before.
#include <dpadapt/inspect.h>
#include <dpadapt/passes.h>

#include "fuzz/pool.hpp"
#include "fuzz/settings.hpp"
#include "fuzz/solution_calls.hpp"

namespace {

using fuzz::Kind;
using fuzz::Pool;

const double kX[] = {0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 3.0, -2.0, 0.1, 0.9, 1.1, -0.4};
const double kY[] = {1.0, -1.0, 1.0, 0.5, -0.5, 2.0};
constexpr std::size_t kRows = std::size(kY);

/** What callbacks are given, and return where nothing is wrong: most do what they should. */
const std::int32_t kAnswers[] = {0, 0, 0, 1, -1};

std::int32_t answer_of(const void *user) { return *static_cast<const std::int32_t *>(user); }

std::int32_t watch(const dpa_progress *progress, void *user) {
    const std::int64_t iteration = progress->iteration;
    const std::int64_t limit = progress->limit;
    REQUIRE(progress->phase != nullptr);
    REQUIRE(iteration >= 0 && limit >= 0 && (limit == 0 || iteration <= limit));
    REQUIRE(!std::isinf(progress->objective));
    REQUIRE(!(progress->gap < 0.0));
    return iteration < 2 ? 0 : answer_of(user);
}

/** Half the square of theta.x - y. */
std::int32_t half_square(const double *x, std::size_t rows, std::size_t features,
                         const double *label, const double *theta, std::size_t parameters,
                         double *losses, double *gradients, void *user) {
    const std::size_t used = std::min(features, parameters);
    for (std::size_t i = 0; i < rows; ++i) {
        double apart = -label[i];
        for (std::size_t k = 0; k < used; ++k) apart += theta[k] * x[i * features + k];
        losses[i] = 0.5 * apart * apart;
        for (std::size_t k = 0; gradients != nullptr && k < parameters; ++k)
            gradients[i * parameters + k] = k < used ? apart * x[i * features + k] : 0.0;
    }
    return answer_of(user);
}

std::int32_t store(std::uint64_t sequence, const std::uint8_t *entry, std::size_t size,
                   void *user) {
    REQUIRE(sequence >= 1 && entry != nullptr && size > 0);
    return answer_of(user);
}

/** All rows, in parts of one, or too few of them. */
std::int32_t pass(const std::uint8_t *request, std::size_t size, dpa_partial *total, void *user) {
    REQUIRE(request != nullptr && size > 0);
    for (std::size_t i = 0; i < kRows; ++i) {
        const double *x = kX + 2 * i;
        const auto id = static_cast<std::int64_t>(i);
        dpa_status status =
            dpa_partial_add(total, dpa_matrix{x, 1, 2, 2, DPA_ROW_MAJOR}, kY + i, 1, nullptr, 0);
        if (status == DPA_E_STATE)  // of persons
            status =
                dpa_partial_add(total, dpa_matrix{x, 1, 2, 2, DPA_ROW_MAJOR}, kY + i, 1, &id, 1);
        if (status != DPA_OK) return 1;
    }
    return answer_of(user);
}

/** One step of a sequence: picks handles, calls, and compares the status with what they are. */
class Step {
  public:
    Step(Pool &pool, fuzz::Input &input) : pool_(pool), input_(input) {}

    void run();

  private:
    template <typename T>
    T *pick(Kind kind) {
        void *handle = pool_.pick(input_, kind);
        good_ = good_ && pool_.is_good(kind, handle);
        return static_cast<T *>(handle);
    }
    dpa_problem *problem() { return pick<dpa_problem>(fuzz::kProblem); }
    dpa_solution *solution() { return pick<dpa_solution>(fuzz::kSolution); }
    dpa_search *search() { return pick<dpa_search>(fuzz::kSearch); }
    dpa_ledger *ledger() { return pick<dpa_ledger>(fuzz::kLedger); }
    dpa_cancel *cancel() { return pick<dpa_cancel>(fuzz::kCancel); }
    /** NULL stands for none. */
    template <typename T>
    T *optional(Kind kind) {
        void *handle = pool_.pick(input_, kind);
        good_ = good_ && (handle == nullptr || pool_.is_good(kind, handle));
        return static_cast<T *>(handle);
    }
    dpa_options *options() { return optional<dpa_options>(fuzz::kOptions); }

    /** Of a call whose handles have been picked. */
    dpa_status check(dpa_status status) {
        REQUIRE(fuzz::is_documented(status));
        REQUIRE(good_ || status == DPA_E_HANDLE);
        REQUIRE(!good_ || status != DPA_E_HANDLE || pool_.lost_token());
        return status;
    }
    template <typename T, typename Call>
    void make(Kind kind, Call call) {
        T *made = reinterpret_cast<T *>(this);
        const dpa_status status = check(call(&made));
        pool_.add(kind, status, made);
    }

    void create();
    void set_option();
    void set_sample();
    void read_solution();
    void search_candidates();
    void use_ledger();
    void use_tokens();
    void tell();
    void tell_discrepancy();
    void tell_search();
    void set_callback();
    void tell_build();
    void *answer() {
        return const_cast<std::int32_t *>(&kAnswers[input_.below(std::size(kAnswers))]);
    }

    Pool &pool_;
    fuzz::Input &input_;
    bool good_ = true;
};

void Step::create() {
    switch (input_.below(5)) {
        case 0: {
            make<dpa_options>(fuzz::kOptions, [](auto out) { return dpa_options_create(out); });
            return;
        }
        case 1:
            return make<dpa_problem>(fuzz::kProblem,
                                     [](auto out) { return dpa_problem_create(out); });
        case 2:
            return make<dpa_search>(fuzz::kSearch, [](auto out) { return dpa_search_create(out); });
        case 3:
            return make<dpa_cancel>(fuzz::kCancel, [](auto out) { return dpa_cancel_create(out); });
        default: {
            const dpa_options *with = options();
            const std::int32_t locks = input_.byte() % 2;
            make<dpa_ledger>(fuzz::kLedger, [&](auto out) {
                return dpa_ledger_create(nullptr, with, locks, out);
            });
        }
    }
}

/** Values that make most calls possible come often. */
void Step::set_option() {
    static constexpr const char *kPairs[][2] = {
        {"private_domain", "none"}, {"private_domain", "target"},
        {"epsilon", "1"},           {"delta", "1e-3"},
        {"alpha", "0.5"},           {"loss", "huber"},
        {"selection_epsilon", "1"}, {"selection_bound", "2"},
        {"iterations", "5"}};
    auto *options = pick<dpa_options>(fuzz::kOptions);
    const auto &pair = kPairs[input_.below(std::size(kPairs))];
    REQUIRE(check(dpa_options_parse(options, pair[0], pair[1])) != DPA_E_OPTION_NAME);
}

void Step::set_sample() {
    dpa_problem *to = problem();
    const std::size_t rows = input_.below(7);
    const std::size_t cols = input_.below(3);
    const std::size_t stride = input_.below(4);
    const std::int32_t layout = input_.byte() % 3;
    static constexpr decltype(&dpa_problem_set_sample) kSetters[] = {dpa_problem_set_sample,
                                                                     dpa_problem_lend_sample};
    // Strides that reach beyond kX are no fault that the library can see.
    const std::size_t fitting = std::min(stride, layout == DPA_ROW_MAJOR ? 2 : 12 / (cols + 1));
    const dpa_matrix x{kX, rows, cols, layout == DPA_ROW_MAJOR ? fitting : rows, layout};
    const std::size_t way = input_.below(4);
    (void)check(kSetters[way / 2](to, static_cast<std::int32_t>(way % 2), x, kY, rows));
}

void Step::read_solution() {
    dpa_solution *from = solution();
    std::size_t size = 0;
    const dpa_status status = check(dpa_solution_serialize(from, 1, nullptr, 0, &size));
    if (status != DPA_E_BUFFER) return;
    const fuzz::Bytes bytes = fuzz::use(from);
    make<dpa_solution>(fuzz::kSolution, [&](auto out) {
        return dpa_solution_deserialize(bytes.data(), bytes.size(), out);
    });
}

void Step::search_candidates() {
    dpa_search *of = search();
    double value = 0.0;
    switch (input_.below(4)) {
        case 0:
            return (void)check(dpa_search_add(of, "alpha", "0,0.5"));
        case 1:
            (void)check(dpa_search_value(of, "chosen", 0, &value));
            return (void)check(dpa_search_value(of, "candidates", 0, &value));
        default: {
            dpa_problem *rows = problem();
            dpa_problem *validation = problem();
            dpa_options *with = options();
            make<dpa_solution>(fuzz::kSolution, [&](auto out) {
                return dpa_search_run(of, rows, validation, nullptr, with, out);
            });
        }
    }
}

void Step::use_ledger() {
    switch (input_.below(4)) {
        case 0: {
            dpa_problem *of = problem();
            return (void)check(dpa_problem_use_ledger(of, ledger()));
        }
        case 3: {
            dpa_problem *of = problem();
            const fuzz::Bytes key(32, input_.byte());
            return (void)check(
                dpa_problem_use_ledger_for_job(of, ledger(), "job", key.data(), key.size()));
        }
        case 1: {
            dpa_ledger *of = ledger();
            std::size_t size = 0;
            const dpa_status status = check(dpa_ledger_serialize(of, nullptr, 0, &size));
            if (status != DPA_E_BUFFER) return;
            fuzz::Bytes bytes(size);
            REQUIRE(dpa_ledger_serialize(of, bytes.data(), size, nullptr) == DPA_OK);
            return make<dpa_ledger>(fuzz::kLedger, [&](auto out) {
                return dpa_ledger_deserialize(bytes.data(), size, out);
            });
        }
        default:
            (void)check(dpa_ledger_report(ledger(), DPA_REPORT_TEXT, nullptr, 0, nullptr));
    }
}

void Step::use_tokens() {
    switch (input_.below(3)) {
        case 0:
            return (void)check(dpa_cancel_request(cancel()));
        default: {
            auto *to = pick<dpa_options>(fuzz::kOptions);
            auto *token = optional<dpa_cancel>(fuzz::kCancel);
            (void)check(dpa_options_set_cancel(to, token));
        }
    }
}

/** What may be asked of a problem. */
void Step::tell() {
    dpa_problem *of = problem();
    double value = 0.0;
    switch (input_.below(5)) {
        case 0:
            return (void)check(dpa_problem_budget(of, "spent_mu", &value));
        case 1:
            return (void)check(dpa_problem_privacy_report(of, 1, nullptr, 0, nullptr));
        case 2: {
            const dpa_options *with = options();
            return (void)check(dpa_inspect_private(of, with, nullptr, 0, nullptr));
        }
        case 3: {
            const dpa_options *with = options();
            return (void)check(dpa_problem_set_budget(of, with));
        }
        default: {
            const dpa_options *with = options();
            (void)check(dpa_problem_lock(of, with));
        }
    }
}

/** What an estimate releases. */
void Step::tell_discrepancy() {
    auto *of = pick<dpa_discrepancy>(fuzz::kDiscrepancy);
    double features = 0.0;
    double deviation = -1.0;
    if (check(dpa_discrepancy_value(of, "features", &features)) != DPA_OK) return;
    REQUIRE(features > 0.0);
    REQUIRE(dpa_discrepancy_value(of, "deviation", &deviation) == DPA_OK && deviation >= 0.0);
    std::vector<double> maximizer(static_cast<std::size_t>(features) + 1);
    const dpa_status status = dpa_discrepancy_maximizer(of, maximizer.data(), maximizer.size() - 1);
    REQUIRE(status == DPA_OK || status == DPA_E_UNSUPPORTED || status == DPA_E_NOT_RELEASABLE);
    REQUIRE((status == DPA_E_NOT_RELEASABLE) == (deviation > 0.0));
    REQUIRE(dpa_discrepancy_value(of, "intercept", &maximizer.back()) == status);
    double bound = 0.0;
    const dpa_status bounded = dpa_discrepancy_value(of, "labelled_bound", &bound);
    REQUIRE(bounded == DPA_OK ? bound >= 0.0 : bounded == DPA_E_UNSUPPORTED);
    for (const double value : maximizer) REQUIRE(std::isfinite(value));
}

/** What a search knows of a candidate: nothing, or why it was left out, or its loss. */
void Step::tell_search() {
    const dpa_search *of = search();
    const std::size_t index = input_.below(5);
    dpa_status why = DPA_E_INTERNAL;
    double loss = -1.0;
    char text[256] = "";
    const dpa_status known = check(dpa_search_reason(of, index, &why, text, sizeof text, nullptr));
    const dpa_status released = check(dpa_search_value(of, "loss", index, &loss));
    if (known != DPA_OK) {
        REQUIRE(released == known);
        REQUIRE(check(dpa_search_setting(of, index, "alpha", text, sizeof text, nullptr)) == known);
        return;
    }
    REQUIRE(released == DPA_OK || released == DPA_E_NOT_RELEASABLE);
    if (released == DPA_OK) REQUIRE(std::isnan(loss) == (why != DPA_OK));
    const std::string reason = fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_search_reason(of, index, nullptr, out, size, needed);
    });
    REQUIRE(reason.empty() == (why == DPA_OK));
    const dpa_status set = dpa_search_setting(of, index, "alpha", text, sizeof text, nullptr);
    REQUIRE(set == DPA_E_OPTION_NAME || (set == DPA_OK && std::atof(text) <= 0.5));
}

/** Functions of the caller's, which do well or fail. */
void Step::set_callback() {
    switch (input_.below(6)) {
        case 0: {
            auto *to = pick<dpa_options>(fuzz::kOptions);
            return (void)check(dpa_options_set_progress(to, watch, answer()));
        }
        case 1: {
            auto *to = pick<dpa_options>(fuzz::kOptions);
            const std::size_t parameters = input_.below(5);
            const double bound = input_.real();
            const dpa_status status =
                check(dpa_options_set_loss(to, half_square, answer(), parameters, bound, 4.0, 2.0));
            if (good_) REQUIRE((status == DPA_OK) == (parameters > 0 && bound > 0.0));
            return;
        }
        case 2: {
            dpa_ledger *of = ledger();
            const std::uint8_t way = input_.byte();
            if (way % 8 == 7) return (void)check(dpa_ledger_set_parent(of, ledger()));
            const dpa_ledger_store_fn to = way % 4 == 0 ? nullptr : store;
            return (void)check(dpa_ledger_set_store(of, to, answer()));
        }
        default: {
            dpa_problem *to = problem();
            const std::uint8_t way = input_.byte();
            const std::int32_t domain = way % 2 == 0 ? DPA_SOURCE : DPA_TARGET;
            const std::size_t rows = kRows + input_.below(8) / 7;
            (void)check(way % 8 == 7
                            ? dpa_problem_set_passes(to, DPA_PERSONS, rows, 2, pass, answer())
                            : dpa_problem_set_passes(to, domain, rows, 2, pass, answer()));
        }
    }
}

/** Facts that no call changes. */
void Step::tell_build() {
    const std::string facts = dpa_build_info();
    REQUIRE(facts.front() == '{' && facts.back() == '}');
    REQUIRE(facts.find(dpa_version()) != std::string::npos);
}

void Step::run() {
    constexpr std::uint8_t kFirstRare = 238;  // a multiple of 14: seeds of old keep their meaning
    const std::uint8_t choice = input_.byte();
    if (choice >= kFirstRare + 12) return set_callback();
    if (choice >= kFirstRare + 7) return tell_search();
    if (choice >= kFirstRare + 1) return tell_discrepancy();
    if (choice == kFirstRare) return tell_build();
    switch (choice % 14) {
        case 0:
            return create();
        case 1: {
            const auto kind = static_cast<Kind>(input_.below(fuzz::kKinds));
            return pool_.release(kind, pool_.pick(input_, kind));
        }
        case 2:
            return set_option();
        case 3:
            return set_sample();
        case 4:
        case 5: {
            dpa_problem *of = problem();
            auto *discrepancy = optional<dpa_discrepancy>(fuzz::kDiscrepancy);
            const dpa_options *with = options();
            return make<dpa_solution>(
                fuzz::kSolution, [&](auto out) { return dpa_solve(of, discrepancy, with, out); });
        }
        case 6: {
            dpa_problem *of = problem();
            const dpa_options *with = options();
            return make<dpa_discrepancy>(fuzz::kDiscrepancy, [&](auto out) {
                return dpa_discrepancy_estimate(of, with, out);
            });
        }
        case 7: {
            dpa_problem *of = problem();
            const dpa_options *with = options();
            const char *name = dpa_baseline_text(input_.below(fuzz::baseline_count()), "name");
            return make<dpa_solution>(
                fuzz::kSolution, [&](auto out) { return dpa_baseline_solve(of, name, with, out); });
        }
        case 8: {
            const dpa_problem *of = problem();
            const dpa_options *with = options();
            return make<dpa_plan>(fuzz::kPlan,
                                  [&](auto out) { return dpa_plan_for_problem(of, with, out); });
        }
        case 9: {
            dpa_problem *rows = problem();
            const dpa_solution *candidates[] = {solution(), solution()};
            const dpa_options *with = options();
            std::size_t chosen = 0;
            return (void)check(dpa_select(rows, candidates, 2, with, &chosen));
        }
        case 10:
            return read_solution();
        case 11:
            return search_candidates();
        case 12:
            return input_.byte() % 2 == 0 ? use_ledger() : use_tokens();
        default:
            return tell();
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    constexpr int kMostSteps = 40;
    fuzz::Input input(data, size);
    Pool pool;
    for (int left = kMostSteps; left > 0 && input.size() > 0; --left) Step(pool, input).run();
    return 0;
}
