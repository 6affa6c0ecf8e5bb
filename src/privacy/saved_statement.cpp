#include "privacy/saved_statement.hpp"

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "base/json_leaves.hpp"
#include "base/text.hpp"
#include "privacy/fields.hpp"
#include "privacy/sampled_gaussian.hpp"

namespace dpadapt::privacy {
namespace {

constexpr bytes::Format kFormat{{'d', 'p', 'a', '-', 's', 't', 'm', '1'}, "a privacy statement"};

/** What was entered of a release. */
struct Paid {
    SampleSizes sizes;
    bool seeded = false;
    Release release;
};

void visit_paid(auto &visit, auto &paid) {
    visit_sizes(visit, paid.sizes);
    visit(paid.seeded);
    visit_release(visit, paid.release);
}

bool same(const Cost &one, const Cost &other) { return one.within(other) && other.within(one); }

constexpr std::uint64_t kLastSecond = 253402300799U;  // of the year 9999

/** Statements, one field after another, each of which is checked. What stands in no report is
 *  dropped, so that a report cannot hold it. */
class StatementReader {
  public:
    explicit StatementReader(std::span<const std::uint8_t> bytes) : read_(bytes, kFormat) {}

    Statement all() {
        bool has_budget = false;
        read_(has_budget);
        if (has_budget) ledger_.set_budget(budget());
        facts();
        for (std::size_t left = read_.length(); left > 0; --left) pay();
        if (has_budget) check_cap();
        check(!facts_.call_without_privacy || (facts_.domains == 0 && ledger_.entries().empty()),
              "a call without privacy has private records");
        if (!ledger_.entries().empty()) facts_.sizes = {};
        unprotected_use();
        Statement statement(ledger_, std::move(facts_));
        bool has_shared = false;
        read_(has_shared);
        if (has_shared) shared(statement);
        read_.expect_end();
        return statement;
    }

  private:
    void check(bool good, const char *what) const {
        if (!good) read_.damaged(what);
    }

    Budget budget() {
        Budget found;
        visit_budget(read_, found);
        visit_wide(read_, found.cap.failure);
        check(found.neighbours <= Neighbours::zero_out, "its neighbours are unknown");
        try {
            return certify_budget(found.epsilon, found.delta, found.cap, found.neighbours);
        } catch (const Error &error) {
            read_.damaged(std::string("its budget is less than what the cap allows: ") +
                          error.what());
        }
    }

    void facts() {
        read_(facts_.domains);
        visit_sizes(read_, facts_.sizes);
        bytes::each(read_, facts_.persons, facts_.neighbours, facts_.call_without_privacy);
        facts_.call = Document::read(read_);
        check(facts_.domains <= (kSource | kTarget), "its private samples are unknown");
        check(facts_.neighbours <= Neighbours::zero_out, "its neighbours are unknown");
    }

    void pay() {
        Paid paid;
        visit_paid(read_, paid);
        const Release &release = paid.release;
        check(release.mechanism <= Mechanism::pure && release.kind <= ReleaseKind::votes &&
                  release.neighbours <= Neighbours::zero_out,
              "a release is of no known kind");
        check(release.domains != 0 && (release.domains & ~facts_.domains) == 0,
              "a release is of no private sample");
        check(has_price(release), "a release has no price");
        if (std::isnan(paid.release.unit)) paid.release.unit = kUnknown;
        if (release.rate > 0)
            check_sampled(release);
        else
            paid.release.sampled = {};
        ledger_.announce({paid.sizes, {}});
        try {
            ledger_.charge({&release, 1},
                           paid.seeded ? NoiseSource::unsafe_seed : NoiseSource::system);
        } catch (const Error &error) {
            read_.damaged(std::string("a release was not paid: ") + error.what());
        }
    }

