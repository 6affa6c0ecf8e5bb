// Sequences of calls with handles that are good, destroyed, of another type, or no handles at all:
// those are refused, whatever came before, and good ones work whatever came before.
#include <dpadapt/inspect.h>

#include "fuzz/settings.hpp"
#include "fuzz/solution_calls.hpp"

namespace {

enum Kind { kOptions, kProblem, kDiscrepancy, kSolution, kPlan, kSearch, kLedger, kCancel, kKinds };

/** Handles that were created at some time. */
class Pool {
  public:
    Pool() = default;
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;
    ~Pool() {
        for (const Entry &entry : entries_) destroy(entry.kind, entry.handle);
    }

    /** Mostly one of that kind, but maybe of another, or made up. */
    void *pick(fuzz::Input &input, Kind kind) {
        const std::uint8_t choice = input.byte();
        if (choice == 255) return nullptr;
        if (choice == 254) return reinterpret_cast<void *>(input.word());
        if (entries_.empty()) return nullptr;
        if (choice >= 230) return entries_[choice % entries_.size()].handle;
        for (std::size_t k = 0; k < entries_.size(); ++k) {
            const Entry &entry = entries_[(choice + k) % entries_.size()];
            if (entry.kind == kind) return entry.handle;
        }
        return nullptr;
    }
    [[nodiscard]] bool is_good(Kind kind, const void *handle) const {
        for (const Entry &entry : entries_)
            if (entry.handle == handle) return entry.kind == kind && entry.lives;
        return false;
    }
    /** A new handle, if the call has given one. */
    template <typename T>
    void add(Kind kind, dpa_status status, T *handle) {
        REQUIRE((status == DPA_OK) == (handle != nullptr));
        if (handle == nullptr) return;
        for (const Entry &entry : entries_) REQUIRE(entry.handle != handle);
        entries_.push_back({kind, handle, true});
    }
    /** By the function of that kind, whatever the handle is. */
    void release(Kind kind, void *handle) {
        destroy(kind, handle);
        for (Entry &entry : entries_)
            if (entry.handle == handle && entry.kind == kind) entry.lives = false;
        lost_token_ = lost_token_ || kind == kCancel;
    }
    /** Whether options may borrow a token that is gone: then they are refused. */
    [[nodiscard]] bool lost_token() const { return lost_token_; }

  private:
    struct Entry {
        Kind kind;
        void *handle;
        bool lives;
    };

    static void destroy(Kind kind, void *handle) {
        switch (kind) {
            case kOptions:
                return dpa_options_destroy(static_cast<dpa_options *>(handle));
            case kProblem:
                return dpa_problem_destroy(static_cast<dpa_problem *>(handle));
            case kDiscrepancy:
                return dpa_discrepancy_destroy(static_cast<dpa_discrepancy *>(handle));
            case kSolution:
                return dpa_solution_destroy(static_cast<dpa_solution *>(handle));
            case kPlan:
                return dpa_plan_destroy(static_cast<dpa_plan *>(handle));
            case kSearch:
                return dpa_search_destroy(static_cast<dpa_search *>(handle));
            case kLedger:
                return dpa_ledger_destroy(static_cast<dpa_ledger *>(handle));
            default:
                return dpa_cancel_destroy(static_cast<dpa_cancel *>(handle));
        }
    }

    std::vector<Entry> entries_;
    bool lost_token_ = false;
};

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
    dpa_problem *problem() { return pick<dpa_problem>(kProblem); }
    dpa_solution *solution() { return pick<dpa_solution>(kSolution); }
    dpa_search *search() { return pick<dpa_search>(kSearch); }
    dpa_ledger *ledger() { return pick<dpa_ledger>(kLedger); }
    dpa_cancel *cancel() { return pick<dpa_cancel>(kCancel); }
    /** NULL stands for none. */
    template <typename T>
    T *optional(Kind kind) {
        void *handle = pool_.pick(input_, kind);
        good_ = good_ && (handle == nullptr || pool_.is_good(kind, handle));
        return static_cast<T *>(handle);
    }
    dpa_options *options() { return optional<dpa_options>(kOptions); }

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

    Pool &pool_;
    fuzz::Input &input_;
    bool good_ = true;
};

