// Requests and sums as bytes: they come back as they were, parts in any division and order make the
// same sum, and what is damaged, foreign, missing or there twice is refused.
#include <numeric>

#include "base/error.hpp"
#include "core/records.hpp"
#include "records/reader.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kCount = 40;

dpa_status status_of(const std::function<void()> &work) {
    try {
        work();
    } catch (const Error &error) {
        return error.status();
    }
    return DPA_OK;
}

/** The sum of a request as bytes, whole or by parts in the order of `order`. */
Bytes merged(const records::Request &request, const Bytes &written, const Sample &sample,
             std::size_t parts, unsigned seed) {
    std::vector<Bytes> sums;
    for (std::size_t k = 0; k < parts; ++k) {
        const std::size_t begin = kCount * k / parts;
        sums.push_back(
            records::carry_out(written, sample.part(begin, kCount * (k + 1) / parts), 2, begin));
    }
    std::mt19937 random(seed);
    std::shuffle(sums.begin(), sums.end(), random);
    return std::visit(
        [&](const auto &task) {
            const auto *gradients = std::get_if<records::GradientTask>(&request.task);
            const std::size_t batch = gradients != nullptr ? gradients->batch.size() : 0;
            bytes::Writer write({{}, "a sum"});
            records::merge_sums(written, task.empty(request.coordinates.dimension()), sums,
                                batch > 0 ? batch : kCount)
                .write(write);
            return write.finish();
        },
        request.task);
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
        const Bytes whole = merged(request, written, sample, 1, 1);
        for (const std::size_t parts : {std::size_t{2}, std::size_t{7}, kCount, 2 * kCount})
            check_true("task " + std::to_string(request.task.index()) + " in " +
                           std::to_string(parts) + " parts",
                       merged(request, written, sample, parts, 3) == whole ||
                           std::holds_alternative<records::PaperTask>(request.task));
    }
}

void the_papers_losses_come_back_in_order() {
    const Records rows(kCount);
    const Sample sample = rows.sample();
    for (const records::Request &request : requests(kCount)) {
        const auto *task = std::get_if<records::PaperTask>(&request.task);
        if (task == nullptr) continue;
        const records::PaperSum expected =
            records::Accumulator(sample, request.coordinates, 1).sum(*task);
        const Bytes written = records::write_request(request);
        std::vector<Bytes> sums;
        for (const std::size_t begin : {30U, 0U, 10U, 20U})
            sums.push_back(records::carry_out(written, sample.part(begin, begin + 10), 1, begin));
        const records::PaperSum sum = records::merge_sums(
            written, task->empty(request.coordinates.dimension()), sums, kCount);
        check_true("losses", sum.losses() == expected.losses() && sum.losses().size() == kCount);
        check_true("gradient",
                   std::equal(sum.gradient().sums().begin(), sum.gradient().sums().end(),
                              expected.gradient().sums().begin()));
        std::swap(sums[0], sums[1]);
        sums[1] = sums[0];  // one part twice, another one missing
        const records::PaperSum twice = records::merge_sums(
            written, task->empty(request.coordinates.dimension()), sums, kCount);
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
        std::visit(
            [&](const auto &task) {
                check_true("a damaged sum",
                           status_of([&] {
                               (void)records::merge_sums(written, task.empty(4), {&sum, 1}, kCount);
                           }) == DPA_E_FORMAT);
            },
            request.task);
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
    changed = good[0];
    changed.coordinates = {};
    refused("no coordinates", changed);
    auto task = gradient;
    task.loss = records::ScoredLoss{kSquared, numbers(3), 2.0};
    refused("theta", {mapped(), task});
    task.loss = records::ScoredLoss{kSoftmax, numbers(12), 2.0};
    refused("several scores", {mapped(), task});
    task.loss = records::ScoredLoss{
        {.kind = loss::Kind::perceptron, .classes = 3, .hidden = {2}}, numbers(19), 1.0};
    refused("scores that are not linear", {mapped(), task});
    task = gradient;
    task.grid.most = 0;
    refused("grid", {mapped(), task});
    task.grid = vector_grid();
    task.grid.gamma = kNan;
    refused("grid unit", {mapped(), task});
    refused("loss", {mapped(),
                     records::LossTask{
                         {.kind = loss::Kind::huber, .huber_threshold = -1.0}, {numbers(4)}, 1.0}});
    refused("bound", {mapped(), records::LossTask{kLogistic, {numbers(4)}, 0.0}});
    refused("no predictors",
            {mapped(), records::ComparisonTask{kLogistic, {}, 1.0, vector_grid()}});
    refused("bound of compared losses",
            {mapped(), records::ComparisonTask{kLogistic, {numbers(4)}, kNan, vector_grid()}});
    refused("moments", {mapped(), records::MomentTask{kInf, 1.0}});
    refused("coordinates of scores", {mapped(), score_task()});
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
        return status_of([&] { (void)records::merge_sums(second, task.empty(4), parts, kCount); });
    };
    const Bytes half = records::carry_out(second, sample.part(0, 20), 1, 0);
    const Bytes other = records::carry_out(second, sample.part(20, kCount), 1, 20);
    check_true("good", status({half, other}) == DPA_OK);
    check_true(
        "of another step",
        status({half, records::carry_out(first, sample.part(20, kCount), 1, 20)}) == DPA_E_FORMAT);
    check_true("missing", status({half}) == DPA_E_FORMAT);
    check_true("too many", status({half, other, other}) == DPA_E_FORMAT);
    check_true("nothing", status({}) == DPA_E_FORMAT);
}

void a_callers_function_cannot_be_sent() {
    loss::Choice custom{.kind = loss::Kind::custom};
    custom.callback.parameters = 4;
    records::GradientTask task;
    task.loss = records::MappedLoss{custom, numbers(4), {}};
    task.grid = vector_grid();
    check_true("unsupported", status_of([&] {
                                  (void)records::write_request({mapped(), task});
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
class Answer : public Place {
  public:
    std::vector<Bytes> carry_out(std::span<const std::uint8_t> /*request*/) override {
        return sums;
    }
    std::vector<Bytes> sums;
};

void records_elsewhere_have_no_rows_here() {
    Answer place;
    const Sample sample = Sample::elsewhere(kCount, kCols, place);
    check_true("shape", sample.rows() == kCount && sample.features() == kCols);
    check_true("x", status_of([&] { (void)sample.x(); }) == DPA_E_INTERNAL);
    check_true("y", status_of([&] { (void)sample.y(); }) == DPA_E_INTERNAL);
    const records::Reader reader(sample, mapped(), 1);
    check_true("no answer", status_of([&] {
                                (void)reader.sum(records::MomentTask{1.0, 1.0});
                            }) == DPA_E_FORMAT);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(requests_come_back),
        core_test(any_parts_make_the_same_sum),
        core_test(the_papers_losses_come_back_in_order),
        core_test(damage_is_refused),
        core_test(contradictions_are_refused),
        core_test(sums_of_others_are_refused),
        core_test(a_callers_function_cannot_be_sent),
        core_test(records_of_another_shape_are_refused),
        core_test(records_elsewhere_have_no_rows_here),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
