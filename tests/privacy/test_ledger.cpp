// Prices are exact integers, the cap holds to the last unit, and a charge is all or nothing.
#include <sodium/crypto_generichash.h>

#include "base/error.hpp"
#include "privacy/ledger.hpp"
#include "privacy/privacy.hpp"
#include "sums/integer_sums.hpp"

using namespace dpadapt;
using privacy::Cost;
using privacy::kSource;
using privacy::kTarget;
using privacy::Ledger;
using privacy::Mechanism;
using privacy::NoiseSource;
using privacy::Release;

namespace {

/** A release of that integer sensitivity, with noise 2^40: its price is the integer itself, squared
 *  for Gaussian noise. */
Release release_of(Mechanism mechanism, std::int64_t sensitivity,
                   privacy::Domains domains = kTarget, std::uint64_t steps = 1) {
    return {mechanism, privacy::ReleaseKind::gradient, domains, steps, 1, 40, sensitivity, 1.0,
            0.0};
}

bool same(const Cost &a, const Cost &b) {
    return a.mu_square == b.mu_square && a.laplace == b.laplace && a.pure == b.pure &&
           a.failure == b.failure;
}

/** Status and text of the error; empty if there is none. */
template <typename Call>
std::pair<dpa_status, std::string> error_of(const Call &call) {
    try {
        call();
    } catch (const Error &error) {
        return {error.status(), error.what()};
    }
    return {DPA_OK, {}};
}

template <typename Call>
void check_refused(const std::string &what, dpa_status status, const Call &call) {
    check_true(what, error_of(call).first == status);
}

void prices_are_integers() {
    check_true("Gaussian", same(release_of(Mechanism::gaussian, 3, kTarget, 7).cost(), {63, 0, 0}));
    check_true("Laplace", same(release_of(Mechanism::laplace, 3, kTarget, 7).cost(), {0, 21, 0}));
    check_true("pure", same(release_of(Mechanism::pure, 3, kTarget, 7).cost(), {0, 0, 21}));
    // Fewer bits, same ratio: (3 2^8)^2 with noise 2^32 costs as much as (3 2^16)^2 with noise
    // 2^40.
    Release coarse = release_of(Mechanism::gaussian, 3 << 8);
    coarse.bits = 32;
    check_true("bits", same(coarse.cost(), release_of(Mechanism::gaussian, 3 << 16).cost()));
    const Cost sum = {5, 6, 7};
    Cost twice = sum;
    twice += sum;
    check_true("sum", same(twice, {10, 12, 14}));
    const Cost largest = {~Uint128{0}, ~std::uint64_t{0}, ~std::uint64_t{0}, ~Uint128{0}};
    Cost most = left_of(largest, {1, 1, 1, 1});
    most += {5, 5, 5, 5};
    check_true("no overflow", same(most, largest));
}

/** What moves twice as far costs four times mu^2, twice an epsilon, and has no promise at all where
 *  records are sampled. */
void groups_pay_for_all_their_records() {
    const Cost one = {8, 7, 6, 0};
    const Cost sampled = {8, 7, 6, 5};
    check_true("one", same(privacy::cost_of_group(sampled, 1), sampled));
    check_true("two", same(privacy::cost_of_group(one, 2), {32, 14, 12, 0}));
    const Cost two = privacy::cost_of_group(sampled, 2);
    check_true("sampled", two.totals().failure == 1.0);
}

void costs_are_compared_part_by_part() {
    const Cost all = {8, 7, 6, 5};
    for (const Cost &part :
         {Cost{8, 0, 0, 0}, Cost{0, 7, 0, 0}, Cost{0, 0, 6, 0}, Cost{0, 0, 0, 5}}) {
        const Cost rest = left_of(all, part);
        check_true("one", same(privacy::larger_cost(part, rest), all));
        check_true("other", same(privacy::larger_cost(rest, part), all));
        Cost above = all;
        above += part;
        check_true("within", all.within(all) && all.within(above) && !above.within(all));
    }
}

void numbers_become_units_rounded_down_and_back_rounded_up() {
    check_true("one", privacy::mu_square_units(1.0) == Uint128{1} << 80);
    check_true("quarter", privacy::mu_square_units(0.5) == Uint128{1} << 78);
    check_true("tiny", privacy::mu_square_units(0x1p-41) == 0);
    check_true("least", privacy::mu_square_units(0x1p-40) == 1);
    check_true("nothing",
               privacy::mu_square_units(0.0) == 0 && privacy::mu_square_units(-1.0) == 0);
    check_true("epsilon", privacy::epsilon_units(0.1) == 109951162777U);  // 109951162777.6
    Random random(3);
    for (int trial = 0; trial < 10000; ++trial) {
        const double mu = std::exp(8 * random.uniform() - 5);
        const Uint128 units = privacy::mu_square_units(mu);
        const long double exact = std::ldexp(static_cast<long double>(mu) * mu, 80);
        check_true("down", static_cast<long double>(units) <= exact * (1 + 0x1p-62L));
        check_true("by one unit", static_cast<long double>(units) >= exact * (1 - 0x1p-60L) - 1);
        const Uint128 between = units + (units >> 54) * static_cast<unsigned>(trial % 4);
        const double back = Cost{between, 0, 0}.totals().mu;
        check_close("back", back, mu, 1e-11);
        const long double square = std::ldexp(static_cast<long double>(back) * back, 80);
        check_true("up", square >= static_cast<long double>(between));
    }
}

void published_example() {
    // eps = 1, delta = 1e-5, eps1 = 0.1, T = 100.
    const privacy::Budget budget = privacy::make_budget(1.0, 1e-5, 0.1, 0.0);
    const auto grid = privacy::plan_grid(budget.cap.mu_square / 100, 1.0, 32);
    check_true("Q", grid.most == 54434920);
    const Release gradients = {Mechanism::gaussian,
                               privacy::ReleaseKind::gradient,
                               kTarget,
                               100,
                               5,
                               32,
                               2 * grid.most,
                               grid.gamma,
                               0.0};
    check_true("exact", gradients.cost().mu_square == (Uint128{108869840} * 108869840 << 16) * 100);
    check_above("mu", gradients.cost().totals().mu, 0.25348234921693802, 4e-16);
    check_true("within", gradients.cost().within(budget.cap));
    check_close("step", gradients.step_price(), 0.025348234921693802, 1e-15);
    check_close("sigma", gradients.scale() / gradients.sensitivity(), 1.0 / gradients.step_price(),
                1e-15);
}

const privacy::Budget kBudget = {1.0, 1e-5, {100, 10, 7}};

/** Prices of records say nothing of persons. */
void a_shared_ledger_has_one_unit() {
    using privacy::Unit;
    const Release release = release_of(Mechanism::gaussian, 1);
    for (const Unit own : {Unit::record, Unit::person})
        for (const Unit other : {Unit::record, Unit::person}) {
            const auto shared = std::make_shared<privacy::SharedLedger>(kBudget, 0, own);
            Ledger ledger;
            ledger.use(shared);
            ledger.announce({{}, {}, other});
            const auto [status, text] = error_of([&] {
                ledger.charge({&release, 1}, NoiseSource::system);
            });
            const std::size_t paid = own == other ? 1 : 0;
            check_true("refused", status == (own == other ? DPA_OK : DPA_E_STATE));
            check_true("nothing entered", ledger.entries().size() == paid &&
                                              ledger.paid().size() == paid &&
                                              shared->content().entries.size() == paid);
            if (own != other)
                check_true("both named", text.find("unit = record") != std::string::npos &&
                                             text.find("unit = person") != std::string::npos);
            const privacy::SharedLedger again(shared->bytes());
            check_true("saved", again.unit() == own);
        }
}

/** A first block of that content, after its checksum. */
privacy::Block first_block(std::vector<std::uint8_t> content) {
    std::uint64_t sum = 0xcbf29ce484222325U;
    for (const std::uint8_t byte : content) sum = (sum ^ byte) * 0x100000001b3U;
    for (unsigned k = 0; k < 8; ++k) content.push_back(static_cast<std::uint8_t>(sum >> 8 * k));
    privacy::Block block{};
    block[0] = static_cast<std::uint8_t>(content.size());
    std::copy(content.begin(), content.end(), block.begin() + 8);
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, 32);
    const privacy::Digest previous{};
    crypto_generichash_update(&state, previous.data(), 32);
    crypto_generichash_update(&state, block.data(), block.size() - 32);
    crypto_generichash_final(&state, block.data() + block.size() - 32, 32);
    return block;
}

