#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"

namespace dpadapt::records {

/** Whose rows are in a part: a person must be in one part only, else they count twice. A part that
 *  grows by rows knows all of its persons. Of others that are merged it knows a sample, the
 *  persons whose names have the smallest hashes: parts that share many persons show it. What
 *  remains hidden, the number of persons tells. */
class PersonNames {
  public:
    using Sample = SecretVector<std::uint64_t>;  ///< smallest hashes, in order

    /** What add() needs, so that it cannot fail. */
    struct Addition {
        std::vector<std::uint64_t> hashes;
        Sample sample;
    };

    /** Of persons by the ids of their rows; throws Error(DPA_E_STATE) for one who is there. */
    [[nodiscard]] Addition prepare(std::span<const std::int64_t> ids);
    void add(Addition more) noexcept;

    /** Of these persons and those that another part wrote, who must be others. */
    [[nodiscard]] Sample merged(bytes::Reader &from) const;
    void take(Sample sample) noexcept { sample_.swap(sample); }
    void write(bytes::Writer &to) const;

  private:
    [[nodiscard]] Sample joined(std::span<const std::uint64_t> more) const;
    [[nodiscard]] bool contains(std::uint64_t hash) const;
    void reserve(std::size_t persons);
    void insert(std::uint64_t hash) noexcept;

    SecretVector<std::uint64_t> table_;  ///< of hashes, at least half of it empty
    std::size_t count_ = 0;              ///< in the table
    Sample sample_;
};

}  // namespace dpadapt::records
