// Selection by private rows: integers, coins, price, and what leaves.
#include <boost/math/distributions/chi_squared.hpp>

#include "privacy/permute_and_flip.hpp"
#include "privacy/replay.hpp"
#include "select/private_selection.hpp"

using namespace dpadapt;
using privacy::kMostScore;
using select::PrivateSelection;

namespace {

const OptionTexts kOptions = {
    {"selection_epsilon", "1"}, {"selection_bound", "4"}, {"unsafe_seed", "1"}};

/** Scores a linear function of the features for each output. */
Solution predictor(const loss::Choice &choice, const std::vector<double> &w, double intercept) {
    Solution solution;
    solution.loss = choice;
    solution.coordinates.center.assign(w.size(), 0.0);
    for (std::size_t k = 0; k < solution.outputs(); ++k) {
        solution.coefficients.insert(solution.coefficients.end(), w.begin(), w.end());
        solution.intercept.push_back(intercept * static_cast<double>(k + 1));
        solution.coefficients[k * w.size()] += static_cast<double>(k);
    }
    return solution;
}

const loss::Choice kSquared{.kind = loss::Kind::squared};
const loss::Choice kLogistic{.kind = loss::Kind::logistic};
const loss::Choice kSoftmax{.kind = loss::Kind::softmax, .classes = 3};

std::vector<const Solution *> pointers(const std::vector<Solution> &candidates) {
    std::vector<const Solution *> list;
    for (const Solution &candidate : candidates) list.push_back(&candidate);
    return list;
}

/** Index that leaves. */
std::size_t choose(const Sample &rows, const std::vector<Solution> &candidates, SelectionLoss loss,
                   const OptionTexts &options, privacy::ReleaseTrace *trace = nullptr) {
    NoControl control;
    privacy::Ledger ledger;
    PrivateSelection selection(rows, settings_of(options, Wanted::fit), loss, candidates.size());
    selection.charge(ledger);
    return selection.release(pointers(candidates), control, trace);
}

/** By its definition: in every order, the first candidate whose coin shows heads. */
std::vector<double> exact_probabilities(const std::vector<double> &heads) {
    std::vector<double> probability(heads.size());
    std::vector<std::size_t> order(heads.size());
    double orders = 0.0;
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
        double none_yet = 1.0;
        for (const std::size_t k : order) {
            probability[k] += none_yet * heads[k];
            none_yet *= 1.0 - heads[k];
        }
        orders += 1.0;
    } while (std::next_permutation(order.begin(), order.end()));
    for (double &p : probability) p /= orders;
    return probability;
}

void check_distribution(const std::string &what, const std::vector<double> &counts,
                        const std::vector<double> &probability) {
    double total = 0.0;
    double statistic = 0.0;
    for (const double count : counts) total += count;
    for (std::size_t k = 0; k < counts.size(); ++k)
        statistic += std::pow(counts[k] - total * probability[k], 2) / (total * probability[k]);
    const boost::math::chi_squared distribution(static_cast<double>(counts.size() - 1));
    check_true(what, statistic < boost::math::quantile(distribution, 1.0 - 1e-6));
}

void it_is_permute_and_flip() {
    constexpr int kDraws = 300000;
    const std::vector<std::vector<std::int64_t>> cases = {
        {0, kMostScore},
        {7 * kMostScore, 5 * kMostScore + 12345, 5 * kMostScore},
        {kMostScore / 3, 0, 2 * kMostScore, kMostScore},
        {9, 9, 9, 9}};
    std::uint8_t first = 0;
    for (const std::vector<std::int64_t> &scores : cases)
        for (const auto &[epsilon, neighbours] : {std::pair{0.1, privacy::Neighbours::replace},
                                                  {1.0, privacy::Neighbours::replace},
                                                  {3.0, privacy::Neighbours::replace},
                                                  {1.0, privacy::Neighbours::zero_out}}) {
            // No score grows where a record is taken out, so that two move apart by half as much.
            const double share = neighbours == privacy::Neighbours::zero_out ? 1.0 : 0.5;
            std::array<std::uint8_t, random::Key::kSize> bytes{++first};
            const random::Key key = random::Key::unsafe_from_bytes(bytes);
            random::Stream stream(key, random::Purpose::selector, 0, 0);
            const privacy::Release release =
                privacy::plan_selection(epsilon, 1.0, scores.size(), privacy::kTarget, neighbours);
            std::vector<double> counts(scores.size());
            for (int i = 0; i < kDraws; ++i)
                counts[privacy::permute_and_flip(scores, release, stream)] += 1.0;
            const std::int64_t least = *std::min_element(scores.begin(), scores.end());
            std::vector<double> heads;
            for (const std::int64_t score : scores)
                heads.push_back(std::exp(-share * epsilon * static_cast<double>(score - least) /
                                         static_cast<double>(kMostScore)));
            check_distribution("epsilon " + std::to_string(epsilon), counts,
                               exact_probabilities(heads));
        }
}