    /** Whether its price can be computed in the integers that prices have. */
    static bool has_price(const Release &release) {
        constexpr double kMostSquare = 0x1p40;
        constexpr double kMostEpsilon = 0x1p20;
        constexpr int kMostBits = 40;
        if (release.bits < 0 || release.bits > kMostBits || release.integer_sensitivity <= 0)
            return false;
        const double step = release.step_price();
        const auto steps = static_cast<double>(release.steps);
        return step * step * steps < kMostSquare && step * steps < kMostEpsilon;
    }

    /** The price of sampled steps is stated, because accountants of other machines round
     *  logarithms otherwise. */
    void check_sampled(const Release &release) const {
        constexpr double kRounding = 1e-6;
        const Cost &paid = release.sampled;
        check(release.mechanism == Mechanism::gaussian && paid.laplace == 0 && paid.pure == 0,
              "sampled steps have another price");
        double mu = 0.0;
        try {
            mu = sampled_mu(
                {std::ldexp(static_cast<double>(release.rate), -32), release.steps,
                 release.neighbours},
                release.step_price() / static_cast<double>(norms_moved(release.neighbours)),
                std::ldexp(static_cast<double>(paid.failure), -kFailureBits));
        } catch (const Error &error) {
            read_.damaged(std::string("sampled steps have no price: ") + error.what());
        }
        check(std::fabs(paid.totals().mu - mu) <= kRounding * mu,
              "sampled steps have another price");
    }

    /** A budget gives its releases all that epsilon and delta allow, or, where their noise was
     *  given, what the first call costs. */
    void check_cap() const {
        const Budget &budget = *ledger_.budget();
        const Totals parts = budget.cap.totals();
        const Budget made = make_budget(budget.epsilon, budget.delta, parts.laplace_epsilon,
                                        parts.pure_epsilon, budget.neighbours, budget.cap.failure);
        check(same(made.cap, budget.cap) || same(ledger_.spent(), budget.cap),
              "the cap of its budget is not what epsilon and delta give");
    }

    void unprotected_use() {
        for (std::atomic<bool> *mark :
             {&ledger_.unprotected_use().inspected, &ledger_.unprotected_use().unprotected,
              &ledger_.unprotected_use().seeded}) {
            bool value = false;
            read_(value);
            *mark = value;
        }
    }

    void shared(Statement &statement) {
        LedgerState state;
        std::string head;
        visit_header(read_, state.header);
        bytes::each(read_, state.entries, head);
        visit_cost(read_, state.spent);
        read_(state.seeded);
        check(state.header.time <= kLastSecond, "its ledger has no time");
        check(head.size() == state.head.size(), "the last hash of its ledger is none");
        std::copy(head.begin(), head.end(), state.head.begin());
        const LedgerHeader &header = state.header;
        const std::optional<Budget> &own = ledger_.budget();
        check(own && header.budget.epsilon == own->epsilon && header.budget.delta == own->delta &&
                  header.budget.neighbours == own->neighbours && same(header.budget.cap, own->cap),
              "the budget of its ledger is another one");
        check(header.unit <= Unit::person && header.locked_domains <= (kSource | kTarget) &&
                  is_plain(header.id),
              "its ledger is none");
        check(ledger_.entries().empty() || (header.unit == Unit::person) == statement.facts.persons,
              "its ledger is about another unit");
        check(state.spent.within(header.budget.cap), "its ledger has paid more than the budget");
        statement.seeded = statement.seeded || state.seeded;
        statement.shared = std::move(state);
        own_entries(statement);
    }

