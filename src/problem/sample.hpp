#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/secret.hpp"
#include "linalg/matrix_view.hpp"

namespace dpadapt {

/** Which rows of a sample belong to which person. How many persons there are is public, who has
 *  which and how many rows is not. */
class Persons {
  public:
    /** Rows with the same id belong to the same person. */
    explicit Persons(std::span<const std::int64_t> ids);

    /** Persons whose rows are in another place: only their number is known here. */
    [[nodiscard]] static Persons elsewhere(std::size_t count);

    [[nodiscard]] std::size_t count() const { return count_; }

    /** The rows of a person, in the sample's order. */
    [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t person) const {
        return std::span(order_).subspan(first_[person], first_[person + 1] - first_[person]);
    }

  private:
    Persons() = default;

    std::size_t count_ = 0;
    std::vector<std::uint32_t> order_;  ///< rows, person after person
    std::vector<std::size_t> first_;    ///< of each person among them, and the end
};

using Bytes = std::vector<std::uint8_t>;

/** Where private records are that this process does not see. */
class RemoteRecords {
  public:
    RemoteRecords &operator=(RemoteRecords &&) = delete;
    virtual ~RemoteRecords() = default;

    /** Carries out a request, which is public or made of released values, over all records: the
     *  sums of its parts, in any order (records/partial.hpp). Each record must be in one part. */
    [[nodiscard]] virtual std::vector<Bytes> carry_out(std::span<const std::uint8_t> request) = 0;

    /** Whether each part knows the numbers of its records in the sample. */
    [[nodiscard]] virtual bool knows_numbers() const { return false; }
};

class Population;

/** The records of one domain, NaN where there is no label: copied, lent by the caller, or, if they
 *  are private, in another place. */
class Sample {
  public:
    Sample() = default;

    /** Keeps the caller's memory. */
    static Sample lend(const linalg::MatrixView &x, const double *y);

    /** Copies, row by row: a pass over the data then reads memory in one go. Without y, records
     *  that have no label at all: each is NaN. */
    static Sample copy(const linalg::MatrixView &x, const double *y);

    /** Rows that write(x, y) writes, row by row in memory of their own; y is NULL where they have
     *  no labels. */
    using Write = std::function<void(double *x, double *y)>;
    static Sample fill(std::size_t rows, std::size_t features, bool labelled, const Write &write);

    /** From now on its owner lives as long as the sample and its copies. */
    void keep(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }

    /** As lend, of records that have no label at all. */
    static Sample lend_unlabelled(const linalg::MatrixView &x);

    /** Records that stay where they are. */
    static Sample elsewhere(std::size_t rows, std::size_t features,
                            std::shared_ptr<RemoteRecords> remote);

    /** Null for records that are here. */
    [[nodiscard]] RemoteRecords *remote() const { return remote_.get(); }

    /** From now on its rows are a sample of these, who are elsewhere. */
    void stand_for(std::shared_ptr<const Population> all) { population_ = std::move(all); }

    /** Null for a sample that stands for nothing but itself. */
    [[nodiscard]] const Population *population() const { return population_.get(); }

    /** From now on nobody knows which row of the caller's is which. */
    void forget_places() { has_places_ = false; }
    [[nodiscard]] bool has_places() const { return has_places_; }

    /** Whether it is public that no record has a label. */
    [[nodiscard]] bool unlabelled() const { return unlabelled_; }

    /** From now on the rows belong to persons. */
    void group(std::shared_ptr<const Persons> persons) { persons_ = std::move(persons); }

    /** Null where every record is for itself. */
    [[nodiscard]] const Persons *persons() const { return persons_.get(); }

    /** From now on its rows have these weights, one each. Of a public sample none is negative, some
     *  are positive, and only their ratios count. */
    void weigh(std::shared_ptr<const SecretVector<double>> weights) {
        weights_ = std::move(weights);
    }

    /** Null where all rows weigh alike. */
    [[nodiscard]] const std::shared_ptr<const SecretVector<double>> &weights() const {
        return weights_;
    }

    /** 1 where all rows weigh alike. */
    [[nodiscard]] double mean_weight() const;

    /** The weights in units of their mean; empty where all rows weigh alike. */
    [[nodiscard]] std::vector<double> relative_weights() const;

    /** Persons, or records where there are none: of a private sample this number is public. */
    [[nodiscard]] std::size_t units() const { return persons_ ? persons_->count() : rows(); }

    /** The rows begin <= i < end of records that are here; borrows them. */
    [[nodiscard]] Sample part(std::size_t begin, std::size_t end) const;

    /** At most that many of the rows, evenly drawn, with their labels: a copy, or all, borrowed. */
    [[nodiscard]] Sample evenly_drawn(std::size_t most) const;

    /** Throw Error(DPA_E_UNSUPPORTED) for records elsewhere. */
    [[nodiscard]] const linalg::MatrixView &x() const { return here().x_; }
    [[nodiscard]] const double *y() const { return here().y_; }
    [[nodiscard]] std::size_t rows() const { return x_.rows; }
    [[nodiscard]] std::size_t features() const { return x_.cols; }

  private:
    [[nodiscard]] const Sample &here() const;
    void forget_labels();

    std::shared_ptr<RemoteRecords> remote_;
    std::shared_ptr<const Population> population_;
    std::shared_ptr<const Persons> persons_;
    std::shared_ptr<const SecretVector<double>> weights_;
    linalg::MatrixView x_;
    const double *y_ = nullptr;
    bool unlabelled_ = false;
    bool has_places_ = true;
    std::shared_ptr<const void> owner_;  ///< of lent memory, where somebody must keep it
    UnsetSecretVector<double> owned_x_;
    UnsetSecretVector<double> owned_y_;
};

/** Throws Error(DPA_E_LABEL): the target has no label, and `what` needs some. */
[[noreturn]] void refuse_unlabelled(const char *what);

/** The sample, whose labels measure errors; throws Error(DPA_E_LABEL) where it has none at all. */
const Sample &check_labelled(const Sample &sample);

/** The sample; throws Error(DPA_E_NONFINITE) naming its first row with NaN or infinity. For public
 *  samples. */
const Sample &check_finite(const Sample &sample, const char *name, std::size_t threads);

}  // namespace dpadapt