/** Other units and neighbours than there are, and ledgers from before there was a unit. */
void unknown_headers_are_refused() {
    const privacy::Block good = write_block(privacy::LedgerHeader{kBudget});
    const std::vector<std::uint8_t> content(good.begin() + 8, good.begin() + good[0]);
    check_true("as written", first_block(content) == good);
    const auto refuse = [&](std::size_t at, std::uint8_t byte, const char *word) {
        std::vector<std::uint8_t> other = content;
        other[at] = byte;
        const privacy::Block block = first_block(other);
        const auto [status, text] = error_of([&] { (void)privacy::read_blocks(block); });
        check_true(word, status == DPA_E_FORMAT && text.find(word) != std::string::npos);
    };
    refuse(8, 2, "unknown unit");
    refuse(16, 2, "unknown neighbours");
}

/** A file says how much may be spent, and which epsilon and delta that is worth. */
void caps_beyond_their_promise_are_refused() {
    const privacy::Budget budget = privacy::make_budget(1.0, 1e-5, 0.1, 0.1);
    const auto status = [&](const Cost &more) {
        privacy::Budget other = budget;
        other.cap += more;
        const privacy::Block block = write_block(privacy::LedgerHeader{other});
        return error_of([&] { (void)privacy::read_blocks(block); }).first;
    };
    const Cost &cap = budget.cap;
    check_true("kept", status({}) == DPA_OK);
    for (const Cost &more :
         {Cost{cap.mu_square, 0, 0}, Cost{0, cap.laplace, 0}, Cost{0, 0, cap.pure}})
        check_true("beyond", status(more) == DPA_E_FORMAT);
}

