#include "problem/source_map.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt {
namespace {

double finite(double value, const char *name, std::size_t row) {
    if (std::isfinite(value)) return value;
    throw Error(DPA_E_NONFINITE, std::string(name) + " row " + std::to_string(row) +
                                     " must be finite, but has " + to_text(value));
}

}  // namespace

SourceMap::SourceMap(const linalg::MatrixView &matrix, const double *offset)
    : from_(matrix.cols), columns_(matrix.rows) {
    for (std::size_t j = 0; j < matrix.rows; ++j) {
        Column &column = columns_[j];
        if (offset != nullptr) column.offset = finite(offset[j], "offset", j);
        for (std::size_t k = 0; k < from_; ++k)
            if (const double factor = finite(matrix(j, k), "matrix", j); factor != 0.0)
                column.terms.push_back({k, factor});
    }
}

Sample SourceMap::apply(const Sample &rows) const {
    const linalg::MatrixView &x = rows.x();
    const auto write = [&](double *to, double *labels) {
        if (labels != nullptr) std::copy_n(rows.y(), rows.rows(), labels);
        for (std::size_t i = 0; i < rows.rows(); ++i) {
            for (const Column &column : columns_) {
                double value = column.offset;
                // mutant: row_of_another_record
                for (const Term &term : column.terms) value += term.factor * x(i, term.column);
                *to++ = value;
            }
        }
    };
    Sample mapped = Sample::fill(rows.rows(), to(), !rows.unlabelled(), write);
    mapped.weigh(rows.weights());
    return mapped;
}

}  // namespace dpadapt
