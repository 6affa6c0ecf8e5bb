// Sums over public rows that are elsewhere: exact moments, and the rows whose contents have the
// smallest hashes, as they are found one by one; and bytes that no rows lead to.
#include <map>

#include "base/error.hpp"
#include "core/records.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kCount = 500;
constexpr std::size_t kWidth = kCols + 1;
constexpr std::size_t kMost = 20;
constexpr bytes::Format kFormat = {{}, "a sum"};

/** Rows of few different contents, with both zeros among them. */
Records repeated() {
    Records rows(kCount);
    for (double &value : rows.x) value = std::round(value);
    return rows;
}

sums::SurveySum survey(const Records &rows, std::size_t begin, std::size_t end, std::size_t most) {
    sums::SurveySum sum(kWidth, most);
    sum.add(rows.sample().part(begin, end));
    return sum;
}

Bytes written(const sums::SurveySum &sum) {
    bytes::Writer write(kFormat);
    sum.write(write);
    return write.finish();
}

void the_smallest_contents_are_kept_and_counted() {
    const Records rows = repeated();
    std::map<std::pair<std::uint64_t, std::vector<double>>, std::uint64_t> all;
    for (std::size_t i = 0; i < kCount; ++i) {
        std::vector<double> row = rows.row(i);
        row.push_back(rows.y[i]);
        for (double &value : row) value += 0.0;  // no -0
        ++all[{sums::hash_of_row(row), row}];
    }
    check_true("there are more", all.size() > 2 * kMost);
    for (const std::size_t most : {std::size_t{1}, kMost, all.size(), all.size() + 1}) {
        const auto kept = survey(rows, 0, kCount, most).sample().content();
        check_true("how many", kept.counts.size() == std::min(most, all.size()));
        std::size_t k = 0;
        for (const auto &[content, count] : all) {
            if (k == kept.counts.size()) break;
            check_true("content", std::equal(content.second.begin(), content.second.end(),
                                             &kept.values[k * kWidth]));
            check_true("count", kept.counts[k++] == count);
        }
        const auto share =
            static_cast<double>(kept.counts.size()) / static_cast<double>(all.size());
        check_true("share", most < kMost || std::abs(kept.share - share) < 0.2);
    }
}

void zeros_are_one_content() {
    Records rows(4);
    std::fill(rows.x.begin(), rows.x.end(), 0.0);
    std::fill(rows.y.begin(), rows.y.end(), 1.0);
    rows.x[2] = rows.x[7] = -0.0;
    const auto kept = survey(rows, 0, 4, 3).sample().content();
    check_true("one", kept.counts == std::vector<std::uint64_t>{4});
}

void any_parts_have_the_same_survey() {
    Records rows = repeated();
    rows.x[30] = kNan;
    rows.y[40] = kInf;
    rows.y[50] = kNan;
    const sums::SurveySum whole = survey(rows, 0, kCount, kMost);
    check_true("records", whole.records() == kCount && whole.damaged() == 2);
    check_true("labelled", whole.labelled() == kCount - 3);
    std::mt19937 random(2);
    for (const std::size_t parts : {std::size_t{2}, std::size_t{9}, kCount}) {
        std::vector<std::size_t> order(parts);
        for (std::size_t k = 0; k < parts; ++k) order[k] = k;
        std::shuffle(order.begin(), order.end(), random);
        sums::SurveySum sum(kWidth, kMost);
        for (const std::size_t k : order)
            sum.merge(survey(rows, kCount * k / parts, kCount * (k + 1) / parts, kMost));
        check_true("same", written(sum) == written(whole));
    }
}

void moments_are_exact() {
    const std::vector<double> bounds = {4.0, 4.0, 4.0, 1.0};
    const Records rows(kCount);
    sums::GramSum sum(bounds);
    for (std::size_t i = 0; i < kCount; ++i) sum.add(rows.row(i).data(), rows.y[i]);
    const std::vector<double> sums = sum.sums();
    for (std::size_t a = 0; a < kWidth; ++a)
        for (std::size_t b = 0; b < kWidth; ++b) {
            long double exact = 0.0L;  // of rounded numbers: below 2^86, here far below
            for (std::size_t i = 0; i < kCount; ++i) {
                std::vector<double> row = rows.row(i);
                row.push_back(rows.y[i]);
                const auto on_grid = [&](std::size_t j) {
                    const double unit = std::ldexp(bounds[j], -42);
                    return std::nearbyint(std::clamp(row[j], -bounds[j], bounds[j]) / unit) * unit;
                };
                exact += static_cast<long double>(on_grid(a)) * on_grid(b);
            }
            const double difference = sums[a * kWidth + b] - static_cast<double>(exact);
            check_true("moment", std::abs(difference) <= 1e-15 * std::abs(sums[a * kWidth + a]));
        }
}

