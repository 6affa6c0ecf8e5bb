#include "privacy/shared_ledger.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/platform/process.hpp"
#include "base/text.hpp"
#include "privacy/ledger.hpp"
#include "privacy/report.hpp"
#include "random/key.hpp"

namespace dpadapt::privacy {
namespace {

constexpr std::size_t kMostCalls = std::size_t{1} << 16;

std::uint64_t now() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(since).count());
}

/** Rarely takes new memory, and twice as much as before. */
void make_room(std::size_t more, std::vector<std::uint8_t> &bytes) {
    if (bytes.capacity() - bytes.size() < more)
        bytes.reserve(std::max(2 * bytes.size(), bytes.size() + more));
}

/** At its end there are the bytes of the content, also where reading others has failed. */
struct TrimOnExit {
    std::vector<std::uint8_t> &bytes;
    const LedgerContent &content;
    TrimOnExit(std::vector<std::uint8_t> &all, const LedgerContent &of) : bytes(all), content(of) {}
    TrimOnExit &operator=(TrimOnExit &&) = delete;
    ~TrimOnExit() { bytes.resize(content.heads.size() * kBlockSize); }
};

std::string random_id() {
    std::array<std::uint8_t, 16> bytes{};
    random::fill_with_entropy(bytes);
    return hexadecimal(bytes);
}

/** Begins with the mark of a job, by which its entry is found. */
std::string options_of(const CallNote &note, std::uint64_t call) {
    if (!note.job) return shortened(note.options);
    std::string text = note.job->mark(call) + ' ' + note.options;
    if (shortened(text) == text) return text;
    return note.job->mark(call) + ' ' + digest_in_words(note.options);
}

/** The same call by all that an entry has of it. */
LedgerEntry checked(const LedgerEntry &entry, std::span<const Release> releases,
                    const CallNote &note, std::uint64_t call) {
    const Cost price = price_of_call(releases);
    const bool same = price.within(entry.cost) && entry.cost.within(price);
    // mutant: job_of_other_options_unpaid
    if (entry.options != options_of(note, call) || !same || !(entry.sizes == note.sizes) ||
        entry.seeded)
        throw Error(DPA_E_STATE,
                    "the ledger has paid for a job of this name with other rows, options, files or "
                    "price, or with a lost key: give this job another name");
    return entry;
}

}  // namespace

Cost price_of_call(std::span<const Release> releases) {
    return larger_cost(total_cost(releases, kSource), total_cost(releases, kTarget));
}

SharedLedger::SharedLedger(const Budget &budget, Domains locked_domains, Unit unit)
    : process_(platform::process_stamp()) {
    const Block block = write_block(LedgerHeader{budget, locked_domains, now(), random_id(), unit});
    take({block.begin(), block.end()});
    header_ = content_.header;
}

SharedLedger::SharedLedger(std::vector<std::uint8_t> bytes) : process_(platform::process_stamp()) {
    take(std::move(bytes));
    header_ = content_.header;
}

SharedLedger::SharedLedger(const std::string &path)
    : path_(LedgerFile::real_path(path)), process_(platform::process_stamp()) {
    refresh();
    header_ = content_.header;
}

void SharedLedger::move_to(const std::string &path) {
    const Lock lock(changing_);
    std::string place = LedgerFile::new_path(path);
    LedgerFile::create(place, bytes_);
    path_ = std::move(place);
}

void SharedLedger::set_store(StoreEntry store) {
    const Lock lock(changing_);
    store_ = std::move(store);
}

bool SharedLedger::in_a_file() {
    const Lock lock(changing_);
    return !path_.empty();
}

bool SharedLedger::has_parent() {
    const Lock lock(changing_);
    return parent_ != nullptr;
}

/** No ledger is its own ancestor: a charge would wait for itself. */
void SharedLedger::set_parent(std::shared_ptr<SharedLedger> parent) {
    const auto refuse = [](const std::string &why) {
        throw Error(DPA_E_STATE, "parent must be the ledger of a whole budget, but " + why);
    };
    if (parent->header_.id == header_.id) refuse("is the ledger itself");
    if (parent->unit() != unit()) refuse("is about another unit");
    if (parent->locked_domains() != locked_domains()) refuse("locks another private domain");
    if (parent->budget().neighbours != budget().neighbours) refuse("is about other neighbours");
    static Mutex one_at_a_time;
    const Lock alone(one_at_a_time);
    if (parent->has_parent()) refuse("has a parent");
    const Lock lock(changing_);
    if (parent_ != nullptr && parent_ != parent) refuse("the ledger has another one");
    parent_ = std::move(parent);
}

LedgerContent SharedLedger::content() {
    const Lock lock(changing_);
    refresh_all();
    return content_;
}

std::vector<std::uint8_t> SharedLedger::bytes() {
    const Lock lock(changing_);
    refresh_all();
    return bytes_;
}

Cost SharedLedger::spent() {
    const Lock lock(changing_);
    refresh();
    return content_.spent;
}

LedgerState SharedLedger::known() {
    const Lock lock(changing_);
    return {content_.header, content_.entries.size(), content_.heads.back(), content_.spent,
            content_.seeded};
}

void SharedLedger::check_unit(Unit unit) const {
    // mutant: units_in_one_ledger
    if (unit == this->unit()) return;
    throw Error(DPA_E_STATE, std::string("the ledger is about unit = ") + name_of(this->unit()) +
                                 ", but the call protects unit = " + name_of(unit) +
                                 ", and prices of different units cannot be added: " +
                                 (unit == Unit::record
                                      ? "set the persons of the private target's rows, or use a "
                                        "ledger made with option unit = record"
                                      : "use a ledger made with option unit = person"));
}

