#include "privacy/report.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "privacy/accountant.hpp"
#include "privacy/plain_words.hpp"
#include "privacy/saved_statement.hpp"

namespace dpadapt::privacy {

namespace {

constexpr const char *kSpentIs =
    "what was spent up to now: a guarantee for calls that were fixed in advance; of calls that "
    "were "
    "chosen by looking at earlier results the budget alone is one";

const char *name_of(Mechanism mechanism) {
    constexpr std::array kNames{"Gaussian", "Laplace", "pure"};
    return kNames.at(static_cast<std::size_t>(mechanism));
}

const char *name_of(Domains domains) {
    constexpr std::array kNames{"none", "source", "target", "both"};
    return kNames.at(domains);
}

/** Of zero-concentrated differential privacy: half the squares of mu and of the epsilons of pure
 *  releases, rounded up. */
double rho(const Totals &totals) {
    const auto square = [](double value) { return value == 0.0 ? 0.0 : up(value * value); };
    const double pure = square(totals.laplace_epsilon) + square(totals.pure_epsilon);
    const double sum = square(totals.mu) + (pure == 0.0 ? 0.0 : up(pure));
    return sum == 0.0 ? 0.0 : 0.5 * up(sum);
}

Document units(Uint128 value) {
    std::string digits;
    do digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    while ((value /= 10) != 0);
    return digits;
}

/** Exact integers and what they mean. */
Document describe(const Cost &cost) {
    const Totals totals = cost.totals();
    Document document;
    document.set("mu", totals.mu)
        .set("laplace_epsilon", totals.laplace_epsilon)
        .set("pure_epsilon", totals.pure_epsilon)
        .set("rho", cost.failure == 0 ? Document(rho(totals)) : Document(nullptr))
        .set_for_machines("mu_square_units_of_2^-80", units(cost.mu_square))
        .set_for_machines("laplace_epsilon_units_of_2^-40", cost.laplace)
        .set_for_machines("pure_epsilon_units_of_2^-40", cost.pure);
    if (cost.failure > 0)
        document.set("failure", totals.failure)
            .set_for_machines("failure_units_of_2^-120", units(cost.failure));
    return document;
}

Document epsilon_at(double delta, const Cost &cost) {
    const std::optional<double> epsilon = known_epsilon(delta, cost.totals());
    return epsilon ? Document(*epsilon) : Document(nullptr);
}

/** What the same releases are for records of one person: noise is the same, but all of them move
 *  what is released, so that mu and the epsilons of pure releases are so many times as large. */
Document groups(double delta, const Cost &cost) {
    Document list = Document::list();
    for (const unsigned records : {2U, 5U, 10U, 30U})
        list.add(Document()
                     .set("records", records)
                     .set("epsilon", epsilon_at(delta, cost_of_group(cost, records))));
    return list;
}

Document curve(const Cost &cost) {
    Document list = Document::list();
    for (const double delta : {1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2})
        list.add(Document().set("delta", delta).set("epsilon", epsilon_at(delta, cost)));
    return list;
}

Document describe(const Release &release) {
    const bool gaussian = release.mechanism == Mechanism::gaussian;
    Document document;
    document.set("mechanism", name_of(release.mechanism))
        .set("relation", name_of(release.neighbours))
        .set("purpose", purpose(release.kind))
        .set("private_domains", name_of(release.domains))
        .set("steps", release.steps)
        .set("sensitivity", release.sensitivity())
        .set("integer_sensitivity", release.integer_sensitivity)
        .set("grid_unit", release.unit)
        .set("bits", release.bits)
        .set(gaussian ? "sigma" : "scale", release.scale())
        .set("noise_multiplier", 1.0 / release.step_price())
        .set(gaussian ? "mu_of_a_step" : "epsilon_of_a_step", release.step_price());
    if (release.rate > 0)
        document.set("sampling_rate", std::ldexp(static_cast<double>(release.rate), -32))
            .set("sampling_rate_units_of_2^-32", release.rate)
            .set("cost", describe(release.sampled));
    return document;
}

Document describe(const Budget &budget) {
    return Document()
        .set("epsilon", budget.epsilon)
        .set("delta", budget.delta)
        .set("relation", name_of(budget.neighbours))
        .set("cap", describe(budget.cap))
        .set("groups", groups(budget.delta, budget.cap))
        .set_for_machines("curve", curve(budget.cap));
}

/** What the records of each private sample have paid, which may be different prices. */
Document describe_samples(const Ledger &ledger, const ReportFacts &facts) {
    Document list = Document::list();
    for (const Domains domain : {kSource, kTarget}) {
        if ((facts.domains & domain) == 0) continue;
        const Cost spent = ledger.spent(domain);
        Document sample;
        sample.set("sample", name_of(domain)).set("spent", describe(spent));
        if (ledger.budget() && !ledger.entries().empty())
            sample.set("epsilon", epsilon_at(ledger.budget()->delta, spent))
                .set("delta", ledger.budget()->delta)
                .set("groups", groups(ledger.budget()->delta, spent));
        list.add(std::move(sample));
    }
    return list;
}

Document not_covered(bool persons) {
    Document list = Document::list();
    for (const char *item :
         {"time, power, cache and other side channels, including the time of single noise draws",
          "disclosure of memory, core dumps, swap or logs of the host, and of partial sums",
          "choice of options, bounds, features or data cleaning by looking at private data",
          ("other releases about the same people: other problem objects, copies of this one by "
           "fork, results without protection, inspection of private records, validation scores, "
           "predictions on private rows"),
          persons ? "records of the public sample; a person under k identifiers is protected only "
                    "at (k mu, k epsilon)"
                  : "records of the public sample; a person with k private records is protected "
                    "only at (k mu, k epsilon)",
          "one bit: a private discrepancy fails if no level of precision certifies it"})
        list.add(item);
    return list;
}

/** In words. */
const char *neighbours_of(const ReportFacts &facts) {
    if (facts.neighbours == Neighbours::zero_out)
        return facts.persons ? "all records of one person taken out, so that they add nothing to "
                               "any sum; the number of persons, told as target_rows, is public and "
                               "stays"
                             : "one private record taken out, so that it adds nothing to any sum; "
                               "sizes are public and stay";
    return facts.persons ? "all records of one person replaced, by any number of others; the "
                           "number of persons, told as target_rows, is public"
                         : "one private record replaced; sizes are public";
}

void add_facts(const ReportFacts &facts, Document &document) {
    document.set("unit", facts.persons ? "person" : "record")
        .set("relation", name_of(facts.neighbours))
        .set("neighbours", neighbours_of(facts))
        .set("private_domains", name_of(facts.domains));
}

/** What one unit of the samples may do. */
std::string change_in_words(const Statement &statement) {
    const bool both = statement.facts.domains == (kSource | kTarget);
    const std::string sample = std::string(" of the ") +
                               (both ? "source or target" : name_of(statement.facts.domains)) +
                               " sample";
    const bool persons = statement.facts.persons;
    // mutant: relation_left_unsaid
    if (statement.ledger.budget()->neighbours == Neighbours::zero_out)
        return std::string("whether ") +
               (persons ? "all records of any one person" : "any one record") + sample +
               (persons ? " are" : " is") +
               " there or taken out, adding nothing to any sum (neighbours = zero_out)";
    return std::string("whatever ") +
           (persons ? "all records of any one person" : "the content of any one record") + sample +
           (persons ? " are" : " is") + " replaced with";
}

/** What the ledger of a budget says that others share. */
std::string ledger_in_words(const LedgerHeader &header) {
    return std::string(header.unit == Unit::person ? "persons" : "records") +
           " (neighbours = " + name_of(header.budget.neighbours) + ") and " +
           (header.locked_domains != 0
                ? std::string("locks its problems: they give no result without protection "
                              "(private_domain = ") +
                      name_of(header.locked_domains) + ")."
                : "does not lock its problems: they may give results without protection.");
}

/** Every word of it is about the releases alone. */
std::string promise(const Statement &statement) {
    const Budget &budget = *statement.ledger.budget();
    return change_in_words(statement) +
           ", the probability of all that this problem releases within its "
           "budget, taken together, changes by at most a factor e^" +
           to_text(budget.epsilon) + " and " + to_text(budget.delta) +
           " more: (epsilon, delta)-differential privacy with epsilon = " +
           to_text(budget.epsilon) + ", delta = " + to_text(budget.delta) +
           ", even against somebody who knows everything else." +
           (statement.shared ? " Others share this budget: it covers what all of them release. Its "
                               "ledger is about " +
                                   ledger_in_words(statement.shared->header)
                             : "");
}

std::string opening(const Statement &statement) {
    const bool nothing = statement.ledger.entries().empty();
    if (statement.facts.domains == 0 && nothing && statement.facts.call_without_privacy)
        return "NOT PRIVATE: private_domain is none, so nothing protects the records of either "
               "sample.";
    const std::string taken = statement.taken_without_protection();
    if (nothing)
        return "NOTHING RELEASED: no private record has been read for a private result." +
               (taken.empty() ? "" : " But " + taken + '.');
    if (statement.seeded)
        return "NOT PRIVATE: the noise of a release came from unsafe_seed. Whoever knows or "
               "guesses the "
               "seed can subtract it, so epsilon is infinite.";
    if (taken.empty()) return "PRIVATE: " + promise(statement);
    return "NOT PRIVATE AS A WHOLE: " + taken +
           ", so the promise does not cover all that was taken from the problem, nor options that "
           "were chosen by it. It covers the releases below: " +
           promise(statement);
}

Document describe(const LedgerEntry &entry) {
    return Document()
        .set("sequence", entry.sequence)
        .set("time", in_utc(entry.time))
        .set("seeded", entry.seeded)
        .set("cost", describe(entry.cost))
        .set("source_rows", entry.sizes.source_rows)
        .set("target_rows", entry.sizes.target_rows)
        .set("features", entry.sizes.features)
        .set("releases", entry.releases)
        .set("options", entry.options);
}

Document list_of(const Growing<LedgerEntry> &entries) {
    Document list = Document::list();
    for (const LedgerEntry &entry : entries) list.add(describe(entry));
    return list;
}

/** What a ledger is for. */
void add_header(const LedgerHeader &header, Document &document) {
    document.set("id", header.id)
        .set("created", in_utc(header.time))
        .set("unit", name_of(header.unit))
        .set("neighbours", name_of(header.budget.neighbours))
        .set("locks", header.locked_domains != 0);
}

/** What all who share the budget have spent, where its ledger was, and which entries are those of
 *  this problem. */
Document describe_shared(const LedgerState &state, const Growing<LedgerEntry> &own) {
    Document document;
    add_header(state.header, document);
    return document.set("entry_count", state.entries)
        .set("head", hexadecimal(state.head))
        .set("seeded", state.seeded)
        .set("spent", describe(state.spent))
        .set_for_machines("own_entries", list_of(own));
}

/** The sizes that all releases are about; of different ones none. Before the first release those of
 *  the samples. */
void add_sizes(const Ledger &ledger, const SampleSizes &sizes, Document &document) {
    const auto &entries = ledger.entries();
    const auto common = [&](std::uint64_t SampleSizes::*size) {
        if (entries.empty()) return Document(sizes.*size);
        for (const Ledger::Entry &entry : entries)
            if (entry.sizes.*size != entries.back().sizes.*size) return Document(nullptr);
        return Document(entries.back().sizes.*size);
    };
    document.set("source_rows", common(&SampleSizes::source_rows))
        .set("target_rows", common(&SampleSizes::target_rows))
        .set("features", common(&SampleSizes::features));
}

std::string write(const Document &document, const std::string &paragraph, Form form) {
    if (form == Form::json) return document.json();
    return (form == Form::text ? paragraph + "\n\n" : "") + document.text();
}

}  // namespace

Statement::Statement(const Ledger &own, ReportFacts about)
    : ledger(own), paid(own.paid()), seeded(own.seeded()), facts(std::move(about)) {
    if (ledger.shared()) shared = ledger.shared()->known();
    if (ledger.budget()) facts.neighbours = ledger.budget()->neighbours;
}

bool Statement::is_private() const {
    // mutant: unprotected_results_forgotten
    return !ledger.entries().empty() && !seeded && taken_without_protection().empty();
}

std::string Statement::taken_without_protection() const {
    const UnprotectedUse &use = ledger.unprotected_use();
    std::string text;
    const auto add = [&](bool happened, const char *what) {
        if (happened) text += (text.empty() ? "" : "; ") + std::string(what);
    };
    add(use.unprotected, "results were also computed with private_domain = none");
    add(use.inspected, "the custodian has also inspected private records");
    add(!seeded && (use.seeded || ledger.seeded()),
        "the noise of another release came from unsafe_seed");
    return text;
}

std::string write_report(const Statement &statement, Form form) {
    const Ledger &ledger = statement.ledger;
    std::string paragraph = opening(statement);
    const std::string taken = statement.taken_without_protection();
    Document words = Document::list();
    const std::vector<std::string> sentences = plain_words(statement);
    for (const std::string &sentence : sentences) words.add(sentence);
    const UnprotectedUse &use = ledger.unprotected_use();
    Document document;
    document.set_for_machines("summary", paragraph)
        .set_for_machines("plain_words", words)
        .set_for_machines("schema", kReportSchema)
        .set("private", statement.is_private())
        .set("taken_without_protection", taken.empty() ? Document(nullptr) : Document(taken))
        .set("seeded", statement.seeded)
        .set("inspected", use.inspected.load())
        .set("unprotected_results", use.unprotected.load());
    add_facts(statement.facts, document);
    add_sizes(ledger, statement.facts.sizes, document);
    document.set("budget", ledger.budget() ? describe(*ledger.budget()) : Document(nullptr))
        .set("spent_is", kSpentIs)
        .set("spent", describe(ledger.spent()))
        .set("samples", describe_samples(ledger, statement.facts));
    if (ledger.entries().empty())  // epsilon = 0 would read as if something were protected
        document.set_for_machines("spent_curve", curve(ledger.spent()));
    else
        document.set("spent_curve", statement.seeded ? Document(nullptr) : curve(ledger.spent()));
    document.set("shared_ledger", statement.shared
                                      ? describe_shared(*statement.shared, statement.paid)
                                      : Document(nullptr));
    Document entries = Document::list();
    for (const Ledger::Entry &entry : ledger.entries())
        entries.add(Document()
                        .set("sequence", entry.sequence)
                        .set("noise_source", entry.noise == NoiseSource::system
                                                 ? "ChaCha20 keyed by the operating system"
                                                 : "unsafe_seed")
                        .set("source_rows", entry.sizes.source_rows)
                        .set("target_rows", entry.sizes.target_rows)
                        .set("features", entry.sizes.features)
                        .set("release", describe(entry.release)));
    document.set("attackers", attackers(statement))
        .set("releases", entries)
        .set("call", statement.facts.call)
        .set("numerics",
             "exact integers with certified sensitivity; Gaussian and Laplace noise by exact "
             "sampling and post-processing; the coins of a selection have their exact "
             "probabilities")
        .set("accountant",
             "closed form of one Laplace release composed with Gaussian ones, rounded up; other "
             "pure releases as one randomized response")
        .set("not_covered", not_covered(statement.facts.persons))
        .set("version", kVersion)
        .set_for_machines("statement", base64(write_statement(statement)));
    for (const std::string &sentence : sentences) paragraph += '\n' + sentence;
    for (const std::string &finding : statement.facts.findings)
        paragraph += '\n' + Finding::read(finding).sentence;
    return write(document, paragraph, form);
}

std::string describe_releases(std::span<const Release> releases) {
    std::string text;
    for (const Release &release : releases) {
        const bool gaussian = release.mechanism == Mechanism::gaussian;
        text += (text.empty() ? "" : "; ") + std::string(purpose(release.kind)) + " (" +
                name_of(release.domains) + ", " + name_of(release.mechanism) + ", " +
                std::to_string(release.steps) + (release.steps == 1 ? " step, " : " steps, each ") +
                (gaussian ? "mu = " : "epsilon = ") + to_text(release.step_price()) + ')';
    }
    return text;
}

std::string write_ledger(const LedgerContent &content, Form form) {
    const Budget &budget = content.header.budget;
    const Cost &spent = content.spent;
    const std::string head = hexadecimal(content.heads.back());
    const std::optional<double> epsilon = epsilon_left(budget, spent);
    const std::string worth =
        epsilon ? " What is left is worth epsilon = " + to_text(*epsilon) + "." : "";
    Document left = describe(left_of(budget.cap, spent));
    left.set("epsilon", epsilon ? Document(*epsilon) : Document(nullptr));
    const std::string paragraph =
        (content.seeded ? "NOT PRIVATE: the noise of a release came from unsafe_seed. " : "") +
        std::string("Budget: epsilon = ") + to_text(budget.epsilon) +
        ", delta = " + to_text(budget.delta) + ". The ledger is about " +
        ledger_in_words(content.header) + worth +
        " Entries: " + std::to_string(content.entries.size()) + ". Last hash: " + head + '.';
    Document document;
    document.set_for_machines("summary", paragraph);
    add_header(content.header, document);
    document
        .set("locked_private_domain", content.header.locked_domains == 0
                                          ? Document(nullptr)
                                          : Document(name_of(content.header.locked_domains)))
        .set("head", head)
        .set("budget", describe(budget))
        .set("spent", describe(spent))
        .set("left", std::move(left))
        .set("entries", list_of(content.entries));
    return write(document, paragraph, form);
}

std::string write_plan(const Plan &plan, const ReportFacts &facts, Form form) {
    const Totals totals = plan.total.totals();
    const std::string paragraph =
        plan.releases.empty()
            ? "The call reads no private record."
            : "The call would make the releases below, at mu = " + to_text(totals.mu) +
                  " and Laplace epsilon = " + to_text(totals.laplace_epsilon) +
                  (facts.neighbours == Neighbours::zero_out
                       ? " where a record is taken out (neighbours = zero_out)."
                       : ".") +
                  " It would read the private rows " + std::to_string(plan.passes()) +
                  " times at most.";
    Document document;
    if (facts.forecast) document.set_for_machines("sentence", facts.sentence);
    document.set_for_machines("summary", paragraph);
    add_facts(facts, document);
    document.set("source_rows", facts.sizes.source_rows)
        .set("target_rows", facts.sizes.target_rows)
        .set("features", facts.sizes.features)
        .set("mu", totals.mu)
        .set("laplace_epsilon", totals.laplace_epsilon)
        .set("passes", plan.passes())
        .set("budget", plan.budget ? describe(*plan.budget) : Document(nullptr))
        .set("total", describe(plan.total));
    Document releases = Document::list();
    for (const Release &release : plan.releases)
        releases.add(
            describe(release).set("dimension", release.dimension).set("tau", release.tolerance));
    document.set("releases", releases)
        .set("curve", curve(plan.total))
        .set("call", facts.call)
        .set("version", kVersion);
    if (facts.theory) document.set("theory", *facts.theory);
    if (facts.forecast) document.set("forecast", *facts.forecast);
    return write(document, facts.forecast ? facts.sentence + "\n\n" + paragraph : paragraph, form);
}

}  // namespace dpadapt::privacy
