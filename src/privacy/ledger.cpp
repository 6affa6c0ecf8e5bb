#include "privacy/ledger.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/error.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"
#include "privacy/accountant.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 20;  // what the proof of the cap allows

std::string in_words(const Cost &cost) {
    const Totals totals = cost.totals();
    return "mu = " + to_text(totals.mu) + ", Laplace epsilon = " + to_text(totals.laplace_epsilon) +
           ", other pure epsilon = " + to_text(totals.pure_epsilon) +
           (cost.failure == 0 ? "" : ", failure of sampled releases = " + to_text(totals.failure));
}

std::array<Uint128, 4> parts(const Cost &cost) {
    return {cost.mu_square, cost.laplace, cost.pure, cost.failure};
}

/** What each part pays for, and how a budget gets it. */
constexpr struct {
    const char *things;
    const char *remedy;
} kParts[] = {
    {"Gaussian noise (fits, evaluations)",
     "fix it with option delta > 0 and a smaller discrepancy_share"},
    {"discrepancies",
     "fix it with option discrepancy_share > 0, or give option discrepancy as a number, so that a "
     "fit releases none"},
    {"selections", "fix it with option selection_epsilon > 0"},
    {"releases of sampled records",
     "sampling = poisson needs a problem whose budget it fixes itself, as its first private call; "
     "set sampling = shuffled"},
};

}  // namespace

std::string of_the_parent(const std::string &what) {
    return what +
           " is in the memory of the parent process, and each forked copy would be spent again: "
           "several processes can pay from a ledger in a file (dpa_ledger_create)";
}

std::optional<double> epsilon_left(const Budget &budget, const Cost &spent) {
    const std::optional<double> epsilon =
        known_epsilon(budget.delta, left_of(budget.cap, spent).totals());
    return epsilon ? std::min(*epsilon, budget.epsilon) : epsilon;
}

std::string refusal(const Budget &budget, const Cost &before, const Cost &needed) {
    Cost after = before;
    after += needed;
    std::string text = "the privacy budget of the problem ";
    for (std::size_t k = 0; k < std::size(kParts); ++k) {
        if (parts(after)[k] <= parts(budget.cap)[k]) continue;
        const bool none = parts(budget.cap)[k] == 0;
        text += (none ? "keeps nothing for " : "has too little left for ") +
                std::string(kParts[k].things) +
                (none ? std::string(": ") + kParts[k].remedy : std::string()) + "; ";
    }
    const std::optional<double> epsilon = epsilon_left(budget, before);
    if (epsilon)
        text += "what is left is worth epsilon = " + to_text(*epsilon) +
                " at delta = " + to_text(budget.delta) + "; ";
    return text + "the budget is (" + in_words(budget.cap) + "), spent are (" + in_words(before) +
           "), and the call needs (" + in_words(needed) + ")";
}

Cost total_cost(std::span<const Release> releases, Domains domain) {
    Cost total;
    for (const Release &release : releases)
        if ((release.domains & domain) != 0) total += release.cost();
    return total;
}

Ledger::Ledger()
    : unprotected_use_(std::make_shared<UnprotectedUse>()),
      source_from_(platform::process_stamp()),
      target_from_(source_from_) {
    static std::atomic<std::uint64_t> last{0};
    id_ = ++last;
}

Ledger::Ledger(const Ledger &other, const Lock<std::mutex> & /*changing*/)
    : budget_(other.budget_),
      entries_(other.entries_),
      paid_(other.paid_),
      spent_of_source_(other.spent_of_source_),
      spent_of_target_(other.spent_of_target_),
      seeded_(other.seeded_),
      unprotected_use_(other.unprotected_use_),
      id_(other.id_),
      domains_(other.domains_),
      shared_(other.shared_),
      note_(other.note_),
      budget_from_(other.budget_from_),
      source_from_(other.source_from_),
      target_from_(other.target_from_) {}

void Ledger::check_domains(Domains domains) const {
    changing_.assert_unchanging();
    if (domains_ != 0 && domains_ != domains)
        throw Error(DPA_E_STATE,
                    "private_domain of a problem is fixed by its first private call: "
                    "another value would treat private records as public");
}

void Ledger::bind(Domains domains) {
    check_domains(domains);
    const Lock lock(changing_);
    domains_ = domains;
}

