/** Errors, owners of handles, and views of arrays.
 *  Part of dpadapt.hpp.
 */
#ifndef DPADAPT_OWNER_HPP
#define DPADAPT_OWNER_HPP

#include <dpadapt/dpadapt.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace dpa {

/** A call failed: what() names the function, the argument, the rule and the value. */
class Error : public std::runtime_error {
  public:
    Error(dpa_status status, const std::string &text) : std::runtime_error(text), status_(status) {}
    [[nodiscard]] dpa_status status() const noexcept { return status_; }

  private:
    dpa_status status_;
};
/** The privacy budget does not cover the call; no private record was read. */
class BudgetError : public Error {
    using Error::Error;
};
/** A token or a callback stopped the call. */
class CancelledError : public Error {
    using Error::Error;
};

/** Throws unless the status is DPA_OK. For calls of the C functions too. */
inline void check(dpa_status status) {
    if (status == DPA_OK) return;
    if (status == DPA_E_BUDGET) throw BudgetError(status, dpa_last_error());
    if (status == DPA_E_CANCELLED) throw CancelledError(status, dpa_last_error());
    throw Error(status, dpa_last_error());
}

/** Owner of a handle of the C interface. */
template <typename T, void (*destroy)(T *)>
class Handle {
  public:
    explicit Handle(T *handle) noexcept : handle_(handle) {}
    [[nodiscard]] T *get() const noexcept { return handle_.get(); }

  protected:
    template <typename Create>
    static T *made(Create create) {
        T *handle = nullptr;
        check(create(&handle));
        return handle;
    }

  private:
    struct Destroy {
        void operator()(T *handle) const noexcept { destroy(handle); }
    };
    std::unique_ptr<T, Destroy> handle_;
};

/** Text of a function that fills a buffer and returns the size that it needs. */
template <typename Fill>
std::string text_of(Fill fill) {
    std::string text;
    size_t needed = 0;
    dpa_status status = fill(nullptr, 0, &needed);
    while (status == DPA_E_BUFFER) {
        text.resize(needed);
        status = fill(text.data(), text.size(), &needed);
    }
    check(status);
    text.resize(needed > 0 ? needed - 1 : 0);
    return text;
}

/** A view of a matrix, one row a record. */
struct Rows : dpa_matrix {
    /** Row after row; the length must be a multiple of the columns. */
    Rows(std::span<const double> values, size_t columns)
        : dpa_matrix{values.data(), columns > 0 ? values.size() / columns : 0, columns, columns,
                     DPA_ROW_MAJOR} {
        if (rows * cols != values.size())
            throw Error(DPA_E_DIMENSION, "dpa::Rows: " + std::to_string(values.size()) +
                                             " numbers are no rows of " + std::to_string(columns) +
                                             " columns");
    }
    /** Column after column. */
    static Rows by_columns(std::span<const double> values, size_t columns) {
        Rows matrix(values, columns);
        matrix.leading_dimension = matrix.rows;
        matrix.layout = DPA_COL_MAJOR;
        return matrix;
    }
};

using Labels = std::span<const double>;

/** Bytes of a function that fills a buffer and returns the size that it needs. */
template <typename Fill>
std::vector<uint8_t> bytes_of(Fill fill) {
    std::vector<uint8_t> bytes;
    size_t needed = 0;
    dpa_status status = fill(nullptr, 0, &needed);
    while (status == DPA_E_BUFFER) {
        bytes.resize(needed);
        status = fill(bytes.data(), bytes.size(), &needed);
    }
    check(status);
    return bytes;
}

/** A number of a function that stores one. */
template <typename Number = double, typename Store>
Number number_of(Store store) {
    Number value{};
    check(store(&value));
    return value;
}

/** Names for the functions of Arrow. If `features` is empty, all columns but the label are. */
struct ArrowColumns {
    std::vector<const char *> features;
    const char *label = nullptr;
    [[nodiscard]] const char *const *names() const {
        return features.empty() ? nullptr : features.data();
    }
};

}  // namespace dpa

#endif
