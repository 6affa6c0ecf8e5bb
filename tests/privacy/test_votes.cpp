// Answers of teachers: what neighbours move, what is paid, what leaves, and an audit of the whole.
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

#include "engine/votes.hpp"
#include "privacy/accountant.hpp"
#include "privacy/replay.hpp"
#include "privacy/votes.hpp"

using namespace dpadapt;
using privacy::VoteGrid;
using privacy::VoteRange;

namespace {

constexpr VoteRange kClasses{3}, kNumbers{0, -2.0, 6.0};
constexpr std::size_t kQueries = 7;

Uint128 price_of(double epsilon) {
    return privacy::make_budget(epsilon, 1e-5, 0.0, 0.0).cap.mu_square;
}

std::vector<std::int64_t> integers(const VoteGrid &grid, const std::vector<double> &answers) {
    std::vector<std::int64_t> sums(grid.coordinates());
    privacy::add_votes(grid, answers, sums);
    return sums;
}

Uint128 squared_distance(const std::vector<std::int64_t> &a, const std::vector<std::int64_t> &b) {
    Uint128 square = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const Int128 difference = Int128{a[k]} - b[k];
        square += static_cast<Uint128>(difference * difference);
    }
    return square;
}

/** Any answers, hostile ones among them. */
std::vector<std::vector<double>> all_answers() {
    std::vector<std::vector<double>> all;
    for (const double answer : {0.0, 1.0, 2.0, 3.0, -1.0, 0.5, 2.9999, -2.0, 6.0, 1e308, -1e308,
                                5e-324, -0.0, kInf, -kInf, kNan})
        all.emplace_back(kQueries, answer);
    Random random(5);
    std::vector<double> mixed(kQueries);
    for (double &answer : mixed) answer = std::floor(3.0 * random.uniform());
    all.push_back(mixed);
    return all;
}

void one_teacher_moves_the_sums_by_the_sensitivity() {
    for (const VoteRange &range : {kClasses, kNumbers})
        for (const double epsilon : {0.01, 1.0, 20.0}) {
            const Uint128 price = price_of(epsilon);
            const VoteGrid grid = privacy::plan_votes(price, range, 50, kQueries);
            const auto declared = static_cast<Uint128>(grid.integer_sensitivity);
            Uint128 most = 0;
            for (const auto &one : all_answers())
                for (const auto &other : all_answers())
                    most = std::max(most,
                                    squared_distance(integers(grid, one), integers(grid, other)));
            check_true("within", most <= declared * declared);
            check_true("reached", most > (declared - 1) * (declared - 1));
            for (const auto neighbours :
                 {privacy::Neighbours::replace, privacy::Neighbours::zero_out}) {
                const privacy::Release release = grid.release(privacy::kTarget, neighbours);
                check_true("paid", release.cost().mu_square <= price);
                check_true("all of it",
                           release.cost().totals().mu > 0.9999 * privacy::Cost{price}.totals().mu);
                check_true("as declared", release.integer_sensitivity == grid.integer_sensitivity);
            }
        }
}

void sums_of_many_teachers_stay_within_64_bits() {
    for (const int log : {20, 30}) {  // at 2^30 on a coarser grid than that of 32 bits
        const std::size_t most = std::size_t{1} << log;
        const VoteGrid grid = privacy::plan_votes(price_of(20.0), kNumbers, most, 1);
        check_true("sum", static_cast<Uint128>(grid.most) * most <= Uint128{1} << 62);
        check_true("no coarser than it must be",
                   grid.bits == 32 || static_cast<Uint128>(grid.most) * most > Uint128{1} << 60);
    }
    check_true("too many queries", status_of([] {
                                       (void)privacy::plan_votes(price_of(1e-4), kNumbers, 2,
                                                                 std::size_t{1} << 26);
                                   }) == DPA_E_OPTION);
}

void answers_become_counts_and_means() {
    const VoteGrid counts = privacy::public_votes(kClasses, 3, 2),
                   means = privacy::public_votes(kNumbers, 3, 2);
    std::vector<std::int64_t> votes(6), sums(2);
    for (const std::vector<double> &row :
         {std::vector{0.0, 2.0}, std::vector{0.0, 1.5}, std::vector{1.0, 2.0}}) {
        privacy::add_votes(counts, row, votes);
        privacy::add_votes(means, row, sums);
    }
    const std::vector<double> expected = {2, 1, 0, 0, 0, 2};
    check_true("counts", privacy::release_votes(counts, votes, {}) == expected);
    const std::vector<double> mean = privacy::release_votes(means, sums, {});
    check_true("means", std::abs(mean[0] - 1.0 / 3.0) < 1e-9 && std::abs(mean[1] - 5.5 / 3) < 1e-9);
}

linalg::MatrixView view(const std::vector<double> &answers, std::size_t queries) {
    return {answers.data(), answers.size() / queries, queries, queries, true};
}

engine::OptionValues values_of(const OptionTexts &texts) {
    engine::OptionValues values;
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return values;
}

void answers_are_paid_before_they_are_read() {
    // No answer can be read here: whatever touches one ends the test.
    const linalg::MatrixView nothing{nullptr, 10, kQueries, kQueries, true};
    const auto values = values_of({{"epsilon", "1"}, {"delta", "1e-5"}});
    std::vector<double> out(kQueries, 7.0);
    NoControl control;
    engine::Problem problem;
    const std::vector<double> answers(10 * kQueries, 1.0);
    (void)engine::release_answers(problem, view(answers, kQueries), kNumbers, values, control, out);
    const privacy::Cost cap = problem.ledger.budget()->cap;
    check_true("paid", problem.ledger.spent().totals().mu > 0.9999 * cap.totals().mu);
    check_true("one entry", problem.ledger.entries().size() == 1);
    const std::vector<double> before = out;
    check_true("once", status_of([&] {
                           (void)engine::release_answers(problem, nothing, kNumbers, values,
                                                         control, out);
                       }) == DPA_E_BUDGET);
    check_true("unchanged", out == before);
}

