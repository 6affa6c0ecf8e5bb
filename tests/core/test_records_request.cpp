// Requests and sums as bytes: they come back as they were, parts in any division and order make the
// same sum, and what is damaged, foreign, missing or there twice is refused.

#include "core/carry_out.hpp"
#include "core/records.hpp"
#include "records/reader.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kCount = 40;

/** The sum of a request as bytes, whole or by parts in the order of `order`. */
Bytes merged(const Bytes &written, const Sample &sample, std::size_t parts, unsigned seed) {
    std::vector<Bytes> sums;
    for (std::size_t k = 0; k < parts; ++k) {
        const std::size_t begin = kCount * k / parts;
        sums.push_back(
            records::carry_out(written, sample.part(begin, kCount * (k + 1) / parts), 2, begin));
    }
    std::mt19937 random(seed);
    std::shuffle(sums.begin(), sums.end(), random);
    return bytes_of(records::merge_sums(written, sums));
}

void requests_come_back() {
    for (const records::Request &request : requests(kCount)) {
        const Bytes written = records::write_request(request);
        const records::Request read = records::read_request(written);
        check_true("same kind", read.task.index() == request.task.index());
        check_true("same bytes", records::write_request(read) == written);
    }
}

void any_parts_make_the_same_sum() {
    Records rows(kCount);
    rows.x[4] = kNan;
    rows.y[11] = kInf;
    const Sample sample = rows.sample();
    for (const records::Request &request : requests(kCount)) {
        const Bytes written = records::write_request(request);
        const Bytes whole = merged(written, sample, 1, 1);
        for (const std::size_t parts : {std::size_t{2}, std::size_t{7}, kCount, 2 * kCount})
            check_true("task " + std::to_string(request.task.index()) + " in " +
                           std::to_string(parts) + " parts",
                       merged(written, sample, parts, 3) == whole ||
                           std::holds_alternative<records::PaperTask>(request.task));
    }
}

void the_papers_losses_come_back_in_order() {
    const Records rows(kCount);
    const Sample sample = rows.sample();
    for (const records::Request &request : requests(kCount)) {
        const auto *task = std::get_if<records::PaperTask>(&request.task);
        if (task == nullptr) continue;
        const sums::PaperSum expected =
            records::Accumulator(sample, request.coordinates, 1).sum(*task);
        const Bytes written = records::write_request(request);
        std::vector<Bytes> sums;
        for (const std::size_t begin : {30U, 0U, 10U, 20U})
            sums.push_back(records::carry_out(written, sample.part(begin, begin + 10), 1, begin));
        const auto sum = std::get<sums::PaperSum>(records::merge_sums(written, sums));
        check_true("losses", sum.losses() == expected.losses() && sum.losses().size() == kCount);
        check_true("gradient",
                   std::equal(sum.gradient().sums().begin(), sum.gradient().sums().end(),
                              expected.gradient().sums().begin()));
        std::swap(sums[0], sums[1]);
        sums[1] = sums[0];  // one part twice, another one missing
        const auto twice = std::get<sums::PaperSum>(records::merge_sums(written, sums));
        check_true("twice", status_of([&] { (void)twice.losses(); }) == DPA_E_INTERNAL);
    }
}

void damage_is_refused() {
    const Records rows(kCount);
    const Sample sample = rows.sample();
    for (const records::Request &request : requests(kCount)) {
        const Bytes written = records::write_request(request);
        for (std::size_t k = 0; k < written.size(); k += 7) {
            Bytes damaged = written;
            damaged[k] ^= 0x10;
            check_true("byte " + std::to_string(k),
                       status_of([&] { (void)records::read_request(damaged); }) == DPA_E_FORMAT);
        }
        for (const std::size_t size : {std::size_t{0}, std::size_t{7}, written.size() - 1}) {
            const std::span<const std::uint8_t> cut = std::span(written).first(size);
            check_true("cut", status_of([&] { (void)records::read_request(cut); }) == DPA_E_FORMAT);
        }
        Bytes sum = records::carry_out(written, sample, 1, 0);
        check_true("a sum is no request",
                   status_of([&] { (void)records::read_request(sum); }) == DPA_E_FORMAT);
        sum[sum.size() / 2] ^= 1;
        check_true("a damaged sum", status_of([&] {
                                        (void)records::merge_sums(written, {&sum, 1});
                                    }) == DPA_E_FORMAT);
    }
}