/** More rows at the bound than the halves' sums hold. */
void moments_do_not_overflow() {
    constexpr std::size_t kMany = 600001;
    const double z[] = {-8.0, 1e30};
    sums::GramSum sum({8.0, 2.0, 1.0});
    for (std::size_t i = 0; i < kMany; ++i) sum.add(z, -1.0);
    const std::vector<double> sums = sum.sums();
    check_true("square", sums[0] == 64.0 * kMany && sums[4] == 4.0 * kMany);
    check_true("product", sums[1] == -16.0 * kMany && sums[2] == 8.0 * kMany);
    sums::GramSum twice({8.0, 2.0, 1.0});
    twice.merge(sum);
    twice.merge(sum);
    check_true("merged", twice.sums()[0] == 128.0 * kMany && twice.records() == 2 * kMany);
}

/** What a survey of the others writes, in the order of its bytes. */
struct Fields {
    std::uint64_t records = 3, damaged = 0, unlabelled = 0;
    std::vector<double> lowest = {-1.0, 0.0}, highest = {5.0, 7.0};
    std::vector<std::uint64_t> counts = {1, 2};
    std::vector<double> values = {2.0, 3.0, 1.0, 4.0};
    std::uint64_t wrong_digest = 0;  // by how much

    [[nodiscard]] std::uint64_t digest() const {
        std::uint64_t sum = wrong_digest;
        for (std::size_t i = 0; i < counts.size() && 2 * i + 1 < values.size(); ++i)
            sum += counts[i] * sums::hash_of_row(std::span(values).subspan(2 * i, 2));
        return sum;
    }

    [[nodiscard]] bool is_read() const {
        bytes::Writer write(kFormat);
        write(records);
        write(damaged);
        write(unlabelled);
        write(lowest);
        write(highest);
        write(digest());
        write(counts);
        write(values);
        const Bytes all = write.finish();
        sums::SurveySum sum(2, 2);
        try {
            bytes::Reader read(all, kFormat);
            sum.read(read);
        } catch (const Error &error) {
            check_true("damage", error.status() == DPA_E_FORMAT);
            return false;
        }
        return true;
    }
};

void impossible_surveys_are_refused() {
    Fields good;
    const double first[] = {2.0, 3.0}, second[] = {1.0, 4.0};
    if (sums::hash_of_row(first) > sums::hash_of_row(second)) good.values = {1.0, 4.0, 2.0, 3.0};
    check_true("good", good.is_read());
    const auto refused = [&](const char *what, const auto &change) {
        Fields fields = good;
        change(fields);
        check_true(what, !fields.is_read());
    };
    refused("more damaged rows", [](Fields &f) { f.damaged = 4; });
    refused("more rows without labels", [](Fields &f) { f.damaged = 2, f.unlabelled = 2; });
    refused("a row too many", [](Fields &f) { f.records = 2; });
    refused("columns", [](Fields &f) { f.lowest.push_back(0.0); });
    refused("bounds", [](Fields &f) { f.lowest[0] = 6.0; });
    refused("infinite bounds", [](Fields &f) { f.highest[0] = kInf; });
    refused("below a bound", [](Fields &f) { f.lowest[1] = 3.5; });
    refused("above a bound", [](Fields &f) { f.highest[1] = 3.5; });
    refused("a row that is not there", [](Fields &f) { f.counts[0] = 0; });
    refused("a number that is none", [](Fields &f) { f.values[1] = kNan; });
    refused("another digest", [](Fields &f) { f.wrong_digest = 1; });
    refused("the other zero", [](Fields &f) { f.values[0] = -0.0; });
    refused("half a row", [](Fields &f) { f.values.pop_back(); });
    refused("three rows", [](Fields &f) { f.counts.push_back(1), f.values.resize(6, 1.0); });
    refused("order", [](Fields &f) {
        std::swap(f.values[0], f.values[2]);
        std::swap(f.values[1], f.values[3]);
    });
    refused("a row twice", [](Fields &f) { std::copy_n(&f.values[0], 2, &f.values[2]); });
    refused("a row is missing", [](Fields &f) { f.counts.pop_back(), f.values.resize(2); });
    refused("rows without a label", [](Fields &f) { f.unlabelled = 3; });
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_smallest_contents_are_kept_and_counted),
        core_test(zeros_are_one_content),
        core_test(any_parts_have_the_same_survey),
        core_test(moments_are_exact),
        core_test(moments_do_not_overflow),
        core_test(impossible_surveys_are_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
