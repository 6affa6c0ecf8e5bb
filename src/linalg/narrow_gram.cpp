#include "linalg/narrow_gram.hpp"

#include <algorithm>
#include <cstring>

#include "base/multiversion.hpp"

namespace dpadapt::linalg {
namespace {

constexpr std::size_t kAcross = 8;
using Across = double __attribute__((vector_size(kAcross * sizeof(double))));
static_assert(kNarrow % kAcross == 0);

/** Four rows of eight lanes at once. What is behind `size` reaches sums that nobody reads. */
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

void add_narrow_gram(std::size_t size, std::size_t count, const double *z, double *gram) {
    multiply(size, count, narrow_stride(size), z, gram);
}

}  // namespace dpadapt::linalg