/** Good checksums, but numbers that contradict each other. */
void contradictions_are_refused() {
    const auto refused = [](const std::string &what, const records::Request &request) {
        const Bytes written = records::write_request(request);
        check_true(what, status_of([&] { (void)records::read_request(written); }) == DPA_E_FORMAT);
    };
    const std::vector<records::Request> good = requests(kCount);
    const auto gradient = std::get<records::GradientTask>(good[0].task);
    auto changed = good[0];
    changed.coordinates.scale.resize(2);
    refused("scale", changed);
    changed = good[0];
    changed.coordinates.map.eye(3, 3);
    refused("map", changed);
    changed = good[0];
    changed.coordinates = layered();
    changed.coordinates.hidden.weights.resize(11);
    refused("weights of hidden units", changed);
    changed.coordinates.hidden.units = {0};
    refused("no hidden units", changed);
    for (const records::CountedLengths &lengths : std::vector<records::CountedLengths>{
             {0.0, 0.5}, {1.0, 0.5}, {kNan, 0.5}, {0.15, -1.0}, {0.15, kNan}, {0.15, -kInf}}) {
        changed = good[0];
        auto counted = gradient;
        counted.weighting = lengths;
        changed.task = counted;
        refused("counted lengths", changed);
    }
    for (const double bound : {-1.0, kNan, kInf}) {
        changed = good[0];
        changed.coordinates.weight_bound = bound;
        refused("bound of weights", changed);
    }
    changed = good[0];
    changed.coordinates = {};
    refused("no coordinates", changed);
    auto task = gradient;
    task.loss = records::ScoredLoss{kSquared, numbers(3), 2.0};
    const auto refused_task = [&](const std::string &what, const records::Task &of) {
        refused(what, {mapped(), of, kCount});
    };
    refused_task("theta", task);
    task.loss = records::ScoredLoss{kSoftmax, numbers(12), 2.0};
    refused_task("several scores", task);
    task.loss = records::ScoredLoss{
        {.kind = loss::Kind::perceptron, .classes = 3, .hidden = {2}}, numbers(19), 1.0};
    refused_task("scores that are not linear", task);
    task = gradient;
    task.grid.most = 0;
    refused_task("grid", task);
    task.grid = vector_grid();
    task.grid.gamma = kNan;
    refused_task("grid unit", task);
    refused_task(
        "loss",
        records::LossTask{{.kind = loss::Kind::huber, .huber_threshold = -1.0}, {numbers(4)}, 1.0});
    refused_task("bound", records::LossTask{kLogistic, {numbers(4)}, 0.0});
    for (const double bound : {0.0, 3.0, -2.0, kNan, kInf, 1e-300})
        refused_task("bound of a grid", records::GramTask{{1.0, 1.0, 1.0, 1.0, bound}});
    refused_task("too few bounds of a grid", records::GramTask{{1.0, 1.0, 1.0, 1.0}});
    for (const std::size_t most : {std::size_t{0}, records::SurveyTask::kMostRows + 1})
        refused("rows of a survey", {plain(), records::SurveyTask{most}, kCount});
    refused_task("a survey in coordinates", records::SurveyTask{3});
    refused_task("no predictors", records::ComparisonTask{kLogistic, {}, 1.0, vector_grid()});
    refused_task("bound of compared losses",
                 records::ComparisonTask{kLogistic, {numbers(4)}, kNan, vector_grid()});
    refused_task("more labels than records",
                 records::ComparisonTask{kLogistic, {numbers(4)}, 1.0, vector_grid(), 1.0});
    refused_task("a count by a loss of the caller's",
                 records::ComparisonTask{{.kind = loss::Kind::votes}, {}, 1.0, vector_grid(), 1.0});
    refused_task("more coordinates than a sum has",
                 records::ComparisonTask{
                     kLogistic, {numbers(4)}, 1.0, vector_grid(), 0.5, (std::size_t{1} << 20) + 1});
    refused_task("moments", records::MomentTask{kInf, 1.0});
    refused_task("coordinates of scores", score_task());
    for (const double bad : {0.0, -1.0, kNan, kInf}) {
        const records::ScoredLoss scored{kSquared, numbers(4), 2.0};
        refused_task("clip", records::OuterTask{records::ClippedByLoss{scored, bad, 2.0, false},
                                                {40, 1 << 20}});
        refused_task(
            "largest clip",
            records::OuterTask{records::ClippedByLoss{scored, 0.5, bad, true}, {40, 1 << 20}});
    }
}

