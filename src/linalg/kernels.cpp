#include "linalg/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace dpadapt::linalg {
namespace {

constexpr std::size_t kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
// A typedef: of an alias clang drops the alignment.
typedef double UnalignedLanes  // NOLINT(modernize-use-using)
    __attribute__((vector_size(kLanes * sizeof(double)), aligned(sizeof(double)), may_alias));
static_assert(alignof(UnalignedLanes) == alignof(double));

// Macros, not functions: a vector as return value has an ABI that depends on the instruction set.
#define DPA_LOAD(from) (*reinterpret_cast<const UnalignedLanes *>(from))
#define DPA_STORE(to) (*reinterpret_cast<UnalignedLanes *>(to))
#define DPA_SUM(s) \
    ((((s)[0] + (s)[4]) + ((s)[1] + (s)[5])) + (((s)[2] + (s)[6]) + ((s)[3] + (s)[7])))

/** out[s] = p_s . v for count rows p_s = p + s * stride, read in the order of memory. */
DPA_MULTIVERSION
void dot_rows(std::size_t n, std::size_t count, const double *p, std::size_t stride,
              const double *v, double *out) {
    for (std::size_t s = 0; s < count; ++s, p += stride) {
        Lanes even{};
        Lanes odd{};
        std::size_t k = 0;
        for (; k + 2 * kLanes <= n; k += 2 * kLanes) {
            even += DPA_LOAD(p + k) * DPA_LOAD(v + k);
            odd += DPA_LOAD(p + k + kLanes) * DPA_LOAD(v + k + kLanes);
        }
        even += odd;
        double sum = DPA_SUM(even);
        for (; k < n; ++k) sum += p[k] * v[k];
        out[s] = sum;
    }
}

/** out[s] += p_s . v for count vectors p_s = p + s * stride, four side by side. */
DPA_MULTIVERSION
void add_dots(std::size_t n, std::size_t count, const double *p, std::size_t stride,
              const double *v, double *out) {
    std::size_t s = 0;
    for (; s + 4 <= count; s += 4, p += 4 * stride) {
        const double *p1 = p + stride;
        const double *p2 = p1 + stride;
        const double *p3 = p2 + stride;
        Lanes s0{};
        Lanes s1{};
        Lanes s2{};
        Lanes s3{};
        std::size_t k = 0;
        for (; k + kLanes <= n; k += kLanes) {
            const Lanes lanes = DPA_LOAD(v + k);
            s0 += DPA_LOAD(p + k) * lanes;
            s1 += DPA_LOAD(p1 + k) * lanes;
            s2 += DPA_LOAD(p2 + k) * lanes;
            s3 += DPA_LOAD(p3 + k) * lanes;
        }
        double t0 = DPA_SUM(s0);
        double t1 = DPA_SUM(s1);
        double t2 = DPA_SUM(s2);
        double t3 = DPA_SUM(s3);
        for (; k < n; ++k) {
            t0 += p[k] * v[k];
            t1 += p1[k] * v[k];
            t2 += p2[k] * v[k];
            t3 += p3[k] * v[k];
        }
        out[s] += t0;
        out[s + 1] += t1;
        out[s + 2] += t2;
        out[s + 3] += t3;
    }
    for (; s < count; ++s, p += stride) {
        Lanes lanes{};
        std::size_t k = 0;
        for (; k + kLanes <= n; k += kLanes) lanes += DPA_LOAD(p + k) * DPA_LOAD(v + k);
        double sum = DPA_SUM(lanes);
        for (; k < n; ++k) sum += p[k] * v[k];
        out[s] += sum;
    }
}

/** out += sum_s c[s] p_s over count vectors p_s = p + s * stride, four side by side. With `ahead`
 *  the memory that many numbers further on is called for meanwhile. */
DPA_MULTIVERSION
void add_scaled(std::size_t n, std::size_t count, const double *p, std::size_t stride,
                const double *c, double *out, std::size_t ahead) {
    std::size_t s = 0;
    for (; s + 4 <= count; s += 4, p += 4 * stride) {
        const double *p1 = p + stride;
        const double *p2 = p1 + stride;
        const double *p3 = p2 + stride;
        for (std::size_t k = 0; ahead != 0 && k < 4 * stride; k += kLanes)
            __builtin_prefetch(p + ahead + k);
        const double c0 = c[s];
        const double c1 = c[s + 1];
        const double c2 = c[s + 2];
        const double c3 = c[s + 3];
        std::size_t k = 0;
        for (; k + kLanes <= n; k += kLanes) {
            const Lanes first = DPA_LOAD(p + k) * c0 + DPA_LOAD(p1 + k) * c1;
            const Lanes second = DPA_LOAD(p2 + k) * c2 + DPA_LOAD(p3 + k) * c3;
            DPA_STORE(out + k) = DPA_LOAD(out + k) + (first + second);
        }
        for (; k < n; ++k) out[k] += (p[k] * c0 + p1[k] * c1) + (p2[k] * c2 + p3[k] * c3);
    }
    for (; s < count; ++s, p += stride) {
        const double factor = c[s];
        for (std::size_t k = 0; k < n; ++k) out[k] += p[k] * factor;
    }
}

DPA_MULTIVERSION
void add_totals(std::size_t n, const double *values, double *sum, double *size) {
    double sums[kLanes] = {};
    double sizes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            sums[k] += values[i + k];
            sizes[k] += std::abs(values[i + k]);
        }
    }
    for (; i < n; ++i) {
        sums[0] += values[i];
        sizes[0] += std::abs(values[i]);
    }
    *sum = DPA_SUM(sums);
    *size = DPA_SUM(sizes);
}

}  // namespace

std::size_t rows_per_block(const MatrixView &x) {
    constexpr std::size_t kRowMajorDoubles = 1664;  // 13 KiB
    constexpr std::size_t kColMajorRows = 4096;
    if (!x.row_major) return kColMajorRows;
    return std::clamp<std::size_t>(kRowMajorDoubles / std::max<std::size_t>(x.cols, 1) / 4 * 4, 4,
                                   512);
}

Totals totals_of(const double *values, std::size_t n) {
    Totals totals;
    by_processor<add_totals>(n, values, &totals.sum, &totals.size);
    return totals;
}

void row_products(const MatrixView &x, const double *v, std::size_t begin, std::size_t end,
                  double *out) {
    if (x.row_major) {
        by_processor<dot_rows>(x.cols, end - begin, x.row(begin), x.stride, v, out);
    } else {
        std::fill_n(out, end - begin, 0.0);
        by_processor<add_scaled>(end - begin, x.cols, x.data + begin, x.stride, v, out,
                                 std::size_t{0});
    }
}

void add_weighted_rows(const MatrixView &x, const double *a, std::size_t begin, std::size_t end,
                       double *u) {
    if (x.row_major) {
        // The next block comes from memory while this one is in the nearest cache.
        const std::size_t ahead = end < x.rows ? (end - begin) * x.stride : 0;
        by_processor<add_scaled>(x.cols, end - begin, x.row(begin), x.stride, a, u, ahead);
    } else {
        by_processor<add_dots>(end - begin, x.cols, x.data + begin, x.stride, a, u);
    }
}

}  // namespace dpadapt::linalg