bool SharedLedger::seeded() {
    const Lock lock(changing_);
    return content_.seeded;
}

void SharedLedger::check(const Cost &cost, const Job *job, std::uint64_t call) {
    const Lock lock(changing_);
    check_process();
    refresh();
    Cost paid;
    for (; job != nullptr; ++call) {
        const std::optional<LedgerEntry> entry = entry_of(*job, call);
        if (!entry) break;
        paid += entry->cost;
    }
    if (cost.within(paid)) return;
    const Cost needed = left_of(cost, paid);
    check_held(needed);
    if (parent_) parent_->check(needed);
}

/** The entry of that name and number, be it about other rows or options. */
std::optional<LedgerEntry> SharedLedger::entry_of(const Job &job, std::uint64_t call) const {
    const std::string label = job.label(call);
    for (const LedgerEntry &entry : content_.entries)
        if (entry.options.starts_with(label)) return entry;
    return {};
}

LedgerEntry SharedLedger::charge(std::span<const Release> releases, bool seeded,
                                 const CallNote &note, std::uint64_t call) {
    check_unit(note.unit);
    const Lock lock(changing_);
    check_process();
    if (storing_) throw Error(DPA_E_STATE, "the ledger is storing another entry");
    if (refused_)
        throw Error(DPA_E_STATE,
                    "the store has refused an entry of this ledger: load the ledger again");
    std::optional<LedgerFile> file;  // locked until the entry is on the disk
    if (!path_.empty()) {
        file.emplace(path_, LedgerFile::Access::write);
        take_new(*file);
    }
    // mutant: job_paid_twice
    if (note.job)
        if (const auto before = entry_of(*note.job, call))
            return checked(*before, releases, note, call);
    LedgerEntry entry{
        content_.entries.size() + 1, now(),      seeded,
        price_of_call(releases),     note.sizes, shortened(describe_releases(releases)),
        options_of(note, call)};
    check_held(entry.cost);
    LedgerEntry paid = entry;
    const Block block = write_block(entry, content_.heads.back());
    make_room(block.size(), bytes_);  // what needs memory comes before the payment
    content_.entries.reserve_more(1);
    content_.heads.reserve_more(1);
    // mutant: share_not_paid_from_the_whole
    if (parent_) (void)parent_->charge(releases, seeded, note, call);
    // mutant: entry_not_on_the_disk
    if (file) file->append(block);
    content_.add(std::move(entry), head_of(block));
    bytes_.insert(bytes_.end(), block.begin(), block.end());
    call_store(content_.entries.size(), block);
    return paid;
}

void SharedLedger::call_store(std::uint64_t sequence, const Block &block) {
    if (!store_) return;
    storing_ = true;
    refused_ = !store_(sequence, block);
    storing_ = false;
    if (refused_)
        throw Error(DPA_E_STORE, "the store of the ledger has refused entry " +
                                     std::to_string(sequence) +
                                     ": no private record was read, but the charge stands");
}

/** Also what was there before: for reports. */
void SharedLedger::refresh_all() {
    if (!path_.empty() && !storing_) take(LedgerFile(path_, LedgerFile::Access::read).read());
}

void SharedLedger::refresh() {
    if (!path_.empty() && !storing_) take_new(LedgerFile(path_, LedgerFile::Access::read));
}

/** Reads the last block that is known, which ends the chain of hashes of those before it, and what
 *  follows: so a call costs the same however many there were. */
void SharedLedger::take_new(const LedgerFile &file) {
    if (bytes_.empty()) return take(file.read());
    const std::size_t last = bytes_.size() - kBlockSize;
    const std::vector<std::uint8_t> tail = file.read_from(last);
    const auto known = bytes_.begin() + static_cast<std::ptrdiff_t>(last);
    if (tail.size() < kBlockSize || !std::equal(known, bytes_.end(), tail.begin()))
        return take(file.read());
    if (tail.size() == kBlockSize) return;
    make_room(tail.size() - kBlockSize, bytes_);
    bytes_.insert(bytes_.end(), tail.begin() + kBlockSize, tail.end());
    const TrimOnExit trim{bytes_, content_};
    content_ = read_blocks(bytes_, content_);
}

void SharedLedger::take(std::vector<std::uint8_t> bytes) {
    const bool same = !bytes_.empty() && bytes.size() >= bytes_.size() &&
                      std::equal(bytes_.begin(), bytes_.end(), bytes.begin());
    if (same && bytes.size() == bytes_.size()) return;
    LedgerContent content = read_blocks(bytes, same ? content_ : LedgerContent{});
    const Growing<Digest> &known = content_.heads;
    // mutant: lost_entries_ignored
    if (!known.empty() &&
        (content.heads.size() < known.size() || content.heads[known.size() - 1] != known.back()))
        throw Error(DPA_E_FORMAT,
                    "data must be the ledger that it was, but entries that it had are gone");
    content_ = std::move(content);
    bytes_ = std::move(bytes);
}

void SharedLedger::check_process() const {
    // mutant: ledger_in_each_child
    if (path_.empty() && process_ != platform::process_stamp())
        throw Error(DPA_E_STATE, of_the_parent("the ledger"));
}

void SharedLedger::check_held(const Cost &cost) const {
    if (content_.entries.size() >= kMostCalls)
        throw Error(DPA_E_BUDGET, "a ledger can have at most 2^16 entries");
    const Cost before = content_.spent;
    Cost after = before;
    after += cost;
    // mutant: shared_budget_not_checked
    if (!after.within(budget().cap)) throw Error(DPA_E_BUDGET, refusal(budget(), before, cost));
}

}  // namespace dpadapt::privacy