/** The same of solutions whose scores or errors are asked for. */
void contradicting_solutions_are_refused() {
    const auto refused = [](const std::string &what, const records::Task &task) {
        const Bytes written = records::write_request({{}, task, kCount});
        check_true(what, status_of([&] { (void)records::read_request(written); }) == DPA_E_FORMAT);
    };
    const auto narrow = [](Solution &solution) {
        solution.coordinates.center.resize(kCols - 1);
        solution.coordinates.scale.resize(kCols - 1);
        solution.coefficients.resize(kCols - 1);
    };
    records::ScoreTask scores = score_task();
    narrow(scores.candidates[1]);
    refused("scores of other features", scores);
    const records::ErrorTask good = error_task(kLogistic, false);
    records::ErrorTask errors = good;
    errors.solutions.clear();
    refused("no solutions", errors);
    errors = good;
    errors.edges.pop_back();
    refused("edges of fewer solutions", errors);
    errors = good;
    errors.areas.pop_back();
    refused("areas of fewer solutions", errors);
    errors = good;
    narrow(errors.solutions[1]);
    refused("errors of other features", errors);
    errors = good;
    errors.solutions[1].loss = kSquared;
    refused("classes and numbers", errors);
    errors = good;
    errors.edges[1] = {1.0, 0.5};
    refused("edges in no order", errors);
    errors = good;
    errors.areas[1].resize(3);
    refused("areas of other bins", errors);
    errors = good;
    errors.bound = 0.0;
    refused("bound of errors", errors);
}

void sums_of_others_are_refused() {
    const Records rows(kCount);
    const Sample sample = rows.sample();
    records::Request request = requests(kCount)[0];
    auto &task = std::get<records::GradientTask>(request.task);
    const Bytes first = records::write_request(request);
    std::get<records::ScoredLoss>(task.loss).theta(0) += 1e-9;  // another step
    const Bytes second = records::write_request(request);
    const auto status = [&](const std::vector<Bytes> &parts) {
        return status_of([&] { (void)records::merge_sums(second, parts); });
    };
    const Bytes half = records::carry_out(second, sample.part(0, 20), 1, 0);
    const Bytes other = records::carry_out(second, sample.part(20, kCount), 1, 20);
    check_true("good", status({half, other}) == DPA_OK);
    check_true(
        "of another step",
        status({half, records::carry_out(first, sample.part(20, kCount), 1, 20)}) == DPA_E_FORMAT);
    check_true("missing", status({half}) == DPA_E_CALLBACK);
    check_true("too many", status({half, other, other}) == DPA_E_STATE);
    check_true("nothing", status({}) == DPA_E_CALLBACK);
}

/** What a record adds to an integer of the sum, at most; 0 where it adds none. */
Uint128 most_of(const records::Task &task) {
    const auto most = []<typename Of>(const Of &of) -> Uint128 {
        if constexpr (requires { of.grid.most; }) return static_cast<Uint128>(of.grid.most);
        if constexpr (requires { of.grid.length; })
            return static_cast<Uint128>(Int128{of.grid.length} * of.grid.length);
        if constexpr (std::same_as<typename Of::Sum, sums::Tally>) return 1U << 30;
        if constexpr (std::same_as<Of, records::MomentTask>) return Uint128{1} << 60;
        if constexpr (std::same_as<Of, records::GramTask>) return Uint128{1} << 84;
        return 0;
    };
    return std::visit(most, task);
}

/** A part of three records with that first integer, and nothing else. */
Bytes part_of_three(const Bytes &request, Int128 integer) {
    constexpr bytes::Format kSum{{'D', 'P', 'A', 'S', 'U', 'M', 'S', '\n'}, "a private sum"};
    const records::Partial empty(request);
    const Bytes written = empty.write();
    bytes::Reader read(written, kSum);
    std::vector<std::uint64_t> numbers;
    while (!read.is_at_end()) read(numbers.emplace_back());
    const bool digest = std::holds_alternative<records::GramSum>(empty.sum());
    const bool halves = digest || std::holds_alternative<sums::MomentSum>(empty.sum());
    auto number = numbers.begin() + 4;  // after the version, the request, and no names
    *number = 3;
    number += digest ? 3 : 2;
    if (halves) *number++ = static_cast<std::uint64_t>(static_cast<Uint128>(integer) >> 64);
    *number = static_cast<std::uint64_t>(integer);
    bytes::Writer write(kSum);
    for (const std::uint64_t each : numbers) write(each);
    return write.finish();
}

void integers_beyond_their_records_are_refused() {
    for (const records::Request &request : requests(kCount)) {
        const auto most = 3 * static_cast<Int128>(most_of(request.task));
        if (most == 0) continue;
        const Bytes written = records::write_request(request);
        for (const Int128 integer : {most, most + 1, -most - 1, 2 * most}) {
            records::Partial total(written);
            const Bytes part = part_of_three(written, integer);
            const bool possible = integer == most;
            check_true("task " + std::to_string(request.task.index()),
                       status_of([&] { total.merge(part); }) == (possible ? DPA_OK : DPA_E_FORMAT));
            check_true("records", total.records() == (possible ? 3U : 0U));
        }
    }
}

