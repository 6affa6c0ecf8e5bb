#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/mutex.hpp"
#include "base/platform/ledger_file.hpp"
#include "privacy/job.hpp"
#include "privacy/ledger_bytes.hpp"

namespace dpadapt::privacy {

/** What the entry of a call says besides its releases: public facts. */
struct CallNote {
    SampleSizes sizes;
    std::string options;
    Unit unit = Unit::record;                  ///< what the call protects
    std::shared_ptr<const Job> job = nullptr;  ///< of which it is; null: of none
};

/** Of a ledger at one moment, without its entries. */
struct LedgerState {
    LedgerHeader header;
    std::uint64_t entries = 0;
    Digest head{};  ///< of the last one
    Cost spent;
    bool seeded = false;  ///< the noise of one was known
};

/** Takes the bytes of an entry of that number to where it survives; false: it has not. */
using StoreEntry = std::function<bool(std::uint64_t sequence, const Block &block)>;

/** A budget for several problems and processes. A call pays the larger price of the two samples,
 *  and prices of calls add up: a person may be in any sample of each. Any thread. */
class SharedLedger {
  public:
    /** In memory. */
    SharedLedger(const Budget &budget, Domains locked_domains, Unit unit);

    /** In memory, from bytes; throws Error(DPA_E_FORMAT). */
    explicit SharedLedger(std::vector<std::uint8_t> bytes);

    /** In a file that exists; throws Error(DPA_E_STORE), Error(DPA_E_FORMAT). */
    explicit SharedLedger(const std::string &path);

    /** In a new file, which gets what this one holds. */
    void move_to(const std::string &path);

    void set_store(StoreEntry store);

    /** Where all processes see all entries. */
    [[nodiscard]] bool in_a_file();

    /** Charges each call to the parent as well. Throws Error(DPA_E_STATE) if this ledger has
     *  another parent, if the parent has one, or if unit, domains or neighbours differ. */
    void set_parent(std::shared_ptr<SharedLedger> parent);

    [[nodiscard]] const Budget &budget() const { return header_.budget; }
    [[nodiscard]] Domains locked_domains() const { return header_.locked_domains; }
    [[nodiscard]] Unit unit() const { return header_.unit; }

    /** Throws Error(DPA_E_STATE) for a call that protects another unit. */
    void check_unit(Unit unit) const;

    /** What it holds now, with what others have added to the file. */
    [[nodiscard]] LedgerContent content();
    [[nodiscard]] std::vector<std::uint8_t> bytes();
    [[nodiscard]] Cost spent();
    [[nodiscard]] Cost left() { return left_of(budget().cap, spent()); }

    /** As of the last look; reads no file, so that a report of what was paid cannot fail by it. */
    [[nodiscard]] LedgerState known();
    [[nodiscard]] bool seeded();

    /** Throws Error(DPA_E_BUDGET) if the price is more than what is left, Error(DPA_E_STATE) in a
     *  process that was forked from the one which has it in memory. What the calls of a job from
     *  that number on have paid already is not paid again. */
    void check(const Cost &cost, const Job *job = nullptr, std::uint64_t call = 0);

    /** Stores an entry and returns it, or the one that paid for this call of the job before. Throws
     *  as both checks do, and Error(DPA_E_STORE) if none is stored: then the store's content
     *  counts. */
    [[nodiscard]] LedgerEntry charge(std::span<const Release> releases, bool seeded,
                                     const CallNote &note, std::uint64_t call = 0);

  private:
    [[nodiscard]] bool has_parent();
    void refresh_all() DPA_REQUIRES(changing_);
    void refresh() DPA_REQUIRES(changing_);
    void take(std::vector<std::uint8_t> bytes) DPA_REQUIRES(changing_);
    void take_new(const LedgerFile &file) DPA_REQUIRES(changing_);
    void check_process() const DPA_REQUIRES(changing_);
    void check_held(const Cost &cost) const DPA_REQUIRES(changing_);
    [[nodiscard]] std::optional<LedgerEntry> entry_of(const Job &job, std::uint64_t call) const
        DPA_REQUIRES(changing_);
    void call_store(std::uint64_t sequence, const Block &block) DPA_REQUIRES(changing_);

    RecursiveMutex changing_;                     ///< a store may look at the ledger that calls it
    std::string path_ DPA_GUARDED_BY(changing_);  ///< empty: in memory
    StoreEntry store_ DPA_GUARDED_BY(changing_);
    bool storing_ DPA_GUARDED_BY(changing_) = false;
    /// By the store, so that it has no longer what is here.
    bool refused_ DPA_GUARDED_BY(changing_) = false;
    std::vector<std::uint8_t> bytes_ DPA_GUARDED_BY(changing_);
    LedgerContent content_ DPA_GUARDED_BY(changing_);
    std::uint64_t process_;  ///< that made it
    LedgerHeader header_;    ///< never changes: content_ is replaced by later looks at the file
    std::shared_ptr<SharedLedger> parent_ DPA_GUARDED_BY(changing_);  ///< pays each charge, too
};

/** Part by part the larger price of the two samples. */
[[nodiscard]] Cost price_of_call(std::span<const Release> releases);

}  // namespace dpadapt::privacy
