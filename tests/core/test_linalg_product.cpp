// Products by linalg/blas.hpp against plain sums: every form, and shapes around those whose last
// rows are made one by one.
#include "core/core.hpp"
#include "linalg/arma.hpp"
#include "linalg/blas.hpp"

namespace {

std::vector<double> numbers(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> all(count);
    for (double &value : all) value = normal(random);
    return all;
}

struct Shape {
    int m, n, k;
    char a_form, b_form;
    double beta;
};

/** c = 2 a b + beta c, its matrices being parts of larger ones. */
void check_product(const Shape &s) {
    constexpr int kMore = 3;
    const auto [m, n, k, a_form, b_form, beta] = s;
    const int lda = (a_form == 'N' ? m : k) + kMore;
    const int ldb = (b_form == 'N' ? k : n) + kMore;
    const int ldc = m + kMore;
    const auto size = [](int rows, int cols) { return static_cast<std::size_t>(rows * cols); };
    const std::vector<double> a = numbers(size(lda, a_form == 'N' ? k : m), 1);
    const std::vector<double> b = numbers(size(ldb, b_form == 'N' ? n : k), 2);
    const std::vector<double> before = numbers(size(ldc, n), 3);
    std::vector<double> c(before);
    constexpr double kAlpha = 2.0;
    if (beta == 0.0) std::fill(c.begin(), c.end(), std::nan(""));
    dpadapt_dgemm(&a_form, &b_form, &m, &n, &k, &kAlpha, a.data(), &lda, b.data(), &ldb, &beta,
                  c.data(), &ldc, 1, 1);
    const auto at = [](const std::vector<double> &x, int ld, char form, int i, int j) {
        return x[static_cast<std::size_t>(form == 'N' ? i + j * ld : j + i * ld)];
    };
    double worst = 0.0;
    bool kept = true;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < ldc; ++i) {
            const auto place = static_cast<std::size_t>(i + j * ldc);
            if (i >= m) {
                kept = kept && (beta == 0.0 ? std::isnan(c[place]) : c[place] == before[place]);
                continue;
            }
            double sum = 0.0;
            for (int l = 0; l < k; ++l) sum += at(a, lda, a_form, i, l) * at(b, ldb, b_form, l, j);
            const double wanted = kAlpha * sum + (beta == 0.0 ? 0.0 : beta * before[place]);
            const double gap = std::abs(c[place] - wanted);
            worst = std::isnan(gap) ? gap : std::max(worst, gap);
        }
    const std::string where = std::to_string(m) + " x " + std::to_string(k) + " x " +
                              std::to_string(n) + ' ' + a_form + b_form;
    check_true(where + ": the same sums", worst < 1e-12 * k);
    check_true(where + ": nothing beside them is written", kept);
}

void products_are_sums() {
    for (const char a_form : {'N', 'T'})
        for (const char b_form : {'N', 'T'})
            for (const double beta : {0.0, 1.0, -0.5})
                for (int m = 1; m <= 27; ++m)
                    for (const int n : {1, 2, 7, 18, 25})
                        for (const int k : {1, 15, 16, 18, 33})
                            check_product({m, n, k, a_form, b_form, beta});
    check_product({130, 131, 129, 'N', 'N', 0.0});
}

void armadillo_asks_for_them() {
    arma::arma_rng::set_seed(4);
    const arma::mat a(18, 18, arma::fill::randn);
    const arma::mat b(18, 25, arma::fill::randn);
    arma::mat expected(18, 25, arma::fill::zeros);
    for (arma::uword l = 0; l < 18; ++l) expected += a.col(l) * b.row(l);
    check_true("a product", arma::approx_equal(a * b, expected, "absdiff", 1e-13));
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(products_are_sums), core_test(armadillo_asks_for_them)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
