#include "linalg/product.hpp"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): the names of BLAS
void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, std::size_t /*length*/,
            std::size_t /*length*/);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, std::size_t /*length*/);
// NOLINTEND(readability-identifier-naming)
}

namespace {

/** How many rows of a product OpenBLAS would make by unchecked memory. */
int last_rows(char a_form, char b_form, int m, int n, int k) {
    constexpr double kSmall = 1e6;  // multiplications of what those kernels are for
    constexpr int kLeastTerms = 16;
    const int last = m % 8;
    const bool small = 1.0 * m * n * k <= kSmall && k >= kLeastTerms;
    return a_form == 'N' && b_form == 'N' && small && last <= 4 ? last : 0;
}

}  // namespace

void dpadapt_dgemm(const char *transa, const char *transb, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc,
                   std::size_t /*length*/, std::size_t /*length*/) {
    const int last = last_rows(*transa, *transb, *m, *n, *k);
    const int first = *m - last;
    if (first > 0) dgemm_(transa, transb, &first, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);
    for (int i = first; i < *m; ++i)
        dgemv_("T", k, n, alpha, b, ldb, a + i, lda, beta, c + i, ldc, 1);
}
