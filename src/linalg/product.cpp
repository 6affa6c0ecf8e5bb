#include "linalg/product.hpp"

extern "C" {
void dgemm_(const char *a_form, const char *b_form, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, std::size_t a_form_length,
            std::size_t b_form_length);
void dgemv_(const char *form, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, std::size_t form_length);
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

void dpadapt_dgemm(const char *a_form, const char *b_form, const int *m, const int *n, const int *k,
                   const double *alpha, const double *a, const int *lda, const double *b,
                   const int *ldb, const double *beta, double *c, const int *ldc,
                   std::size_t /*length*/, std::size_t /*length*/) {
    const int last = last_rows(*a_form, *b_form, *m, *n, *k);
    const int first = *m - last;
    if (first > 0) dgemm_(a_form, b_form, &first, n, k, alpha, a, lda, b, ldb, beta, c, ldc, 1, 1);
    for (int i = first; i < *m; ++i)
        dgemv_("T", k, n, alpha, b, ldb, a + i, lda, beta, c + i, ldc, 1);
}