/** A call of several charges begins only if the ledger of the whole budget can pay for all. */
void calls_are_checked_with_the_whole() {
    const auto make = [] {
        return std::make_shared<privacy::SharedLedger>(kBudget, 0, privacy::Unit::record);
    };
    const auto whole = make();
    const auto part = make();
    part->set_parent(whole);
    const Release release = release_of(Mechanism::gaussian, 8);
    (void)whole->charge({&release, 1}, false, {{}, {}, privacy::Unit::record});
    part->check({36, 0, 0});
    check_refused("one unit more", DPA_E_BUDGET, [&] { part->check({37, 0, 0}); });
}

void entries_are_numbered() {
    const privacy::Block first = write_block(privacy::LedgerHeader{{1.0, 0.0, {}}});
    for (const std::uint64_t sequence : {0U, 1U, 2U}) {
        privacy::LedgerEntry entry;
        entry.sequence = sequence;
        const privacy::Block second = write_block(entry, privacy::head_of(first));
        std::vector<std::uint8_t> bytes(first.begin(), first.end());
        bytes.insert(bytes.end(), second.begin(), second.end());
        check_true("number", error_of([&] { (void)privacy::read_blocks(bytes); }).first ==
                                 (sequence == 1 ? DPA_OK : DPA_E_FORMAT));
    }
}

/** What a problem keeps of an entry is what the ledger has. */
void long_texts_are_shortened_once() {
    privacy::SharedLedger ledger(kBudget, 0, privacy::Unit::record);
    const Release release = release_of(Mechanism::gaussian, 1);
    const privacy::LedgerEntry paid =
        ledger.charge({&release, 1}, false, {{}, std::string(5000, 'a'), privacy::Unit::record});
    const privacy::LedgerContent read = privacy::read_blocks(ledger.bytes());
    check_true("short", paid.options.starts_with("BLAKE2b ") && paid.options.size() < 100);
    check_true("as read", read.entries[0].options == paid.options &&
                              ledger.content().entries[0].options == paid.options);
}

/** Prices of one relation say nothing of the other. */
void a_ledger_has_one_relation() {
    for (const auto own : {privacy::Neighbours::replace, privacy::Neighbours::zero_out})
        for (const auto other : {privacy::Neighbours::replace, privacy::Neighbours::zero_out}) {
            Ledger ledger;
            ledger.set_budget({1.0, 1e-5, {100, 10, 7}, own});
            Release release = release_of(Mechanism::gaussian, 1);
            release.neighbours = other;
            const auto [status, text] = error_of([&] {
                ledger.charge({&release, 1}, NoiseSource::system);
            });
            check_true("refused", status == (own == other ? DPA_OK : DPA_E_STATE));
            check_true("nothing entered", ledger.entries().size() == (own == other ? 1 : 0));
            if (own != other)
                check_true("both named", text.find("replace") != std::string::npos &&
                                             text.find("zero_out") != std::string::npos);
        }
    const privacy::Block replace = write_block(privacy::LedgerHeader{{1.0, 0.0, {}}});
    const privacy::Block taken_out =
        write_block(privacy::LedgerHeader{{1.0, 0.0, {}, privacy::Neighbours::zero_out}});
    check_true("saved", privacy::read_blocks(replace).header.budget.neighbours ==
                                privacy::Neighbours::replace &&
                            privacy::read_blocks(taken_out).header.budget.neighbours ==
                                privacy::Neighbours::zero_out);
}

