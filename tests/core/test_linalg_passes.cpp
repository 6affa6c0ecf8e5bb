// The fused kernels against plain loops over stored rows, in both layouts, clipped or not.
#include <vector>

#include "core.hpp"
#include "linalg/gram.hpp"
#include "linalg/passes.hpp"

using namespace dpadapt::linalg;

namespace {

/** Random rows in a layout with padding, and the same rows z_i stored plainly. */
struct Instance {
    Instance(std::size_t n, std::size_t d, bool row_major, bool clipped, bool constant,
             unsigned seed)
        : storage((row_major ? n : d) * ((row_major ? d : n) + 3)), label(n), z(n, d + constant) {
        Random random(seed);
        rows.x = {storage.data(), n, d, (row_major ? d : n) + 3, row_major};
        rows.constant = constant;
        rows.center = arma::vec(d, arma::fill::value(0.25));
        rows.scale = arma::linspace(0.5, 2.0, d);
        if (clipped) rows.row_scale.resize(n);
        for (auto &value : storage) value = random.normal();
        for (auto &value : label) value = random.normal();
        for (auto &value : rows.row_scale) value = random.uniform();
        rows.label = label.data();
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = clipped ? rows.row_scale[i] : 1.0;
            for (std::size_t j = 0; j < d; ++j)
                z(i, j) = factor * rows.scale(j) * (rows.x(i, j) - rows.center(j));
            if (constant) z(i, d) = 1.0;
        }
    }
    std::vector<double> storage;
    std::vector<double> label;
    AffineRows rows;
    arma::mat z;
};

template <typename Check>
void for_each_instance(const Check &check) {
    unsigned seed = 0;
    for (const std::size_t n : {1U, 7U, 64U, 1031U, 9001U})
        for (const std::size_t d : {1U, 3U, 11U, 16U, 37U, 61U})
            for (const bool row_major : {false, true})
                for (const bool clipped : {false, true})
                    check(Instance(n, d, row_major, clipped, n % 2 == 1, ++seed));
}

void passes_agree_with_plain_loops() {
    for_each_instance([](const Instance &instance) {
        const arma::vec w = arma::linspace(-1.0, 1.0, instance.z.n_cols);
        const arma::vec expected = instance.z * w - arma::vec(instance.label);
        const double size = arma::norm(expected) + 1.0;
        std::vector<double> residual(instance.label.size());
        residual_pass(instance.rows, w, 1, residual.data());
        check_true("residuals", arma::norm(arma::vec(residual) - expected) <= 1e-13 * size);

        const arma::vec sum = gradient_pass(instance.rows, residual.data(), 1);
        const arma::vec plain = instance.z.t() * expected;
        check_true("gradient", arma::norm(sum - plain) <= 1e-12 * size * size);

        std::vector<double> again(residual.size());
        const PassSums fused =
            fused_pass(instance.rows, w, 1, again.data(),
                       [](std::size_t begin, std::size_t end, const double *r, double *a) {
                           double value = 0.0;
                           for (std::size_t i = 0; i < end - begin; ++i)
                               value += (a[i] = r[i]) * r[i];
                           return value;
                       });
        check_close("fused value", fused.value, arma::dot(expected, expected), 1e-12);
        check_true("fused gradient", arma::norm(fused.gradient - plain) <= 1e-12 * size * size);
    });
}

void every_number_of_threads_gives_the_same_bits() {
    for_each_instance([](const Instance &instance) {
        const arma::vec w = arma::linspace(-1.0, 1.0, instance.z.n_cols);
        std::vector<double> residual(instance.label.size());
        const auto identity = [](std::size_t begin, std::size_t end, const double *r, double *a) {
            std::copy(r, r + (end - begin), a);
            return *r;
        };
        const PassSums one = fused_pass(instance.rows, w, 1, residual.data(), identity);
        for (const std::size_t threads : {2U, 3U, 7U}) {
            const PassSums many = fused_pass(instance.rows, w, threads, residual.data(), identity);
            check_true("value", one.value == many.value);
            check_true("gradient", arma::all(one.gradient == many.gradient));
        }
    });
}

void gram_and_columns_agree_with_plain_loops() {
    for_each_instance([](const Instance &instance) {
        const std::size_t n = instance.label.size();
        std::vector<double> weight(n);
        for (std::size_t i = 0; i < n; ++i) weight[i] = 0.7 * static_cast<double>(i % 3);
        arma::mat weighted = instance.z;
        weighted.each_col() %= arma::vec(weight);
        const arma::mat plain = weighted.t() * instance.z;
        const double size = arma::norm(plain, "fro") + 1e-300;
        check_true("gram", arma::norm(weighted_gram(instance.rows, weight.data(), false) - plain,
                                      "fro") <= 1e-12 * size);
        const arma::mat with_label = arma::join_rows(instance.z, arma::vec(instance.label));
        const arma::mat expected = with_label.t() * with_label;
        check_true("gram with label",
                   arma::norm(weighted_gram(instance.rows, nullptr, true) - expected, "fro") <=
                       1e-12 * arma::norm(expected, "fro"));
        const arma::vec sums = column_sums(instance.rows.x, 1);
        const arma::vec squares = column_squares(instance.rows.x, instance.rows.center, 1);
        for (std::size_t j = 0; j < instance.rows.x.cols; ++j) {
            double sum = 0.0;
            double square = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                sum += instance.rows.x(i, j);
                square += std::pow(instance.rows.x(i, j) - instance.rows.center(j), 2);
            }
            check_true("column sum", std::abs(sums(j) - sum) <= 1e-13 * static_cast<double>(n));
            check_close("column square", squares(j), square, 1e-12);
        }
    });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(passes_agree_with_plain_loops),
        core_test(every_number_of_threads_gives_the_same_bits),
        core_test(gram_and_columns_agree_with_plain_loops),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
