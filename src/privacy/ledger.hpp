#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>

#include "base/growing.hpp"
#include "base/mutex.hpp"
#include "privacy/budget.hpp"
#include "privacy/shared_ledger.hpp"

namespace dpadapt::privacy {

/** Where the noise of a release came from. */
enum class NoiseSource { system, unsafe_seed };

/** What was taken from a problem without protection, up to now: reports of earlier results see it
 *  too. Any thread. */
struct UnprotectedUse {
    std::atomic<bool> inspected = false;    ///< the custodian has looked at private records
    std::atomic<bool> unprotected = false;  ///< a result was computed without privacy
    std::atomic<bool> seeded = false;       ///< the noise of a release was known
};

/** What one problem has released about its private records, and what it may still release. Every
 *  charge is entered before private records are read, and nothing is ever refunded. Ledgers of
 *  different problems over the same records do not know of each other, unless they share one that
 *  outlives them. Use by one call at a time; beside it, any thread may copy or mark the ledger. */
class Ledger {
  public:
    struct Entry {
        std::uint64_t sequence = 0;
        Release release;
        NoiseSource noise = NoiseSource::system;
        SampleSizes sizes;
    };

    Ledger();

    /** What it holds at this moment, under the same number. */
    Ledger(const Ledger &other) : Ledger(other, Lock(other.changing_)) {}
    Ledger &operator=(const Ledger &) = delete;

    /** A number that no other ledger of the process has. */
    [[nodiscard]] std::uint64_t id() const { return id_; }

    /** Fixes what is private: a call that takes the other sample for public would publish it.
     *  Throws Error(DPA_E_STATE) when something else is fixed already. */
    void bind(Domains domains);
    void check_domains(Domains domains) const;  ///< throws as bind does

    /** Fixes the budget; throws Error(DPA_E_STATE) when it is fixed already. */
    void set_budget(const Budget &budget);
    [[nodiscard]] const std::optional<Budget> &budget() const {
        changing_.assert_unchanging();
        return budget_;
    }

    /** From now on the shared one has the budget, and every charge is entered there as well. Throws
     *  Error(DPA_E_STATE) when a budget is fixed already. */
    void use(std::shared_ptr<SharedLedger> shared, std::shared_ptr<const Job> job = nullptr);

    /** The records of that domain are new, and this process has them. */
    void begin_records(Domains domain);

    /** Describes the next call. */
    void announce(CallNote note);

    /** Throws Error(DPA_E_BUDGET) when with these releases the total of a domain would exceed any
     *  part of the cap, Error(DPA_E_STATE) in a forked child for what its parent has in memory. */
    void check(std::span<const Release> releases) const;

    /** Enters all releases of a call, or none: throws as check does. */
    void charge(std::span<const Release> releases, NoiseSource noise);

    [[nodiscard]] const Growing<Entry> &entries() const {
        changing_.assert_unchanging();
        return entries_;
    }

    /** The entries of these calls in the ledger that is shared. */
    [[nodiscard]] const Growing<LedgerEntry> &paid() const {
        changing_.assert_unchanging();
        return paid_;
    }

    /** Total over the releases that read that domain. */
    [[nodiscard]] Cost spent(Domains domain) const;

    /** Part by part the larger of the two domains: what was promised to every record. */
    [[nodiscard]] Cost spent() const { return larger_cost(spent(kSource), spent(kTarget)); }

    /** What may still be spent on every record, by whoever shares the budget; throws
     *  Error(DPA_E_STATE) without one. */
    [[nodiscard]] Cost left() const;

    /** Whether the noise of any release was, also of one of another problem that shares. */
    [[nodiscard]] bool seeded() const;

    [[nodiscard]] const std::shared_ptr<SharedLedger> &shared() const {
        changing_.assert_unchanging();
        return shared_;
    }

    /** What was announced last. */
    [[nodiscard]] const CallNote &note() const {
        changing_.assert_unchanging();
        return note_;
    }

    /** Whose the calls are; null: of none. */
    [[nodiscard]] const std::shared_ptr<const Job> &job() const {
        changing_.assert_unchanging();
        return job_;
    }

    /** Of the problem: copies see what is marked later. */
    [[nodiscard]] UnprotectedUse &unprotected_use() const { return *unprotected_use_; }

  private:
    Ledger(const Ledger &other, const Lock<std::mutex> &changing);

    void check_process(std::span<const Release> releases) const;

    /// Held by changes, and by those who look from another thread. The one call that makes changes
    /// looks without it.
    mutable Mutex changing_;
    std::optional<Budget> budget_ DPA_GUARDED_BY(changing_);
    Growing<Entry> entries_ DPA_GUARDED_BY(changing_);
    Growing<LedgerEntry> paid_ DPA_GUARDED_BY(changing_);
    Cost spent_of_source_ DPA_GUARDED_BY(changing_);
    Cost spent_of_target_ DPA_GUARDED_BY(changing_);
    bool seeded_ DPA_GUARDED_BY(changing_) = false;
    std::shared_ptr<UnprotectedUse> unprotected_use_;
    std::uint64_t id_;
    Domains domains_ DPA_GUARDED_BY(changing_) = 0;
    std::shared_ptr<SharedLedger> shared_ DPA_GUARDED_BY(changing_);
    std::shared_ptr<const Job> job_ DPA_GUARDED_BY(changing_);
    CallNote note_ DPA_GUARDED_BY(changing_);
    /// The process that fixed the budget; 0: none. And those that set the records, or made this.
    std::uint64_t budget_from_ DPA_GUARDED_BY(changing_) = 0;
    std::uint64_t source_from_ DPA_GUARDED_BY(changing_);
    std::uint64_t target_from_ DPA_GUARDED_BY(changing_);
};

/** Total of the releases that read that domain. */
[[nodiscard]] Cost total_cost(std::span<const Release> releases, Domains domain);

/** What is left is worth that epsilon at the budget's delta: rounded up, but no more than the
 *  budget's. Empty where it is not known. */
[[nodiscard]] std::optional<double> epsilon_left(const Budget &budget, const Cost &spent);

/** Why the budget does not allow a call: what is missing in which part of the cap, what to do about
 *  it, and the numbers. */
[[nodiscard]] std::string refusal(const Budget &budget, const Cost &before, const Cost &needed);

/** Why a forked child cannot pay from that, and what can be paid from. */
[[nodiscard]] std::string of_the_parent(const std::string &what);

}  // namespace dpadapt::privacy