void the_cap_holds_to_the_last_unit() {
    const struct {
        Mechanism mechanism;
        std::int64_t most;
        std::vector<std::int64_t> parts;  ///< that add up to the cap
    } cases[] = {{Mechanism::gaussian, 10, {8, 6}},
                 {Mechanism::laplace, 10, {4, 6}},
                 {Mechanism::pure, 7, {3, 4}}};
    for (const auto &[mechanism, most, parts] : cases) {
        Ledger whole;
        whole.set_budget(kBudget);
        const Release all = release_of(mechanism, most);
        const Release above = release_of(mechanism, most + 1);
        const Release unit = release_of(mechanism, 1);
        check_refused("one above", DPA_E_BUDGET, [&] {
            whole.charge({&above, 1}, NoiseSource::system);
        });
        check_true("unchanged", whole.entries().empty() && same(whole.spent(), {}));
        whole.charge({&all, 1}, NoiseSource::system);
        check_refused("one unit more", DPA_E_BUDGET, [&] {
            whole.charge({&unit, 1}, NoiseSource::system);
        });
        Ledger pieces;
        pieces.set_budget(kBudget);
        for (const std::int64_t part : parts) {
            const Release release = release_of(mechanism, part);
            pieces.charge({&release, 1}, NoiseSource::system);
        }
        check_true("the same total", same(pieces.spent(), whole.spent()));
        check_refused("full", DPA_E_BUDGET, [&] {
            pieces.charge({&unit, 1}, NoiseSource::system);
        });
        check_true("entries", pieces.entries().size() == parts.size());
    }
}

void a_charge_is_all_or_nothing() {
    Ledger ledger;
    ledger.set_budget(kBudget);
    const std::vector<Release> call = {release_of(Mechanism::gaussian, 6),
                                       release_of(Mechanism::laplace, 11)};
    const auto [status, text] = error_of([&] { ledger.charge(call, NoiseSource::unsafe_seed); });
    check_true("refused", status == DPA_E_BUDGET);
    check_true("told", text.find("Laplace epsilon") != std::string::npos);
    check_true("nothing entered", ledger.entries().empty() && !ledger.seeded());
    ledger.charge({call.data(), 1}, NoiseSource::system);
    ledger.charge({call.data(), 1}, NoiseSource::unsafe_seed);
    check_true("entered", same(ledger.spent(kTarget), {72, 0, 0}));
    check_true("sequence", ledger.entries()[0].sequence == 0 && ledger.entries()[1].sequence == 1);
    check_true("noise", ledger.entries()[0].noise == NoiseSource::system && ledger.seeded());
}

void domains_are_totalled_apart() {
    Ledger ledger;
    ledger.set_budget(kBudget);
    const std::vector<Release> call = {release_of(Mechanism::gaussian, 5, kSource),
                                       release_of(Mechanism::gaussian, 7, kTarget),
                                       release_of(Mechanism::gaussian, 1, kSource | kTarget),
                                       release_of(Mechanism::laplace, 9, kSource)};
    ledger.charge(call, NoiseSource::system);
    check_true("source", same(ledger.spent(kSource), {26, 9, 0}));
    check_true("target", same(ledger.spent(kTarget), {50, 0, 0}));
    check_true("larger, part by part", same(ledger.spent(), {50, 9, 0}));
    const Release big = release_of(Mechanism::gaussian, 8, kSource);
    ledger.charge({&big, 1}, NoiseSource::system);  // 26 + 64 = 90: the target's 50 do not count
    const Release two = release_of(Mechanism::laplace, 2, kSource | kTarget);
    check_refused("worst domain decides", DPA_E_BUDGET, [&] {
        ledger.charge({&two, 1}, NoiseSource::system);
    });
    const Release one = release_of(Mechanism::laplace, 10, kTarget);
    ledger.charge({&one, 1}, NoiseSource::system);
    check_true("total", same(ledger.spent(), {90, 10, 0}));
}

