#include "privacy/ledger_bytes.hpp"

#include <sodium/crypto_generichash.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "privacy/fields.hpp"

namespace dpadapt::privacy {

namespace {

constexpr bytes::Format kHeader = {{'d', 'p', 'a', '-', 'l', 'e', 'd', '1'}, "a ledger"};
constexpr bytes::Format kEntry = {{'d', 'p', 'a', '-', 'e', 'n', 't', '1'}, "entries of a ledger"};

constexpr std::size_t kHashed = kBlockSize - sizeof(Digest);
constexpr std::size_t kLength = 8;       // of the content, which comes first
constexpr std::size_t kLongText = 1500;  // two of them fit beside the numbers

[[noreturn]] void damaged(std::size_t block, const std::string &what) {
    throw Error(DPA_E_FORMAT,
                "data must be a ledger, but block " + std::to_string(block) + ' ' + what);
}

Digest hash(std::span<const std::uint8_t> previous, std::span<const std::uint8_t> content) {
    Digest digest{};
    crypto_generichash_state state;
    crypto_generichash_init(&state, nullptr, 0, digest.size());
    crypto_generichash_update(&state, previous.data(), previous.size());
    crypto_generichash_update(&state, content.data(), content.size());
    crypto_generichash_final(&state, digest.data(), digest.size());
    return digest;
}

Block make_block(const std::vector<std::uint8_t> &content, const Digest &previous) {
    Block block{};
    if (content.size() > kHashed - kLength)
        throw Error(DPA_E_INTERNAL, "an entry of a ledger is too long");
    for (unsigned k = 0; k < kLength; ++k)
        block[k] = static_cast<std::uint8_t>(content.size() >> 8 * k);
    std::copy(content.begin(), content.end(), block.begin() + kLength);
    const Digest head = hash(previous, std::span(block).first(kHashed));
    std::copy(head.begin(), head.end(), block.begin() + kHashed);
    return block;
}

/** The content of a block that follows the one with that hash. */
std::span<const std::uint8_t> content_of(std::span<const std::uint8_t> block, std::size_t number,
                                         const Digest &previous) {
    const Digest head = hash(previous, block.first(kHashed));
    if (!std::equal(head.begin(), head.end(), block.begin() + kHashed))
        damaged(number, "does not follow from the one before: it was changed, moved or damaged");
    std::size_t size = 0;
    for (unsigned k = 0; k < kLength; ++k) size |= std::size_t{block[k]} << 8 * k;
    if (size > kHashed - kLength) damaged(number, "is too long");
    return block.subspan(kLength, size);
}

/** The cap must not be more than epsilon and delta allow. */
void check_budget(const Budget &budget) {
    try {
        (void)certify_budget(budget.epsilon, budget.delta, budget.cap);
    } catch (const Error &error) {
        damaged(0, std::string("promises what it does not keep: ") + error.what());
    }
}

}  // namespace

std::string shortened(const std::string &text) {
    return text.size() <= kLongText ? text : digest_in_words(text);
}

std::string digest_in_words(const std::string &text) {
    const std::span view(reinterpret_cast<const std::uint8_t *>(text.data()), text.size());
    return "BLAKE2b " + hexadecimal(hash({}, view));
}

void LedgerContent::add(LedgerEntry entry, const Digest &head) {
    spent += entry.cost;
    seeded = seeded || entry.seeded;
    entries.add(std::move(entry));
    heads.add(head);
}

Digest head_of(const Block &block) {
    Digest head{};
    std::copy_n(block.begin() + kHashed, head.size(), head.begin());
    return head;
}

Block write_block(const LedgerHeader &header) {
    bytes::Writer writer(kHeader);
    visit_header(writer, header);
    return make_block(writer.finish(), {});
}

Block write_block(const LedgerEntry &entry, const Digest &previous) {
    bytes::Writer writer(kEntry);
    visit_entry(writer, entry);
    return make_block(writer.finish(), previous);
}

LedgerContent read_blocks(std::span<const std::uint8_t> bytes, LedgerContent known) {
    if (bytes.empty() || bytes.size() % kBlockSize != 0)
        throw Error(DPA_E_FORMAT,
                    "data must be a ledger, but ends within a block: it was cut, or is not one");
    LedgerContent content = std::move(known);
    Digest previous = content.heads.empty() ? Digest{} : content.heads.back();
    for (std::size_t k = content.heads.size(); k < bytes.size() / kBlockSize; ++k) {
        const auto block = bytes.subspan(k * kBlockSize, kBlockSize);
        const auto inside = content_of(block, k, previous);
        LedgerEntry entry;
        bytes::Reader reader(inside, k == 0 ? kHeader : kEntry);
        if (k == 0) {
            visit_header(reader, content.header);
        } else {
            visit_entry(reader, entry);
            if (entry.sequence != k) damaged(k, "has another number");
            if (!is_plain(entry.releases) || !is_plain(entry.options))
                damaged(k, "has texts with control characters");
        }
        reader.expect_end();
        std::copy_n(block.begin() + kHashed, previous.size(), previous.begin());
        if (k == 0) {
            content.heads.add(previous);
        } else {
            content.add(std::move(entry), previous);
        }
    }
    if (content.header.unit > Unit::person) damaged(0, "has an unknown unit");
    if (content.header.budget.neighbours > Neighbours::zero_out)
        damaged(0, "has unknown neighbours");
    check_budget(content.header.budget);
    if (!is_plain(content.header.id)) damaged(0, "has an id with control characters");
    if (content.header.locked_domains > (kSource | kTarget)) damaged(0, "locks unknown samples");
    return content;
}

}  // namespace dpadapt::privacy
