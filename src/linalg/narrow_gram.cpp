#include "linalg/narrow_gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/multiversion.hpp"

namespace dpadapt::linalg {
namespace {

constexpr std::size_t kAcross = 8;
constexpr std::size_t kTogether = 32;  // columns that stay in the nearest cache
using Across = double __attribute__((vector_size(kAcross * sizeof(double))));
static_assert(kNarrow % kAcross == 0);

/** Columns side by side, each followed by zeros up to `wide`, times the root of its weight. */
DPA_MULTIVERSION
void pack(std::size_t size, std::size_t stride, std::size_t count, const double *z,
          const double *weight, std::size_t wide, double *packed) {
    for (std::size_t i = 0; i < count; ++i, z += stride, packed += wide) {
        const double root = weight == nullptr ? 1.0 : std::sqrt(weight[i]);
        for (std::size_t j = 0; j < size; ++j) packed[j] = root * z[j];
        std::fill(packed + size, packed + wide, 0.0);
    }
}

/** The products of packed columns, four rows of eight lanes at once. */
DPA_MULTIVERSION
void multiply(std::size_t size, std::size_t count, std::size_t wide, const double *packed,
              double *gram) {
    for (std::size_t k = 0; k < size; k += kAcross) {
        const std::size_t used = std::min(kAcross, size - k);
        for (std::size_t i = k; i < size; i += 4) {
            Across s0{};
            Across s1{};
            Across s2{};
            Across s3{};
            const double *z = packed;
            for (std::size_t row = 0; row < count; ++row, z += wide) {
                Across lanes;
                std::memcpy(&lanes, z + k, sizeof lanes);
                s0 += lanes * z[i];
                s1 += lanes * z[i + 1];
                s2 += lanes * z[i + 2];
                s3 += lanes * z[i + 3];
            }
            // Rows i.. of the columns k..: element (row, column) stands at column * size + row.
            for (std::size_t lane = 0; lane < used; ++lane) {
                double *column = gram + (k + lane) * size + i;
                const double sums[4] = {s0[lane], s1[lane], s2[lane], s3[lane]};
                const std::size_t rows = std::min<std::size_t>(4, size - i);
                for (std::size_t r = 0; r < rows; ++r) column[r] += sums[r];
            }
        }
    }
}

}  // namespace

void add_narrow_gram(std::size_t size, std::size_t stride, std::size_t count, const double *z,
                     const double *weight, double *gram) {
    alignas(64) double packed[kTogether * kNarrow];
    const std::size_t wide = (size + kAcross - 1) / kAcross * kAcross;
    for (std::size_t begin = 0; begin < count; begin += kTogether) {
        const std::size_t some = std::min(kTogether, count - begin);
        pack(size, stride, some, z + begin * stride, weight == nullptr ? nullptr : weight + begin,
             wide, packed);
        multiply(size, some, wide, packed, gram);
    }
}

}  // namespace dpadapt::linalg
