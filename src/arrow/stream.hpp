#pragma once

#include <dpadapt/arrow.h>

#include <memory>
#include <utility>
#include <vector>

#include "arrow/batch.hpp"
#include "base/platform/float_state.hpp"
#include "schema/named_table.hpp"

namespace dpadapt::arrow {

/** A structure of Arrow's, which is released once. */
template <typename Structure>
class Owned {
  public:
    explicit Owned(const Structure &value) : value_(value) {}
    Owned(Owned &&other) noexcept : value_(std::exchange(other.value_, {})) {}
    Owned &operator=(Owned &&) = delete;
    ~Owned() {
        if (value_.release != nullptr) call_host(value_.release, &value_);
    }

    [[nodiscard]] const Structure &operator*() const { return value_; }
    [[nodiscard]] const Structure *operator->() const { return &value_; }

  private:
    Structure value_;
};

/** What a stream gave. */
struct Received {
    Owned<ArrowSchema> schema;
    std::vector<Owned<ArrowArray>> batches{};
};

/** The schema of a stream. Throws Error(DPA_E_CALLBACK) where it fails, Error(DPA_E_FORMAT) for no
 *  stream. */
[[nodiscard]] Owned<ArrowSchema> schema_of(ArrowArrayStream &stream);

/** All batches, after the schema; the stream stays open. Throws Error(DPA_E_CALLBACK) where it
 *  fails, Error(DPA_E_OVERFLOW) for 2^31 rows, Error(DPA_E_FORMAT) for more than 2^20 batches
 *  without rows. */
[[nodiscard]] std::vector<Owned<ArrowArray>> batches_of(ArrowArrayStream &stream);

/** The rows of the selected columns. */
class Rows {
  public:
    /** Reads them all. Throws what Selection and Batch do. */
    Rows(ArrowArrayStream &stream, const Names &names);

    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t width() const { return selection_.width; }
    /** A copy, or where one batch has them as a matrix, that matrix, which the sample keeps. */
    [[nodiscard]] Sample sample() const;

  private:
    /** What a sample keeps. */
    struct Storage {
        Received received;
        SecretVector<double> labels{};
    };
    [[nodiscard]] Sample lent(const Batch &batch, const double *x) const;

    std::shared_ptr<Storage> storage_;
    Selection selection_;
    std::vector<Batch> batches_;  ///< that have rows
    std::size_t rows_ = 0;
};

/** All columns of a stream, as texts and numbers. */
[[nodiscard]] schema::NamedTable table_of(ArrowArrayStream &stream);

/** Moves both into a stream of one batch. */
void make_stream(ArrowSchema &schema, ArrowArray &batch, ArrowArrayStream &out);

}  // namespace dpadapt::arrow
