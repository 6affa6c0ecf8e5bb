#include "privacy/shared_ledger.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
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

std::string random_id() {
    std::array<std::uint8_t, 16> bytes{};
    random::fill_with_entropy(bytes);
    return hexadecimal(bytes);
}

}  // namespace

Cost total_cost(std::span<const LedgerEntry> entries) {
    Cost total;
    for (const LedgerEntry &entry : entries) total += entry.cost;
    return total;
}

Cost price_of_call(std::span<const Release> releases) {
    return larger_cost(total_cost(releases, kSource), total_cost(releases, kTarget));
}

SharedLedger::SharedLedger(const Budget &budget, Domains locked_domains) {
    const Block block = write_block(LedgerHeader{budget, locked_domains, now(), random_id()});
    take({block.begin(), block.end()});
}

SharedLedger::SharedLedger(std::vector<std::uint8_t> bytes) { take(std::move(bytes)); }

SharedLedger::SharedLedger(const std::string &path) : path_(LedgerFile::real_path(path)) {
    refresh();
}

void SharedLedger::move_to(const std::string &path) {
    const std::lock_guard lock(changing_);
    std::string place = LedgerFile::new_path(path);
    LedgerFile::create(place, bytes_);
    path_ = std::move(place);
}

void SharedLedger::set_store(StoreEntry store) {
    const std::lock_guard lock(changing_);
    store_ = std::move(store);
}

LedgerContent SharedLedger::content() {
    const std::lock_guard lock(changing_);
    refresh();
    return content_;
}

std::vector<std::uint8_t> SharedLedger::bytes() {
    const std::lock_guard lock(changing_);
    refresh();
    return bytes_;
}

Cost SharedLedger::spent() {
    const std::lock_guard lock(changing_);
    refresh();
    return total_cost(content_.entries);
}

LedgerContent SharedLedger::known() {
    const std::lock_guard lock(changing_);
    return content_;
}

Cost SharedLedger::left() { return left_of(budget().cap, spent()); }

bool SharedLedger::seeded() {
    const std::lock_guard lock(changing_);
    return std::any_of(content_.entries.begin(), content_.entries.end(),
                       [](const LedgerEntry &entry) { return entry.seeded; });
}

void SharedLedger::check(const Cost &cost) {
    const std::lock_guard lock(changing_);
    refresh();
    check_held(cost);
}

void SharedLedger::charge(std::span<const Release> releases, bool seeded, const CallNote &note) {
    const std::lock_guard lock(changing_);
    if (storing_) throw Error(DPA_E_STATE, "the ledger is storing another entry");
    if (refused_)
        throw Error(DPA_E_STATE,
                    "the store has refused an entry of this ledger: load the ledger again");
    std::optional<LedgerFile> file;  // locked until the entry is on the disk
    if (!path_.empty()) {
        file.emplace(path_, LedgerFile::Access::write);
        take(file->read());
    }
    LedgerEntry entry{
        content_.entries.size() + 1, now(),       seeded, price_of_call(releases), note.sizes,
        describe_releases(releases), note.options};
    check_held(entry.cost);
    const Block block = write_block(entry, content_.heads.back());
    std::vector<std::uint8_t> bytes = bytes_;  // what needs memory comes before the payment
    bytes.insert(bytes.end(), block.begin(), block.end());
    content_.entries.reserve(content_.entries.size() + 1);
    content_.heads.reserve(content_.heads.size() + 1);
    // mutant: entry_not_on_the_disk
    if (file) file->append(block);
    content_.heads.push_back(head_of(block));
    content_.entries.push_back(std::move(entry));
    bytes_ = std::move(bytes);
    call_store(content_.entries.size(), block);
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

void SharedLedger::refresh() {
    if (!path_.empty() && !storing_) take(LedgerFile(path_, LedgerFile::Access::read).read());
}

void SharedLedger::take(std::vector<std::uint8_t> bytes) {
    const bool same = !bytes_.empty() && bytes.size() >= bytes_.size() &&
                      std::equal(bytes_.begin(), bytes_.end(), bytes.begin());
    if (same && bytes.size() == bytes_.size()) return;
    LedgerContent content = read_blocks(bytes, same ? content_ : LedgerContent{});
    const std::vector<Digest> &known = content_.heads;
    // mutant: lost_entries_ignored
    if (!known.empty() &&
        (content.heads.size() < known.size() || content.heads[known.size() - 1] != known.back()))
        throw Error(DPA_E_FORMAT,
                    "data must be the ledger that it was, but entries that it had are gone");
    content_ = std::move(content);
    bytes_ = std::move(bytes);
}

void SharedLedger::check_held(const Cost &cost) const {
    if (content_.entries.size() >= kMostCalls)
        throw Error(DPA_E_BUDGET, "a ledger can have at most 2^16 entries");
    const Cost before = total_cost(content_.entries);
    Cost after = before;
    after += cost;
    // mutant: shared_budget_not_checked
    if (!after.within(budget().cap)) throw Error(DPA_E_BUDGET, refusal(budget(), before, cost));
}

}  // namespace dpadapt::privacy
