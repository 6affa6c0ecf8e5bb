#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "problem/sample.hpp"
#include "sums/integer_sums.hpp"

namespace dpadapt::records {

/** What a sum counts, and what is protected: records, or persons with some of their records. Of a
 *  person the first rows are read, as many as are allowed: what is read of them depends on nobody
 *  else. */
class Units {
  public:
    /** @param most  Rows that are read of a person. */
    Units(const Sample &sample, std::size_t most);

    [[nodiscard]] std::size_t count() const { return count_; }
    [[nodiscard]] bool persons() const { return !first_.empty(); }

    /** Records that are read of a unit. */
    [[nodiscard]] std::size_t size(std::size_t unit) const {
        return persons() ? first_[unit + 1] - first_[unit] : 1;
    }

    /** Those of the persons begin <= p < end, one person after another. */
    [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t begin, std::size_t end) const {
        return std::span(rows_).subspan(first_[begin], first_[end] - first_[begin]);
    }

    /** The first one of each of them: the mean of several exact numbers is none. */
    [[nodiscard]] std::vector<std::uint32_t> first_rows(std::size_t begin, std::size_t end) const;

  private:
    std::size_t count_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::size_t> first_;  ///< empty: the units are the records
};

/** Adds the terms of records, unit after unit, to a sum: of a unit the mean of its terms. So a
 *  person weighs as much as a record does where records are the units, and moves the sum by no
 *  more. The term of a single record stays as it is, bit for bit. */
class UnitTerms {
  public:
    UnitTerms(const Units &units, std::size_t unit, sums::VectorSum &sum)
        : units_(units), unit_(unit), sum_(sum), total_(sum.sums().size()) {}

    void add(std::span<const double> term);

  private:
    const Units &units_;
    std::size_t unit_;
    sums::VectorSum &sum_;
    SecretVector<double> total_;
    std::size_t seen_ = 0;  ///< records of the unit
};

/** The same of outer products. */
class UnitProducts {
  public:
    UnitProducts(const Units &units, std::size_t unit, sums::OuterSum &sum)
        : units_(units), unit_(unit), sum_(sum) {}

    /** Overwrites x. */
    void add(std::span<double> x);

  private:
    const Units &units_;
    std::size_t unit_;
    sums::OuterSum &sum_;
    std::size_t seen_ = 0;
};

/** The persons of a part: nobody may be in two parts, or they count twice. A part that grows by
 *  rows knows all its persons. Of merged parts it keeps those with the smallest hashes, which shows
 *  parts that share many persons; the number of persons shows the rest. */
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