void a_named_part_counts_once() {
    const Records rows(kCount);
    const Sample sample = rows.sample();
    const Bytes request = records::write_request(requests(kCount)[0]);
    const auto part = [&](std::uint64_t name, std::size_t begin, std::size_t end) {
        records::Partial sum(request);
        sum.name(name);
        sum.add(sample.part(begin, end), 1, begin);
        return sum.write();
    };
    const std::vector<Bytes> parts{part(7, 0, 10), part(3, 10, 25), part(9, 25, kCount)};
    check_true("each once", records::merge_sums(request, parts).index() == 0);
    records::Partial two(request);
    two.merge(parts[0]);
    two.merge(parts[1]);
    const auto twice = [&](const Bytes &more) {
        return status_of([&] { two.merge(more); }) == DPA_E_STATE && two.records() == 25;
    };
    check_true("a part that is in it", twice(parts[1]));
    check_true("another sum of that name", twice(part(7, 25, kCount)));
    records::Partial of_two(request);
    of_two.merge(two.write());
    check_true("names travel", status_of([&] { of_two.name(3); }) == DPA_E_STATE);
}

void there_is_no_room_for_more_records() {
    const Records rows(kCount);
    const Sample sample = rows.sample();
    for (const records::Request &request : requests(kCount)) {
        if (std::holds_alternative<records::PaperTask>(request.task)) continue;
        records::Partial sum(records::write_request(request));
        sum.add(sample, 1, 0);
        const Bytes before = sum.write();
        check_true("full", sum.records() == request.records);
        const Sample one = sample.part(7, 8);
        const bool batch = request.records < kCount;
        if (!batch) check_true("no room", status_of([&] { sum.add(one, 1, 0); }) == DPA_E_STATE);
        check_true("no room to merge", status_of([&] { sum.merge(before); }) == DPA_E_STATE);
        records::Partial more = sum.without_records();
        more.add(sample, 1, 0);
        check_true("no room to add", status_of([&] { sum.merge(more); }) == DPA_E_STATE);
        check_true("unchanged", sum.write() == before);
    }
}

void a_callers_function_cannot_be_sent() {
    loss::Choice custom{.kind = loss::Kind::custom};
    custom.callback.parameters = 4;
    records::GradientTask task;
    task.loss = records::MappedLoss{custom, numbers(4), {}};
    task.grid = vector_grid();
    check_true("unsupported", status_of([&] {
                                  (void)records::write_request({mapped(), task, kCount});
                              }) == DPA_E_UNSUPPORTED);
}

void records_of_another_shape_are_refused() {
    const Records rows(kCount);
    const Sample narrow =
        Sample::lend({rows.x.data(), kCount, kCols - 1, kCols, true}, rows.y.data());
    const Sample sample = rows.sample();
    for (const records::Request &request : requests(kCount)) {
        const Bytes written = records::write_request(request);
        check_true("features", status_of([&] {
                                   (void)records::carry_out(written, narrow, 1, 0);
                               }) == DPA_E_DIMENSION);
        if (!std::holds_alternative<records::PaperTask>(request.task)) continue;
        check_true("records", status_of([&] { (void)records::carry_out(written, sample, 1, 1); }) ==
                                  DPA_E_DIMENSION);
    }
}

/** Answers with what it is told. */
class Answer : public RemoteRecords {
  public:
    std::vector<Bytes> carry_out(std::span<const std::uint8_t> /*request*/) override {
        return sums;
    }
    std::vector<Bytes> sums;
};

void records_elsewhere_have_no_rows_here() {
    Answer place;
    const Sample sample =
        Sample::elsewhere(kCount, kCols, {std::shared_ptr<RemoteRecords>(), &place});
    check_true("shape", sample.rows() == kCount && sample.features() == kCols);
    check_true("x", status_of([&] { (void)sample.x(); }) == DPA_E_UNSUPPORTED);
    check_true("y", status_of([&] { (void)sample.y(); }) == DPA_E_UNSUPPORTED);
    const records::Reader reader(sample, mapped(), 1);
    check_true("no answer", status_of([&] {
                                (void)reader.sum(records::MomentTask{1.0, 1.0});
                            }) == DPA_E_CALLBACK);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(requests_come_back),
        core_test(any_parts_make_the_same_sum),
        core_test(the_papers_losses_come_back_in_order),
        core_test(damage_is_refused),
        core_test(contradictions_are_refused),
        core_test(contradicting_solutions_are_refused),
        core_test(sums_of_others_are_refused),
        core_test(integers_beyond_their_records_are_refused),
        core_test(a_named_part_counts_once),
        core_test(there_is_no_room_for_more_records),
        core_test(a_callers_function_cannot_be_sent),
        core_test(records_of_another_shape_are_refused),
        core_test(records_elsewhere_have_no_rows_here),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