    /** The entries of this problem in its ledger: each follows the one before, and together they
     *  pay for all its releases. */
    void own_entries(Statement &statement) {
        const LedgerState &state = *statement.shared;
        auto left = ledger_.entries().begin();
        Cost paid;
        std::uint64_t last = 0;
        std::uint64_t count = 0;
        for (std::size_t more = read_.length(); more > 0; --more, ++count) {
            LedgerEntry entry;
            std::uint64_t releases = 0;
            visit_entry(read_, entry);
            read_(releases);
            check(entry.sequence > last && entry.sequence <= state.entries,
                  "an entry of its ledger does not follow from the one before");
            last = entry.sequence;
            check(follows(entry, releases, left), "an entry of its ledger is not what was paid");
            paid += entry.cost;
            statement.paid.add(std::move(entry));
        }
        check(left == ledger_.entries().end(), "its ledger has not paid for all releases");
        const bool alone = count == state.entries;
        check(paid.within(state.spent) && (!alone || state.spent.within(paid)),
              "its ledger has not spent what its entries have paid");
        check(state.seeded ? !alone || ledger_.seeded() : !ledger_.seeded(),
              "its ledger has noise from another source than its entries");
    }

    /** Whether an entry is of that many of the releases that are left. */
    bool follows(const LedgerEntry &entry, std::uint64_t count, auto &left) const {
        std::vector<Release> releases;
        for (; count > 0; --count, ++left) {
            if (left == ledger_.entries().end() || left->sizes != entry.sizes ||
                (left->noise == NoiseSource::unsafe_seed) != entry.seeded)
                return false;
            releases.push_back(left->release);
        }
        return entry.releases == shortened(describe_releases(releases)) &&
               same(entry.cost, price_of_call(releases)) && is_plain(entry.options) &&
               entry.time <= kLastSecond;
    }

