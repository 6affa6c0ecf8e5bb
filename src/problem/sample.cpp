#include "problem/sample.hpp"

#include <algorithm>
#include <cstdint>

namespace dpadapt {

Sample Sample::lend(const linalg::MatrixView &x, const double *y) {
    Sample sample;
    sample.x_ = x;
    sample.y_ = y;
    return sample;
}

Sample Sample::copy(const linalg::MatrixView &x, const double *y) {
    constexpr std::size_t kTile =
        32;  // rows transposed together, so that both sides use whole cache lines
    constexpr std::size_t kLine = 8;  // doubles of a cache line, on which the copy begins
    Sample sample;
    sample.owned_x_.resize(x.rows * x.cols + kLine);
    sample.owned_y_.assign(y, y + x.rows);
    double *to = sample.owned_x_.data();
    while (reinterpret_cast<std::uintptr_t>(to) % (kLine * sizeof(double)) != 0) ++to;
    if (x.row_major) {
        for (std::size_t i = 0; i < x.rows; ++i) std::copy_n(x.row(i), x.cols, to + i * x.cols);
    } else {
        for (std::size_t first = 0; first < x.rows; first += kTile) {
            const std::size_t last = std::min(x.rows, first + kTile);
            for (std::size_t j = 0; j < x.cols; ++j)
                for (std::size_t i = first; i < last; ++i) to[i * x.cols + j] = x(i, j);
        }
    }
    sample.x_ = {to, x.rows, x.cols, x.cols, true};
    sample.y_ = sample.owned_y_.data();
    return sample;
}

}  // namespace dpadapt