void the_budget_is_fixed_once() {
    Ledger ledger;
    const Release release = release_of(Mechanism::gaussian, 1);
    check_refused("no budget", DPA_E_INTERNAL, [&] {
        ledger.charge({&release, 1}, NoiseSource::system);
    });
    ledger.set_budget(kBudget);
    check_refused("again", DPA_E_STATE, [&] { ledger.set_budget({9.0, 0.5, {1000, 1000, 1000}}); });
    check_true("kept", ledger.budget()->epsilon == 1.0 && same(ledger.budget()->cap, kBudget.cap));
}

/** upper_delta of the cap is within delta, and a cap with 1 + 1e-9 times the mu is not. */
void budgets_keep_their_promise_and_waste_nothing() {
    for (const double epsilon : {0.01, 0.1, 0.5, 1.0, 3.0, 10.0, 100.0, 250.0})
        for (const double delta : {1e-300, 1e-30, 1e-9, 1e-6, 1e-5, 0.01, 0.5, 0.999})
            for (const double share : {0.0, 0.1, 0.5, 0.9, 0.999, 1.0}) {
                const auto budget = privacy::make_budget(epsilon, delta, share * epsilon, 0.0);
                privacy::Totals totals = budget.cap.totals();
                check_true("promise", privacy::upper_delta(epsilon, totals) <= delta);
                check_true("Laplace", totals.laplace_epsilon <= share * epsilon &&
                                          totals.laplace_epsilon > share * epsilon - 0x1p-39);
                totals.mu = std::max(totals.mu * (1 + 1e-9), privacy::kLeastMu);
                check_true("nothing wasted",
                           privacy::upper_delta(epsilon, totals) > delta || totals.mu > 49.9);
            }
}

void budgets_without_delta_are_pure() {
    const auto budget = privacy::make_budget(1.0, 0.0, 1.0, 0.0);
    check_true("no Gaussian", budget.cap.mu_square == 0);
    check_true("all Laplace", budget.cap.laplace == std::uint64_t{1} << 40);
    check_true("exactly", privacy::upper_delta(1.0, budget.cap.totals()) == 0.0);
    const auto split = privacy::make_budget(1.0, 0.0, 0.75, 0.25);
    check_true("pure part", split.cap.pure == std::uint64_t{1} << 38);
    const auto [status, text] = error_of([] { (void)privacy::make_budget(1.0, 1e-5, 0.75, 0.5); });
    check_true("too much", status == DPA_E_OPTION);
    check_true("true epsilon", text.find("epsilon = 1.2") != std::string::npos);
}

void budgets_of_given_costs_are_certified() {
    const Cost cost = {privacy::mu_square_units(0.3), privacy::epsilon_units(0.5), 0};
    const double price = privacy::delta(1.0, cost.totals());
    check_above("price", price, 0.0039978916796239457, 1e-9);
    const auto budget = privacy::certify_budget(1.0, price, cost);
    check_true("the cost is the cap", same(budget.cap, cost));
    const auto [status, text] =
        error_of([&] { (void)privacy::certify_budget(1.0, std::nextafter(price, 0.0), cost); });
    check_true("refused", status == DPA_E_OPTION);
    check_true("true delta", text.find("delta = 0.00399789") != std::string::npos);
    const auto [other, words] = error_of([&] { (void)privacy::certify_budget(1.0, 1e-5, cost); });
    check_true("true epsilon",
               other == DPA_E_OPTION && words.find("epsilon = 1.58237") != std::string::npos);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(prices_are_integers),
        core_test(groups_pay_for_all_their_records),
        core_test(costs_are_compared_part_by_part),
        core_test(numbers_become_units_rounded_down_and_back_rounded_up),
        core_test(published_example),
        core_test(a_ledger_has_one_relation),
        core_test(a_shared_ledger_has_one_unit),
        core_test(unknown_headers_are_refused),
        core_test(caps_beyond_their_promise_are_refused),
        core_test(calls_are_checked_with_the_whole),
        core_test(entries_are_numbered),
        core_test(long_texts_are_shortened_once),
        core_test(the_cap_holds_to_the_last_unit),
        core_test(a_charge_is_all_or_nothing),
        core_test(domains_are_totalled_apart),
        core_test(the_budget_is_fixed_once),
        core_test(budgets_keep_their_promise_and_waste_nothing),
        core_test(budgets_without_delta_are_pure),
        core_test(budgets_of_given_costs_are_certified),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