void scores_are_integers_within_the_bound() {
    check_true("0", privacy::clipped_score(0.0, 4.0) == 0);
    check_true("half", privacy::clipped_score(2.0, 4.0) == kMostScore / 2);
    check_true("below", privacy::clipped_score(-1.0, 4.0) == 0);
    check_true("rounded down", privacy::clipped_score(4.0 / 3.0, 4.0) == kMostScore / 3);
    for (const double loss : {4.0, 5.0, 1e308, kInf, kNan})
        check_true("clipped", privacy::clipped_score(loss, 4.0) == kMostScore);
    for (const double bound : {5e-324, 1e-300, 1.0, 1e308})
        for (const double share : {0.0, 0.1, 0.5, 0.999999999999, 1.0, 1.5}) {
            const std::int64_t score = privacy::clipped_score(share * bound, bound);
            check_true("range", score >= 0 && score <= kMostScore);
        }
}

/** The neighbours that theory calls worst: of two candidates the second one's sum of losses is
 *  equal to the first one's, or 2 B above it. Its probability is 1/2, or e^-epsilon/2: the whole
 *  epsilon is used. */
void audit() {
    constexpr int kCalls = 30000;
    constexpr double kEpsilon = 1.0;
    const std::vector<Solution> candidates = {predictor(kLogistic, {1.0, 0.0, 0.0}, 0.0),
                                              predictor(kLogistic, {-1.0, 0.0, 0.0}, 0.0)};
    Data data{{1.0, 0.0, 0.0, -1.0, 0.0, 0.0}, {1.0, 1.0}};
    Data neighbour = data;
    neighbour.x[3] = 1.0;
    const Sample one = data.sample();
    const Sample two = neighbour.sample();
    double equal = 0.0;
    double behind = 0.0;
    for (int i = 0; i < kCalls; ++i) {
        const OptionTexts options = {{"selection_epsilon", "1"},
                                     {"unsafe_seed", std::to_string(i)}};
        equal += static_cast<double>(choose(one, candidates, SelectionLoss::error, options));
        behind += static_cast<double>(choose(two, candidates, SelectionLoss::error, options));
    }
    const double ratio = std::log(equal / behind);
    const double deviation = std::sqrt((1.0 + 2.0 * std::exp(kEpsilon) - 1.0) / kCalls);
    check_true("not above epsilon", ratio < kEpsilon + 5.0 * deviation);
    check_true("all of it is used", ratio > kEpsilon - 5.0 * deviation);
    check_true("one half", std::abs(equal / kCalls - 0.5) < 5.0 * 0.5 / std::sqrt(kCalls));
}

std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double value : {kNan, kInf, -kInf, 1e308, -1e308, 1e155, 5e-324, 0.0, 2.0, -2.0})
        for (const double label : {data.y[record], -1.0, 1.0, 2.0, 0.5, 1e300, value}) {
            all.push_back(data);
            all.back().set(record, value, label);
        }
    return all;
}

void neighbours_differ_by_at_most_one_record() {
    struct Case {
        SelectionLoss loss;
        std::vector<Solution> candidates;
    };
    const std::vector<double> w = {1.0, 2.0, 3.0};
    const std::vector<Case> cases = {
        {SelectionLoss::squared,
         {predictor(kSquared, w, 0.0), predictor(kSquared, {1e200, -1e200, 0.0}, 1.0),
          predictor(kSquared, {kNan, 0.0, 0.0}, 0.0)}},
        {SelectionLoss::error, {predictor(kLogistic, w, 0.1), predictor(kSoftmax, w, -0.1)}},
        {SelectionLoss::logistic,
         {predictor(kLogistic, w, 0.1), predictor(kLogistic, {-9.0, 0.0, 1.0}, -0.1),
          predictor(kSoftmax, w, 0.2)}}};
    for (const Case &one : cases) {
        std::int64_t furthest = 0;
        for (const std::size_t n : {1U, 2U, 700U}) {
            Data data = make_data(n, 0.3, 4);
            if (one.loss != SelectionLoss::squared)
                for (double &y : data.y) y = y > 0.0 ? 1.0 : -1.0;
            const std::size_t record = n / 2;
            Recorder first;
            const Sample sample = data.sample();
            const std::size_t chosen = choose(sample, one.candidates, one.loss, kOptions, &first);
            for (const Data &other : neighbours(data, record)) {
                Recorder second(first);
                const Sample changed = other.sample();
                const std::size_t same =
                    choose(changed, one.candidates, one.loss, kOptions, &second);
                check_true("one release, of the index alone",
                           first.entries.size() == 1 && second.entries.size() == 1 &&
                               first.entries[0].released.size() == 1 && same == chosen);
                for (std::size_t k = 0; k < one.candidates.size(); ++k) {
                    const std::int64_t a = first.entries[0].integers[k];
                    const std::int64_t b = second.entries[0].integers[k];
                    const std::int64_t most = static_cast<std::int64_t>(n) * kMostScore;
                    check_true("range", a >= 0 && b >= 0 && a <= most && b <= most);
                    check_true("sensitivity", std::abs(a - b) <= kMostScore);
                    furthest = std::max(furthest, std::abs(a - b));
                }
            }
        }
        check_true("neighbours come near it", furthest > kMostScore / 10 * 9);
    }
}

