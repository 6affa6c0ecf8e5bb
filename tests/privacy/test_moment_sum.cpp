// Exact moments: integers, whatever the records are, and the same ones in any order and partition.
#include <vector>

#include "base/bytes.hpp"
#include "core/core.hpp"
#include "sums/moment_sum.hpp"

using namespace dpadapt;
using sums::MomentSum;

namespace {

constexpr Int128 kOne = Int128{1} << 60;  // the squared norm bound

struct Record {
    std::vector<double> z;
    double y;
};

/** Ordinary records, some of them beyond the bounds. */
std::vector<Record> random_records(std::size_t count, std::size_t d, double radius, double label,
                                   unsigned seed) {
    Random random(seed);
    std::vector<Record> records(count);
    for (Record &record : records) {
        record.z.resize(d);
        double square = 0.0;
        for (double &z : record.z) {
            z = random.normal();
            square += z * z;
        }
        const double length = radius * std::exp(2 * random.normal());
        for (double &z : record.z) z *= length / std::sqrt(square);
        record.y = label * random.normal();
    }
    return records;
}

/** Records that a careless sum would let through. */
std::vector<Record> nasty_records(std::size_t d, double radius, double label) {
    std::vector<Record> records;
    for (const double z : {0.0, radius, -radius, 1e308, -1e308, kInf, -kInf, kNan, 5e-324, 1e-300,
                           radius / std::sqrt(d)})
        for (const double y : {0.0, label, -label, 1e308, -1e308, kInf, kNan, 5e-324})
            records.push_back({std::vector<double>(d, z), y});
    records.push_back({std::vector<double>(d, 0.0), label});
    records.back().z.back() = kNan;
    return records;
}

MomentSum sum_of(const std::vector<Record> &records, std::size_t d, double radius, double label) {
    MomentSum sum(d, radius, label);
    for (const Record &record : records) sum.add(record.z.data(), record.y);
    return sum;
}

bool same(const MomentSum &a, const MomentSum &b) {
    bool equal = a.records() == b.records() && a.dimension() == b.dimension();
    for (std::size_t j = 0; equal && j <= a.dimension(); ++j)
        for (std::size_t i = 0; i <= j; ++i) equal = equal && a.sum(i, j) == b.sum(i, j);
    return equal;
}

void sums_are_those_of_the_rounded_records() {
    // Within the bounds and on a coarse grid, the integers are known: z 2^30 / radius.
    constexpr std::size_t d = 9;
    Random random(3);
    std::vector<Record> records(1000);
    std::vector<Int128> expected((d + 1) * (d + 1), 0);
    for (Record &record : records) {
        std::vector<std::int64_t> x(d + 1);
        for (std::int64_t &v : x) v = static_cast<std::int64_t>(random.normal() * (1 << 25));
        for (std::size_t k = 0; k < d; ++k)
            record.z.push_back(std::ldexp(4.0 * static_cast<double>(x[k]), -30));
        record.y = std::ldexp(0.5 * static_cast<double>(x[d]), -30);
        for (std::size_t j = 0; j <= d; ++j)
            for (std::size_t i = 0; i <= d; ++i) expected[j * (d + 1) + i] += Int128{x[i]} * x[j];
    }
    const MomentSum sum = sum_of(records, d, 4.0, 0.5);
    for (std::size_t j = 0; j <= d; ++j)
        for (std::size_t i = 0; i <= d; ++i)
            check_true("sum", sum.sum(i, j) == expected[j * (d + 1) + i]);

    const sums::MomentMeans means = sum.means();
    const auto mean = [&](std::size_t i, std::size_t j) {
        return static_cast<long double>(expected[j * (d + 1) + i]) / 1000.0L * 0x1p-60L;
    };
    constexpr double rounding = 0x1p-50;  // 5 * 2^-53, and the rounding of the reference
    for (std::size_t j = 0; j < d; ++j) {
        check_close("cross", means.cross[j], static_cast<double>(2.0L * mean(j, d)), rounding);
        for (std::size_t i = 0; i < d; ++i)
            check_close("second", means.second[j * d + i], static_cast<double>(16.0L * mean(i, j)),
                        rounding);
    }
    check_close("label", means.label, static_cast<double>(0.25L * mean(d, d)), rounding);
}

void order_and_partition_do_not_matter() {
    constexpr std::size_t d = 5;
    auto records = random_records(100, d, 2.0, 1.0, 7);
    for (const Record &record : nasty_records(d, 2.0, 1.0)) records.push_back(record);
    const MomentSum forward = sum_of(records, d, 2.0, 1.0);
    check_true("backward", same(forward, sum_of({records.rbegin(), records.rend()}, d, 2.0, 1.0)));
    for (const std::size_t part : {1U, 3U, 7U, 8U, 50U}) {
        MomentSum merged(d, 2.0, 1.0);
        for (std::size_t begin = 0; begin < records.size(); begin += part) {
            const auto end = std::min(begin + part, records.size());
            merged.merge(sum_of({records.begin() + static_cast<std::ptrdiff_t>(begin),
                                 records.begin() + static_cast<std::ptrdiff_t>(end)},
                                d, 2.0, 1.0));
        }
        check_true("merged", same(forward, merged));
        const auto a = forward.means();
        const auto b = merged.means();
        check_true("means", a.second == b.second && a.cross == b.cross && a.label == b.label);
    }
}

void every_record_is_within_the_integer_bounds() {
    for (const std::size_t d : {1U, 2U, 40U}) {
        for (const double radius : {1e-310, 1e-8, 1.0, 3.7, 1e150}) {
            auto records = nasty_records(d, radius, 0.3);
            for (const Record &record : random_records(50, d, radius, 0.3, 5))
                records.push_back(record);
            for (const Record &record : records) {
                const MomentSum one = sum_of({record}, d, radius, 0.3);
                Int128 trace = 0;
                for (std::size_t k = 0; k < d; ++k) trace += one.sum(k, k);
                check_true("norm", trace <= kOne);
                check_true("label", one.sum(d, d) <= kOne);
                check_true("counted", one.records() == 1);
            }
        }
    }
}

void neighbours_differ_by_one_record_only() {
    // ||X X' - X' X'||_F^2 = |X|^4 + |X'|^4 - 2 (X.X')^2 <= 2 * 2^120: checked on scaled integers.
    constexpr std::size_t d = 6;
    const auto common = random_records(30, d, 1.5, 1.0, 9);
    auto all = nasty_records(d, 1.5, 1.0);
    std::vector<MomentSum> sums;
    for (const Record &record : all) {
        auto records = common;
        records.insert(records.begin() + 11, record);
        sums.push_back(sum_of(records, d, 1.5, 1.0));
    }
    const MomentSum shared = sum_of(common, d, 1.5, 1.0);
    for (std::size_t a = 0; a < all.size(); ++a) {
        const MomentSum alone = sum_of({all[a]}, d, 1.5, 1.0);
        for (std::size_t j = 0; j <= d; ++j)
            for (std::size_t i = 0; i <= j; ++i)
                check_true("no other record moved",
                           sums[a].sum(i, j) - shared.sum(i, j) == alone.sum(i, j));
        for (const MomentSum &other : sums) {
            long double square = 0.0L;
            for (std::size_t j = 0; j < d; ++j)
                for (std::size_t i = 0; i < d; ++i) {
                    const auto moved =
                        static_cast<long double>(sums[a].sum(i, j) - other.sum(i, j));
                    square += moved * 0x1p-60L * moved * 0x1p-60L;
                }
            check_true("sensitivity of the second moments", square <= 2.0L + 1e-9L);
        }
    }
}

void records_that_are_not_finite_count_as_zero() {
    const double z[] = {0.5, kNan};
    const double good[] = {0.5, 0.5};
    for (const auto &[row, y] : {std::pair{z, 1.0}, {good, kNan}, {good, -kInf}}) {
        MomentSum sum(2, 1.0, 1.0);
        sum.add(row, y);
        for (std::size_t j = 0; j <= 2; ++j) check_true("zero", sum.sum(j, j) == 0);
        check_true("counted", sum.records() == 1);
    }
}

void bounds_of_zero_and_bad_bounds() {
    const double z[] = {3.0, 0.0};
    MomentSum sum(2, 0.0, 0.0);
    sum.add(z, 7.0);
    for (std::size_t j = 0; j <= 2; ++j) check_true("zero", sum.sum(j, j) == 0);
    const auto means = sum.means();
    check_true("zero", means.label == 0.0 && means.second == std::vector<double>(4, 0.0) &&
                           means.cross == std::vector<double>(2, 0.0));
    check_true("infinite", status_of([] { (void)MomentSum(2, kInf, 1.0); }) == DPA_E_OPTION);
    check_true("negative", status_of([] { (void)MomentSum(2, 1.0, -1.0); }) == DPA_E_OPTION);
    check_true("undefined", status_of([] { (void)MomentSum(2, kNan, 1.0); }) == DPA_E_OPTION);
    check_true("empty", status_of([] { (void)MomentSum(2, 1.0, 1.0).means(); }) == DPA_E_INTERNAL);
    check_true("other bounds",
               status_of([&] { sum.merge(MomentSum(2, 1.0, 0.0)); }) == DPA_E_INTERNAL);
    check_true("other dimension",
               status_of([&] { sum.merge(MomentSum(3, 0.0, 0.0)); }) == DPA_E_INTERNAL);
}

void sums_beyond_64_bits() {
    const double z = 1.0;
    MomentSum sum(1, 1.0, 1.0);
    for (int i = 0; i < 1000; ++i) sum.add(&z, i % 2 == 0 ? 1.0 : -1.0);
    check_true("second", sum.sum(0, 0) == 1000 * kOne);
    check_true("cross", sum.sum(0, 1) == 0);
    check_true("label", sum.sum(1, 1) == 1000 * kOne);
    check_true("mean", sum.means().second[0] == 1.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(sums_are_those_of_the_rounded_records),
        core_test(order_and_partition_do_not_matter),
        core_test(every_record_is_within_the_integer_bounds),
        core_test(neighbours_differ_by_one_record_only),
        core_test(records_that_are_not_finite_count_as_zero),
        core_test(bounds_of_zero_and_bad_bounds),
        core_test(sums_beyond_64_bits),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
