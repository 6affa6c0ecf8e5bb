// The facts of a report come back as they were, and others than a problem can have do not.
#include "base/error.hpp"
#include "base/json_leaves.hpp"
#include "fuzz/fuzz.hpp"
#include "privacy/privacy.hpp"
#include "privacy/sampled_gaussian.hpp"
#include "privacy/saved_statement.hpp"
#include "solution/solution.hpp"

using namespace dpadapt;
using privacy::Form;
using privacy::kTarget;
using privacy::Ledger;
using privacy::NoiseSource;
using privacy::Release;
using privacy::Statement;

namespace {

const Release kGradient = {privacy::Mechanism::gaussian,
                           privacy::ReleaseKind::gradient,
                           kTarget,
                           20,
                           4,
                           32,
                           100'000'001,
                           1e-9,
                           0.0};

privacy::ReportFacts facts() {
    privacy::ReportFacts facts;
    facts.domains = kTarget;
    facts.call.set("method", "profile").set("alpha", 0.25).set("bounds", nullptr);
    return facts;
}

privacy::Budget budget() { return privacy::make_budget(1.0, 1e-5, 0.0, 0.0); }

void pay(Ledger &ledger, const Release &release, NoiseSource noise) {
    ledger.announce({{30, 20, 3}, "epsilon=1"});
    ledger.charge({&release, 1}, noise);
}

Ledger charged(NoiseSource noise, const privacy::Budget &budget = ::budget(),
               const Release &release = kGradient) {
    Ledger ledger;
    ledger.set_budget(budget);
    pay(ledger, release, noise);
    return ledger;
}

/** From a ledger that another problem uses as well, or not. */
Statement shared(bool alone = false) {
    const auto common =
        std::make_shared<privacy::SharedLedger>(budget(), kTarget, privacy::Unit::record);
    Release small = kGradient;
    small.integer_sensitivity = 1'000'000;
    if (!alone) (void)common->charge({&small, 1}, false, {{30, 9, 3}, "", privacy::Unit::record});
    Ledger ledger;
    ledger.use(common);
    pay(ledger, kGradient, NoiseSource::system);
    return {ledger, facts()};
}

std::vector<Statement> statements() {
    std::vector<Statement> list;
    list.push_back({charged(NoiseSource::system), facts()});
    list.push_back({charged(NoiseSource::unsafe_seed), facts()});
    list.push_back(shared());
    list.push_back({{}, {.call_without_privacy = true}});
    Statement inspected{charged(NoiseSource::system), facts()};
    inspected.ledger.unprotected_use().inspected = true;
    list.push_back(std::move(inspected));
    return list;
}

std::string report(const Statement &statement) {
    return privacy::write_report(statement, Form::json);
}

Statement read_again(const Statement &statement) {
    return privacy::read_statement(write_statement(statement));
}

void reports_are_written_again() {
    for (const Statement &statement : statements()) {
        const std::string json = report(statement);
        check_true("again", report(read_again(statement)) == json);
        check_true("checked", report(privacy::check_report(json, "")) == json);
    }
}

/** What people read of a report. */
std::string without_statement(const Statement &statement) {
    const std::string json = report(statement);
    return json.substr(0, json.find("\"statement\":"));
}

/** The price of the entries is that of the releases. */
bool is_paid(const Statement &statement) {
    privacy::Cost paid;
    for (const privacy::LedgerEntry &entry : statement.paid) paid += entry.cost;
    const privacy::Cost spent = statement.ledger.spent();
    const auto &own = statement.ledger.budget();
    return (!own || spent.within(own->cap)) &&
           (!statement.shared || (paid.within(spent) && spent.within(paid)));
}

/** Any bit of the facts, under a right checksum: refused, or a report that verifies, shows the
 *  difference, and whose releases its budget pays. */
void forged_facts_pay_for_their_releases() {
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (const Statement &statement : statements()) {
        const std::vector<std::uint8_t> good = write_statement(statement);
        for (std::size_t bit = 64; bit < 8 * (good.size() - 8); bit += 7) {
            std::vector<std::uint8_t> bytes = good;
            bytes[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
            try {
                const Statement other = privacy::read_statement(fuzz::with_checksum(bytes));
                (void)privacy::check_report(report(other), "");
                check_true("paid", is_paid(other));
                check_true("shown", write_statement(other) == good ||
                                        without_statement(other) != without_statement(statement));
                ++accepted;
            } catch (const Error &error) {
                check_true(error.what(), error.status() == DPA_E_FORMAT);
                ++refused;
            }
        }
    }
    check_true("some of each", accepted > 100 && refused > 100);
}

/** The call is refused in these words. */
template <typename Call>
void check_refused(const char *words, const Call &call) {
    try {
        call();
        check_true(words, false);
    } catch (const Error &error) {
        check_true(words, std::string(error.what()).find(words) != std::string::npos);
    }
}

void the_cap_is_what_epsilon_and_delta_give() {
    privacy::Budget other = budget();
    other.cap = kGradient.cost();  // of a first call whose noise was given
    (void)read_again({charged(NoiseSource::system, other), facts()});
    other.cap.mu_square += 1;
    check_refused("the cap of its budget", [&] {
        (void)read_again({charged(NoiseSource::system, other), facts()});
    });
}

void releases_have_a_price() {
    Release free = kGradient;
    free.integer_sensitivity = 0;
    check_refused("a release has no price", [&] {
        (void)read_again({charged(NoiseSource::system, budget(), free), facts()});
    });
}

void sampled_steps_state_the_price_that_they_have() {
    constexpr double kFailure = 0x1p-30;
    Release sampled = kGradient;
    sampled.kind = privacy::ReleaseKind::sampled_gradient;
    sampled.rate = std::uint64_t{1} << 28;
    const double mu =
        privacy::sampled_mu({0x1p-4, sampled.steps, sampled.neighbours}, sampled.step_price() / 2,
                            kFailure);  // replaced: twice a record's norm
    const auto read = [&](double stated) {
        sampled.sampled.mu_square = privacy::mu_square_units(stated);
        sampled.sampled.failure = Uint128{1} << (privacy::kFailureBits - 30);
        const privacy::Budget own =
            privacy::make_budget(1.0, 1e-5, 0.1, 0.0, sampled.neighbours, sampled.sampled.failure);
        (void)read_again({charged(NoiseSource::system, own, sampled), facts()});
    };
    read(mu);
    for (const double other : {0.9 * mu, 1.1 * mu})
        check_refused("sampled steps have another price", [&] { read(other); });
    sampled.sampled.laplace = 1;
    check_refused("sampled steps have another price", [&] { read(mu); });
}

/** What a statement says of the ledger that it was paid from. */
struct Forgery {
    const char *told;  ///< by the refusal
    void (*make)(Statement &statement);
    bool alone = false;
};

constexpr Forgery kForgeries[] = {
    {"paid more than the budget",
     [](Statement &statement) {
         statement.shared->spent = statement.shared->header.budget.cap;
         statement.shared->spent.mu_square += 1;
     }},
    {"has not spent what its entries have paid",
     [](Statement &statement) { statement.shared->spent.mu_square = 1; }},
    {"has not spent what its entries have paid",
     [](Statement &statement) { statement.shared->spent.mu_square += 1; }, true},
    {"noise from another source", [](Statement &statement) { statement.shared->seeded = true; },
     true},
    {"is not what was paid",
     [](Statement &statement) {
         privacy::LedgerEntry entry = statement.paid.back();
         entry.seeded = true;
         statement.paid = {};
         statement.paid.add(entry);
     }},
    {"/id", [](Statement &statement) { statement.shared->header.id += '0'; }},
    {"/entry_count", [](Statement &statement) { statement.shared->entries += 1; }},
    {"has not paid for all releases", [](Statement &statement) { statement.paid = {}; }},
    {"/head", [](Statement &statement) { statement.shared->head.back() ^= 1; }},
    {"/spent", [](Statement &statement) { statement.shared->spent.mu_square += 1; }},
};

void a_shared_ledger_is_as_the_statement_says() {
    const auto check = [](const Statement &statement) {
        privacy::check_ledger(read_again(statement), statement.ledger.shared()->content());
    };
    for (const Forgery &forgery : kForgeries) {
        Statement statement = shared(forgery.alone);
        check(statement);
        forgery.make(statement);
        check_refused(forgery.told, [&] { check(statement); });
    }
}

void members_are_compared() {
    const std::string json = report(statements().front());
    const auto refuses = [](const std::string &text, const char *word) {
        check_refused(word, [&] { (void)privacy::check_report(text, "more"); });
    };
    const std::string open = json.substr(0, json.size() - 1);
    (void)privacy::check_report(open + ",\"more\":{\"by\":\"me\"}}", "more");
    refuses(open + ",\"more\":1,\"note\":2}", "JSON");
    refuses(open + ",\"note\":2}", "note");
    refuses(open + ",\"private\":true}", "private");
    refuses(" " + json, "written otherwise");
}

/** Budgets without a release promise nothing. */
void a_promise_needs_a_release() {
    Solution solution;
    solution.coordinates = {{0.0}, {1.0}, {}, false, 0.0};
    solution.coefficients = {1.0};
    solution.intercept = {0.0};
    solution.source_rows = solution.target_rows = 1;
    Ledger nothing;
    nothing.set_budget(budget());
    for (const bool paid : {true, false}) {
        solution.privacy = PrivacyRecord({paid ? charged(NoiseSource::system) : nothing, facts()});
        std::string told;
        try {
            (void)deserialize(serialize(solution));
        } catch (const Error &error) {
            told = error.what();
        }
        check_true(told, (told.find("no release") == std::string::npos) == paid);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(reports_are_written_again),
        core_test(forged_facts_pay_for_their_releases),
        core_test(the_cap_is_what_epsilon_and_delta_give),
        core_test(releases_have_a_price),
        core_test(sampled_steps_state_the_price_that_they_have),
        core_test(a_shared_ledger_is_as_the_statement_says),
        core_test(members_are_compared),
        core_test(a_promise_needs_a_release),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