void the_price_is_pure_and_paid_before() {
    // No row can be read here: whatever touches one ends the test.
    const Sample nothing = Sample::lend({nullptr, 50, kFeatures, kFeatures, true}, nullptr);
    const auto selection = [&](const OptionTexts &options) {
        return PrivateSelection(nothing, settings_of(options, Wanted::fit), SelectionLoss::squared,
                                3);
    };
    NoControl control;
    const std::vector<Solution> candidates(3, predictor(kSquared, {1.0, 1.0, 1.0}, 0.0));
    PrivateSelection one = selection(with(kOptions, {{"selection_epsilon", "0.3"}}));
    check_true("not before payment", status_of([&] {
                                         (void)one.release(pointers(candidates), control);
                                     }) == DPA_E_INTERNAL);
    privacy::Ledger ledger;
    one.charge(ledger);
    const privacy::Cost spent = ledger.spent(privacy::kTarget);
    check_true("units", spent.pure == static_cast<std::uint64_t>(std::floor(0.3 * 0x1p40)) &&
                            spent.laplace == 0 && spent.mu_square == 0);
    check_true("not of the source", ledger.spent(privacy::kSource).pure == 0);
    check_true("budget", ledger.budget()->epsilon == 0.3 && ledger.budget()->delta == 0.0);
    check_true("seeded", ledger.seeded());
    check_true("spent", status_of([&] { one.charge(ledger); }) == DPA_E_BUDGET);

    privacy::Ledger mixed;
    mixed.set_budget(privacy::make_budget(2.0, 1e-5, 0.25, 0.65));
    one.charge(mixed);
    one.charge(mixed);
    check_true("no third", status_of([&] { one.charge(mixed); }) == DPA_E_BUDGET);
    const privacy::Cost twice = mixed.spent(privacy::kTarget);
    check_true("adds", twice.pure == 2 * spent.pure);
    privacy::Ledger without;
    without.set_budget(privacy::make_budget(2.0, 1e-5, 0.25, 0.0));
    check_true("nothing kept", status_of([&] { one.charge(without); }) == DPA_E_BUDGET);
    check_true("nothing entered", without.entries().empty());

    for (const OptionTexts &options :
         {OptionTexts{{"selection_bound", "4"}}, OptionTexts{{"selection_epsilon", "1"}},
          with(kOptions, {{"selection_epsilon", "1e-13"}})})
        check_true("numbers", status_of([&] { (void)selection(options); }) == DPA_E_OPTION);
}

void a_seed_repeats_and_the_system_does_not() {
    const std::vector<Solution> equal(200, predictor(kSquared, {1.0, 1.0, 1.0}, 0.0));
    const Data data = make_data(5, 0.0, 9);
    const Sample rows = data.sample();
    const auto chosen = [&](const OptionTexts &options) {
        return choose(rows, equal, SelectionLoss::squared, options);
    };
    check_true("same seed", chosen(kOptions) == chosen(kOptions));
    OptionTexts unseeded = kOptions;
    unseeded.erase("unsafe_seed");
    std::vector<std::size_t> list;
    for (int i = 0; i < 20; ++i) list.push_back(chosen(unseeded));
    check_true("fresh keys", std::count(list.begin(), list.end(), list[0]) < 10);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(it_is_permute_and_flip),
        core_test(scores_are_integers_within_the_bound),
        core_test(audit),
        core_test(neighbours_differ_by_at_most_one_record),
        core_test(the_price_is_pure_and_paid_before),
        core_test(a_seed_repeats_and_the_system_does_not),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