    bytes::Reader read_;
    Ledger ledger_;
    ReportFacts facts_;
};

/** How many of the releases that are left an entry has paid for. */
std::uint64_t releases_of(const LedgerEntry &entry, auto &left, const auto &end) {
    std::vector<Release> releases;
    while (left != end && entry.releases != shortened(describe_releases(releases))) {
        releases.push_back(left->release);
        ++left;
    }
    return releases.size();
}

/** The report without what the writer does not know. */
std::vector<JsonLeaf> known_leaves(std::vector<JsonLeaf> leaves, std::string_view last) {
    if (last.empty()) return leaves;
    std::erase_if(leaves, [&](const JsonLeaf &leaf) {
        return leaf.path == last || leaf.path.starts_with(std::string(last) + '/');
    });
    return leaves;
}

/** Whether the text is the report, with nothing but that member behind it. */
bool is_report(std::string_view json, std::string_view report, std::string_view last) {
    if (json == report) return true;
    report.remove_suffix(1);  // the brace at its end
    const std::string member = ",\"" + std::string(last) + "\":";
    if (last.empty() || !json.starts_with(report) ||
        !json.substr(report.size()).starts_with(member) || !json.ends_with('}'))
        return false;
    json.remove_suffix(1);
    (void)json_leaves(json.substr(report.size() + member.size()));  // one value and no more
    return true;
}

}  // namespace

std::vector<std::uint8_t> write_statement(const Statement &statement) {
    const Ledger &ledger = statement.ledger;
    const ReportFacts &facts = statement.facts;
    bytes::Writer write(kFormat);
    write(ledger.budget().has_value());
    if (ledger.budget()) {
        visit_budget(write, *ledger.budget());
        visit_wide(write, ledger.budget()->cap.failure);
    }
    const bool nothing = ledger.entries().empty();
    write(facts.domains);
    const SampleSizes sizes = nothing ? facts.sizes : SampleSizes();
    visit_sizes(write, sizes);
    bytes::each(write, facts.persons, facts.neighbours,
                facts.call_without_privacy && facts.domains == 0 && nothing);
    facts.call.write(write);
    write(ledger.entries().size());
    for (const Ledger::Entry &entry : ledger.entries()) {
        const Paid paid{entry.sizes, entry.noise == NoiseSource::unsafe_seed, entry.release};
        visit_paid(write, paid);
    }
    const UnprotectedUse &use = ledger.unprotected_use();
    bytes::each(write, use.inspected.load(), use.unprotected.load(),
                use.seeded.load() && !statement.seeded, statement.shared.has_value());
    if (!statement.shared) return write.finish();
    const LedgerState &state = *statement.shared;
    visit_header(write, state.header);
    write(state.entries);
    write(std::string(state.head.begin(), state.head.end()));
    visit_cost(write, state.spent);
    bytes::each(write, state.seeded, statement.paid.size());
    auto left = ledger.entries().begin();
    for (const LedgerEntry &entry : statement.paid) {
        visit_entry(write, entry);
        write(releases_of(entry, left, ledger.entries().end()));
    }
    return write.finish();
}

Statement read_statement(std::span<const std::uint8_t> bytes) {
    return StatementReader(bytes).all();
}

Statement check_report(std::string_view json, std::string_view last) {
    const std::vector<JsonLeaf> found = json_leaves(json);
    if (string_at(found, "schema") != kReportSchema)
        throw Error(DPA_E_FORMAT, std::string("\"schema\" must be ") + kReportSchema);
    if (string_at(found, "version") != kVersion)
        throw Error(DPA_E_FORMAT, "\"version\" is " + string_at(found, "version") +
                                      ", but only that version knows its words: this is " +
                                      kVersion);
    const auto bytes = from_base64(string_at(found, "statement"));
    if (!bytes) throw Error(DPA_E_FORMAT, "\"statement\" is no base64");
    Statement statement = read_statement(*bytes);
    const std::string wanted = write_report(statement, Form::json);
    // mutant: words_not_compared
    const bool same = is_report(json, wanted, last);
    if (same) return statement;
    check_same(known_leaves(found, last), json_leaves(wanted));
    throw Error(DPA_E_FORMAT,
                "is written otherwise than reports are: blanks or the order of members");
}

void check_ledger(const Statement &statement, const LedgerContent &ledger) {
    const auto check = [](bool good, const char *member, const char *what) {
        if (!good)
            throw Error(DPA_E_FORMAT, std::string("\"shared_ledger") + member + "\" " + what);
    };
    check(statement.shared.has_value(), "", "is null: the report was not paid from a ledger");
    const LedgerState &state = *statement.shared;
    const LedgerHeader &own = ledger.header;
    check(state.header.id == own.id, "/id", "is that of another ledger");
    check(state.header.time == own.time, "/created", "is that of another ledger");
    check(state.header.unit == own.unit, "/unit", "is not that of the ledger");
    check(state.header.budget.neighbours == own.budget.neighbours, "/neighbours",
          "are not those of the ledger");
    check(state.header.locked_domains == own.locked_domains, "/locks", "is not so in the ledger");
    check(state.header.budget.epsilon == own.budget.epsilon &&
              state.header.budget.delta == own.budget.delta &&
              same(state.header.budget.cap, own.budget.cap),
          "", "has another budget than the ledger");
    check(state.entries <= ledger.entries.size(), "/entry_count", "is more than the ledger has");
    check(state.head == ledger.heads[static_cast<std::size_t>(state.entries)], "/head",
          "is not the hash of that entry of the ledger");
    Cost spent;
    bool seeded = false;
    for (std::size_t k = 0; k < state.entries; ++k) {
        spent += ledger.entries[k].cost;
        seeded = seeded || ledger.entries[k].seeded;
    }
    check(same(spent, state.spent), "/spent", "is not what the ledger says");
    check(seeded == state.seeded, "/seeded", "is not what the ledger says");
    for (const LedgerEntry &entry : statement.paid) {
        const LedgerEntry &found = ledger.entries[static_cast<std::size_t>(entry.sequence - 1)];
        check(entry.time == found.time && entry.seeded == found.seeded &&
                  same(entry.cost, found.cost) && entry.sizes == found.sizes &&
                  entry.releases == found.releases && entry.options == found.options,
              "/own_entries", "are not those of the ledger");
    }
}

}  // namespace dpadapt::privacy