void Ledger::set_budget(const Budget &budget) {
    if (this->budget())
        throw Error(DPA_E_STATE,
                    "the budget of a problem is fixed once, by dpa_problem_set_budget "
                    "or by the first private call");
    const std::uint64_t here = platform::process_stamp();
    const Lock lock(changing_);
    budget_ = budget;
    budget_from_ = here;
}

void Ledger::use(std::shared_ptr<SharedLedger> shared, std::shared_ptr<const Job> job) {
    set_budget(shared->budget());
    const Lock lock(changing_);
    shared_ = std::move(shared);
    job_ = std::move(job);
}

void Ledger::begin_records(Domains domain) {
    const std::uint64_t here = platform::process_stamp();
    const Lock lock(changing_);
    if (domain == kSource)
        source_from_ = here;
    else
        target_from_ = here;
}

/** A fork copies a budget in memory, and records, or a problem for votes, that have none yet: the
 *  child's payments and those of others would not know of each other. */
void Ledger::check_process(std::span<const Release> releases) const {
    changing_.assert_unchanging();
    if (shared_ && shared_->in_a_file()) return;  // where all processes see all payments
    const std::uint64_t here = platform::process_stamp();
    bool copied = budget_from_ != here;
    for (const Release &release : releases) {
        if ((release.domains & kSource) != 0) copied = copied || source_from_ != here;
        if ((release.domains & kTarget) != 0) copied = copied || target_from_ != here;
    }
    // mutant: budget_in_each_child
    if (copied) throw Error(DPA_E_STATE, of_the_parent("the problem's budget, or private sample,"));
}

void Ledger::announce(CallNote note) {
    const Lock lock(changing_);
    note_ = std::move(note);
}

void Ledger::check(std::span<const Release> releases) const {
    changing_.assert_unchanging();
    if (!budget_) throw Error(DPA_E_INTERNAL, "a charge needs a budget");
    check_process(releases);
    for (const Release &release : releases)
        // mutant: relations_in_one_ledger
        if (release.neighbours != budget_->neighbours)
            throw Error(DPA_E_STATE,
                        std::string("the budget is about neighbours = ") +
                            name_of(budget_->neighbours) + ", but the call about " +
                            name_of(release.neighbours) +
                            ", and prices of different relations cannot be added: set option "
                            "neighbours to what the budget has");
    if (releases.size() > kMostEntries - entries_.size())
        throw Error(DPA_E_BUDGET, "a problem can make at most 2^20 releases");
    if (shared_)
        shared_->check(price_of_call(releases), note_.job.get(),
                       paid_.size());  // it knows what others have spent
    for (const Domains domain : {kSource, kTarget}) {
        const Cost before = spent(domain);
        const Cost needed = total_cost(releases, domain);
        Cost after = before;
        after += needed;
        if (!after.within(budget_->cap))
            throw Error(DPA_E_BUDGET, refusal(*budget_, before, needed));
    }
}

void Ledger::charge(std::span<const Release> releases, NoiseSource noise) {
    check(releases);
    {
        const Lock lock(changing_);
        entries_.reserve_more(releases.size());
        paid_.reserve_more(1);
    }
    const bool seeded_noise = noise == NoiseSource::unsafe_seed;
    std::optional<LedgerEntry> entry;
    // mutant: entry_after_the_noise
    if (shared()) entry = shared()->charge(releases, seeded_noise, note(), paid().size());
    const Lock lock(changing_);
    if (entry) paid_.add(std::move(*entry));
    for (const Release &release : releases)
        entries_.add({entries_.size(), release, noise, note_.sizes});
    spent_of_source_ += total_cost(releases, kSource);
    spent_of_target_ += total_cost(releases, kTarget);
    if (!seeded_noise) return;
    seeded_ = true;
    unprotected_use_->seeded = true;
}

Cost Ledger::spent(Domains domain) const {
    changing_.assert_unchanging();
    return domain == kSource ? spent_of_source_ : spent_of_target_;
}

Cost Ledger::left() const {
    changing_.assert_unchanging();
    if (!budget_) throw Error(DPA_E_STATE, "the problem has no budget yet");
    if (shared_) return shared_->left();
    return left_of(budget_->cap, spent());
}

bool Ledger::seeded() const {
    changing_.assert_unchanging();
    return seeded_ || (shared_ && shared_->seeded());
}

}  // namespace dpadapt::privacy