void Step::create() {
    switch (input_.below(5)) {
        case 0: {
            make<dpa_options>(kOptions, [](auto out) { return dpa_options_create(out); });
            return;
        }
        case 1:
            return make<dpa_problem>(kProblem, [](auto out) { return dpa_problem_create(out); });
        case 2:
            return make<dpa_search>(kSearch, [](auto out) { return dpa_search_create(out); });
        case 3:
            return make<dpa_cancel>(kCancel, [](auto out) { return dpa_cancel_create(out); });
        default: {
            const dpa_options *with = options();
            const std::int32_t locks = input_.byte() % 2;
            make<dpa_ledger>(kLedger,
                             [&](auto out) { return dpa_ledger_create(with, locks, out); });
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
    auto *options = pick<dpa_options>(kOptions);
    const auto &pair = kPairs[input_.below(std::size(kPairs))];
    REQUIRE(check(dpa_options_parse(options, pair[0], pair[1])) != DPA_E_OPTION_NAME);
}

void Step::set_sample() {
    static const double kX[] = {0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 3.0, -2.0, 0.1, 0.9, 1.1, -0.4};
    static const double kY[] = {1.0, -1.0, 1.0, 0.5, -0.5, 2.0};
    dpa_problem *to = problem();
    const std::size_t rows = input_.below(7);
    const std::size_t cols = input_.below(3);
    const std::size_t stride = input_.below(4);
    const std::int32_t layout = input_.byte() % 3;
    static constexpr decltype(&dpa_problem_set_source) kSetters[] = {
        dpa_problem_set_source, dpa_problem_set_target, dpa_problem_lend_source,
        dpa_problem_lend_target};
    // Strides that reach beyond kX are no fault that the library can see.
    const std::size_t fitting = std::min(stride, layout == DPA_ROW_MAJOR ? 2 : 12 / (cols + 1));
    (void)check(kSetters[input_.below(4)](
        to, kX, rows, cols, layout == DPA_ROW_MAJOR ? fitting : rows, layout, kY, rows));
}

void Step::read_solution() {
    dpa_solution *from = solution();
    std::size_t size = 0;
    const dpa_status status = check(dpa_solution_serialize(from, nullptr, 0, &size));
    if (status != DPA_E_BUFFER) return;
    const fuzz::Bytes bytes = fuzz::use(from);
    make<dpa_solution>(kSolution, [&](auto out) {
        return dpa_solution_deserialize(bytes.data(), bytes.size(), out);
    });
}

void Step::search_candidates() {
    dpa_search *of = search();
    std::uint64_t count = 0;
    std::size_t chosen = 0;
    switch (input_.below(4)) {
        case 0:
            return (void)check(dpa_search_add(of, "alpha", "0,0.5"));
        case 1:
            return (void)check(dpa_search_draw(of, input_.below(3), 1));
        case 2:
            (void)check(dpa_search_chosen(of, &chosen));
            return (void)check(dpa_search_count(of, &count));
        default: {
            dpa_problem *rows = problem();
            dpa_problem *validation = problem();
            dpa_options *with = options();
            make<dpa_solution>(kSolution, [&](auto out) {
                return dpa_search_run(of, rows, validation, nullptr, with, out);
            });
        }
    }
}

void Step::use_ledger() {
    switch (input_.below(3)) {
        case 0: {
            dpa_problem *of = problem();
            return (void)check(dpa_problem_use_ledger(of, ledger()));
        }
        case 1: {
            dpa_ledger *of = ledger();
            std::size_t size = 0;
            const dpa_status status = check(dpa_ledger_serialize(of, nullptr, 0, &size));
            if (status != DPA_E_BUFFER) return;
            fuzz::Bytes bytes(size);
            REQUIRE(dpa_ledger_serialize(of, bytes.data(), size, nullptr) == DPA_OK);
            return make<dpa_ledger>(
                kLedger, [&](auto out) { return dpa_ledger_deserialize(bytes.data(), size, out); });
        }
        default:
            (void)check(dpa_ledger_report(ledger(), DPA_REPORT_TEXT, nullptr, 0, nullptr));
    }
}

void Step::use_tokens() {
    switch (input_.below(3)) {
        case 0:
            return (void)check(dpa_cancel_request(cancel()));
        case 1:
            return (void)check(dpa_cancel_reset(cancel()));
        default: {
            auto *to = pick<dpa_options>(kOptions);
            auto *token = optional<dpa_cancel>(kCancel);
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
            return (void)check(dpa_inspect_private(of, with, nullptr, nullptr, nullptr));
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

void Step::run() {
    switch (input_.below(14)) {
        case 0:
            return create();
        case 1: {
            const auto kind = static_cast<Kind>(input_.below(kKinds));
            return pool_.release(kind, pool_.pick(input_, kind));
        }
        case 2:
            return set_option();
        case 3:
            return set_sample();
        case 4:
        case 5: {
            dpa_problem *of = problem();
            auto *discrepancy = optional<dpa_discrepancy>(kDiscrepancy);
            const dpa_options *with = options();
            return make<dpa_solution>(
                kSolution, [&](auto out) { return dpa_solve(of, discrepancy, with, out); });
        }
        case 6: {
            dpa_problem *of = problem();
            const dpa_options *with = options();
            return make<dpa_discrepancy>(
                kDiscrepancy, [&](auto out) { return dpa_discrepancy_estimate(of, with, out); });
        }
        case 7: {
            dpa_problem *of = problem();
            const dpa_options *with = options();
            const char *name = dpa_baseline_name(input_.below(dpa_baseline_count()));
            return make<dpa_solution>(
                kSolution, [&](auto out) { return dpa_baseline_solve(of, name, with, out); });
        }
        case 8: {
            const dpa_problem *of = problem();
            const dpa_options *with = options();
            return make<dpa_plan>(kPlan,
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
