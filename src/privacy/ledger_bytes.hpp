#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "base/growing.hpp"
#include "privacy/budget.hpp"

namespace dpadapt::privacy {

using Digest = std::array<std::uint8_t, 32>;

/** How a ledger that outlives the process begins. */
struct LedgerHeader {
    Budget budget;
    Domains locked_domains = 0;  ///< of every problem that uses it; 0: it locks none
    std::uint64_t time = 0;      ///< in seconds since 1970
    std::string id;              ///< random, so that no two ledgers have the same hashes
    Unit unit = Unit::record;    ///< of everything that it pays for
};

/** The sizes of the samples that a release was made from. */
struct SampleSizes {
    std::uint64_t source_rows = 0;
    std::uint64_t target_rows = 0;
    std::uint64_t features = 0;

    bool operator==(const SampleSizes &) const = default;
};

/** What one call has paid, and for what. */
struct LedgerEntry {
    std::uint64_t sequence = 0;  ///< from 1
    std::uint64_t time = 0;
    bool seeded = false;
    Cost cost;
    SampleSizes sizes;
    std::string releases;  ///< in words
    std::string options;   ///< those that are not the default ones
};

/** A page: writers that are killed leave all of a block or nothing of it, and a file that ends
 *  within one was cut. */
constexpr std::size_t kBlockSize = 4096;
using Block = std::array<std::uint8_t, kBlockSize>;

/** The hash at the end of a block, by which the next one begins. */
[[nodiscard]] Digest head_of(const Block &block);

[[nodiscard]] Block write_block(const LedgerHeader &header);

/** What an entry has of a text: its hash, where it is too long for a block. */
[[nodiscard]] std::string shortened(const std::string &text);

/** That hash, of any text. */
[[nodiscard]] std::string digest_in_words(const std::string &text);

/** Its texts are shortened. */
[[nodiscard]] Block write_block(const LedgerEntry &entry, const Digest &previous);

/** What the blocks of a ledger say. */
struct LedgerContent {
    LedgerHeader header;
    Growing<LedgerEntry> entries;
    Growing<Digest> heads;  ///< of all blocks
    Cost spent;             ///< by all entries
    bool seeded = false;    ///< the noise of one was known

    void add(LedgerEntry entry, const Digest &head);
};

/** Throws Error(DPA_E_FORMAT) unless the blocks are a ledger and each follows the one before. What
 *  the first blocks say may be known: then only those behind them are read. */
[[nodiscard]] LedgerContent read_blocks(std::span<const std::uint8_t> bytes,
                                        LedgerContent known = {});

}  // namespace dpadapt::privacy
