#pragma once

#include <dpadapt/privacy.h>
#include <dpadapt/types.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "capi/handles.hpp"
#include "linalg/matrix_view.hpp"
#include "privacy/report.hpp"

namespace dpadapt::capi {

/** Throws Error(DPA_E_EMPTY) for no rows or columns, Error(DPA_E_OVERFLOW) for too many. */
void check_sizes(std::size_t rows, std::size_t cols);

/** The matrix after all checks but that of its pointer: layout, sizes, leading dimension. */
[[nodiscard]] linalg::MatrixView checked_shape(const dpa_matrix &matrix);

/** The same after all checks that need no reading of it. */
[[nodiscard]] linalg::MatrixView checked_matrix(const dpa_matrix &matrix);

/** DPA_SOURCE or DPA_TARGET; throws Error(DPA_E_INVALID_ARGUMENT). */
[[nodiscard]] inline privacy::Domains domain_of(std::int32_t domain) {
    if (domain == DPA_SOURCE) return privacy::kSource;
    if (domain == DPA_TARGET) return privacy::kTarget;
    throw Error(DPA_E_INVALID_ARGUMENT,
                "domain must be DPA_SOURCE or DPA_TARGET, but is " + std::to_string(domain));
}

/** The same of rows elsewhere, up to 2^40; `name` is theirs. */
void check_sizes_elsewhere(std::size_t rows, std::size_t cols, const char *name);

/** DPA_REPORT_*; throws Error(DPA_E_INVALID_ARGUMENT). */
inline privacy::Form report_form(std::int32_t form) {
    if (form == DPA_REPORT_JSON) return privacy::Form::json;
    if (form == DPA_REPORT_TEXT) return privacy::Form::text;
    if (form == DPA_REPORT_NUMBERS) return privacy::Form::numbers;
    throw Error(DPA_E_INVALID_ARGUMENT,
                form == DPA_REPORT_PAGE
                    ? "DPA_REPORT_PAGE is a form of the privacy report of a problem or solution"
                    : "form must be one of DPA_REPORT_*, but is " + std::to_string(form));
}

/** Throws unless the array `name` has one number a row. */
inline void check_row_numbers(const char *name, std::size_t numbers, std::size_t rows) {
    if (numbers != rows)
        throw Error(DPA_E_DIMENSION, std::string(name) +
                                         " must equal rows = " + std::to_string(rows) +
                                         ", but is " + std::to_string(numbers));
}

/** Throws unless a size, which has that name, is the needed one. */
inline void check_size(const char *name, std::size_t needed, std::size_t given) {
    if (given != needed)
        throw Error(DPA_E_DIMENSION, std::string(name) + " must be " + std::to_string(needed) +
                                         ", but is " + std::to_string(given));
}

/** Throws unless an output array has the needed length. */
void check_length(std::size_t needed, auto *out, std::size_t out_len) {
    check_size("out_len", needed, out_len);
    if (needed != 0) required(out, "out");
}

/** What is saved of a fit: with the weights of its rows, 1, or without, 0. */
inline Solution saved_part(const Solution &fit, std::int32_t weights) {
    if (weights != 0 && weights != 1)
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "weights must be 0 or 1, but is " + std::to_string(weights));
    return weights == 1 ? fit : fit.without_weights();
}

/** The solutions of an array of handles, which must be 1 to `most`. */
inline std::vector<const Solution *> solutions_of(const dpa_solution *const *candidates,
                                                  std::size_t count, std::size_t most) {
    if (count == 0) throw Error(DPA_E_EMPTY, "count must be at least 1, but is 0");
    if (count > most)
        throw Error(DPA_E_OVERFLOW, "count must be at most " + std::to_string(most) + ", but is " +
                                        std::to_string(count));
    required(candidates, "candidates");
    std::vector<const Solution *> list(count);
    for (std::size_t k = 0; k < count; ++k) list[k] = &value_of(candidates[k], "every candidate");
    return list;
}

/** Fills a caller's array. */
void copy_out(const auto &values, double *out, std::size_t out_len) {
    check_length(values.size(), out, out_len);
    std::copy(values.begin(), values.end(), out);
}

/** Fills a caller's buffer of bytes and stores the size that it needs, also when it is too small.
 */
template <typename Byte>
void fill_buffer(const Byte *bytes, std::size_t size, Byte *out, std::size_t out_len,
                 std::size_t *needed) {
    if (needed != nullptr) *needed = size;
    if (out_len < size)
        throw Error(DPA_E_BUFFER, "out_len must be at least " + std::to_string(size) + ", but is " +
                                      std::to_string(out_len));
    std::copy_n(bytes, size, &required(out, "out"));
}

/** Fills a caller's buffer with zero-terminated text. */
inline void fill_text(const std::string &text, char *out, std::size_t out_len,
                      std::size_t *needed) {
    fill_buffer(text.c_str(), text.size() + 1, out, out_len, needed);
}

}  // namespace dpadapt::capi