/** A row's teacher follows from its id, or from its place and the number of rows. */
void shards_do_not_depend_on_other_rows() {
    constexpr std::size_t kRows = 1000, kTeachers = 30;
    std::vector<double> even(kRows), first(kRows), second(kRows);
    engine::assign_shards({}, kTeachers, even);
    std::vector<int> sizes(kTeachers);
    for (const double shard : even) ++sizes.at(static_cast<std::size_t>(shard));
    const auto [least, most] = std::ranges::minmax(sizes);
    check_true("even", most - least <= 1);
    std::vector<std::int64_t> ids(kRows);
    for (std::size_t i = 0; i < kRows; ++i) ids[i] = static_cast<std::int64_t>(i / 4) - 100;
    engine::assign_shards(ids, kTeachers, first);
    for (std::size_t i = 0; i < kRows; ++i) check_true("person", first[i] == first[i / 4 * 4]);
    std::ranges::fill(sizes, 0);
    for (const double shard : first) ++sizes.at(static_cast<std::size_t>(shard));
    check_true("spread", std::ranges::max(sizes) < 100 && std::ranges::min(sizes) > 0);
    std::ranges::rotate(ids, ids.begin() + 4);
    engine::assign_shards(ids, kTeachers, second);
    for (std::size_t i = 0; i + 4 < kRows; ++i) check_true("alone", second[i] == first[i + 4]);
    check_true("none",
               status_of([&] { engine::assign_shards({}, 0, even); }) == DPA_E_INVALID_ARGUMENT);
    check_true("too many", status_of([&] { engine::assign_shards({}, kRows + 1, even); }) ==
                               DPA_E_INVALID_ARGUMENT);
}

/** Whole calls about answers in which one teacher, the third, is the opposite of another. */
struct Neighbours {
    explicit Neighbours(const VoteRange &asked) : range(asked) {
        for (std::size_t k = 0; k < 5 * kQueries; ++k) {
            const bool third = k / kQueries == 2;
            one.push_back(third ? range.high + (range.classes > 0 ? 1.0 : 0.0) : 0.0);
            other.push_back(third ? range.low : 0.0);
        }
    }

    struct Answer {
        std::vector<double> numbers;
        double deviation;
        double mu;  ///< as the ledger has it
    };
    [[nodiscard]] Answer ask(const std::vector<double> &answers, const OptionTexts &options) const {
        engine::Problem problem;
        NoControl control;
        Answer made{std::vector<double>(kQueries * std::max<std::size_t>(range.classes, 1)), 0, 0};
        made.deviation = engine::release_answers(problem, view(answers, kQueries), range,
                                                 values_of(options), control, made.numbers);
        made.mu = problem.ledger.spent().totals().mu;
        return made;
    }

    VoteRange range;
    std::vector<double> one, other;
};

/** Along the difference of the neighbours the released numbers are normal, with means that are mu
 *  deviations apart. */
void the_noise_is_what_the_ledger_says() {
    constexpr int kRuns = 10000;
    constexpr double kSide = 5e-7;
    const boost::math::normal normal;
    using Binomial = boost::math::binomial_distribution<>;
    for (const VoteRange &range : {kClasses, kNumbers}) {
        const Neighbours pair(range);
        const OptionTexts open = {{"private_domain", "none"}};
        const OptionTexts paid = {{"epsilon", "4"}, {"delta", "1e-5"}};
        const auto a = pair.ask(pair.one, open).numbers, b = pair.ask(pair.other, open).numbers;
        double norm = 0.0;
        for (std::size_t k = 0; k < a.size(); ++k) norm += std::pow(a[k] - b[k], 2);
        norm = std::sqrt(norm);
        double claimed = 0.0, told = 0.0;
        double square = 0.0;  // of the noise along the difference, in units of what is claimed
        int hits = 0, false_hits = 0;
        const double threshold = boost::math::quantile(normal, 0.98);
        for (int run = 0; run < 2 * kRuns; ++run) {
            const auto found = pair.ask(run % 2 == 0 ? pair.one : pair.other, paid);
            claimed = found.mu;
            told = norm / found.deviation;
            double along = 0.0;
            for (std::size_t k = 0; k < a.size(); ++k)
                along += (a[k] - b[k]) / norm * (found.numbers[k] - b[k]) / (norm / claimed);
            (run % 2 == 0 ? hits : false_hits) += along > threshold ? 1 : 0;
            square += std::pow(along - (run % 2 == 0 ? claimed : 0.0), 2) / (2 * kRuns);
        }
        check_true("deviation", std::abs(told / claimed - 1.0) < 1e-3);
        check_true("variance: " + std::to_string(square), std::abs(square - 1.0) < 0.06);  // 6 sd
        const double lower =
            boost::math::quantile(normal, Binomial::find_lower_bound_on_p(kRuns, hits, kSide)) -
            boost::math::quantile(normal,
                                  Binomial::find_upper_bound_on_p(kRuns, false_hits, kSide));
        const std::string what = std::to_string(lower) + " of " + std::to_string(claimed);
        check_true("not more than claimed: " + what, lower <= claimed);
        check_true("nearly all: " + what, lower > 0.6 * claimed);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(one_teacher_moves_the_sums_by_the_sensitivity),
        core_test(sums_of_many_teachers_stay_within_64_bits),
        core_test(answers_become_counts_and_means),
        core_test(answers_are_paid_before_they_are_read),
        core_test(shards_do_not_depend_on_other_rows),
        core_test(the_noise_is_what_the_ledger_says),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
