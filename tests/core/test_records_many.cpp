// Sums of more records than memory has: parts are merged with themselves until there are up to 2^40
// records, and each integer is that of one part times as many, exactly.
#include "core/records.hpp"
#include "records/partial.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kCount = 40;
constexpr std::size_t kDoublings = 34;  // 40 * 2^34 records, above 2^39

std::vector<Int128> integers(const sums::VectorSum &sum) {
    return {sum.sums().begin(), sum.sums().end()};
}
std::vector<Int128> integers(const sums::OuterSum &sum) {
    constexpr bytes::Format kFormat{{}, "a sum"};  // packed they would leave 64 bits
    bytes::Writer write(kFormat);
    sum.write(write);
    const Bytes written = write.finish();
    bytes::Reader read(written, kFormat);
    std::uint64_t records = 0;
    std::vector<std::uint64_t> sums;
    read(records);
    read(sums);
    std::vector<Int128> all;
    for (const std::uint64_t value : sums) all.push_back(static_cast<std::int64_t>(value));
    return all;
}
std::vector<Int128> integers(const sums::MomentSum &sum) {
    std::vector<Int128> all;
    for (std::size_t j = 0; j <= sum.dimension(); ++j)
        for (std::size_t i = 0; i <= j; ++i) all.push_back(sum.sum(i, j));
    return all;
}
std::vector<Int128> integers(const sums::Tally &sum) {
    return {sum.sums().begin(), sum.sums().end()};
}
std::vector<Int128> integers(const sums::Counts &sum) {
    return {sum.seen, sum.not_finite, sum.scaled, sum.clamped_labels};
}
/** Integers as doubles, which keep 53 bits of them: doubling changes none. */
std::vector<Int128> integers(const sums::GramSum &sum) {
    std::vector<Int128> all;
    for (const double value : sum.sums()) all.push_back(static_cast<Int128>(std::ldexp(value, 70)));
    return all;
}
std::vector<Int128> integers(const auto & /*others*/) { return {}; }

/** As coarse a grid as so many records need. */
void make_room(records::Task &task, std::uint64_t records) {
    const auto room = static_cast<std::int64_t>((std::uint64_t{1} << 62) / records);
    const auto vector = [&](privacy::VectorGrid &grid) {
        grid.most = std::min(grid.most, room);
        grid.gamma = 1.0 / static_cast<double>(grid.most);
    };
    if (auto *gradient = std::get_if<records::GradientTask>(&task)) vector(gradient->grid);
    if (auto *comparison = std::get_if<records::ComparisonTask>(&task)) vector(comparison->grid);
    if (auto *errors = std::get_if<records::ErrorTask>(&task)) vector(errors->grid);
    if (auto *outer = std::get_if<records::OuterTask>(&task))
        outer->grid.length = static_cast<std::int64_t>(std::sqrt(static_cast<double>(room)));
}

Bytes doubled(const Bytes &written, Bytes sum, std::size_t times) {
    for (std::size_t k = 0; k < times; ++k) {
        records::Partial total(written);
        total.merge(sum);
        total.merge(sum);
        sum = total.write();
    }
    return sum;
}

void doubled_parts_have_doubled_integers() {
    const Records rows(kCount);
    for (records::Request request : requests(kCount)) {
        if (records::knows_numbers(request.task)) continue;
        const bool tally = std::holds_alternative<records::LossTask>(request.task) ||
                           std::holds_alternative<records::ScoreTask>(request.task);
        const std::size_t times = tally ? 26 : kDoublings;
        request.records = std::uint64_t{kCount} << times;
        check_true("more than in memory", request.records > std::uint64_t{1} << 31);
        make_room(request.task, request.records);
        const Bytes written = records::write_request(request);
        records::Partial once(written);
        once.add(rows.sample(), 1, 0);
        records::Partial all(written);
        all.merge(doubled(written, once.write(), times));
        check_true("records", all.records() == request.records);
        const auto of = [](const records::Partial &sum) {
            return std::visit([](const auto &any) { return integers(any); }, sum.sum());
        };
        const std::vector<Int128> one = of(once);
        const std::vector<Int128> many = of(all);
        for (std::size_t k = 0; k < one.size(); ++k)
            check_true("exact", many[k] == one[k] * (Int128{1} << times));
        const Bytes full = all.write();
        check_true("full", status_of([&] { all.merge(once.write()); }) == DPA_E_STATE);
        check_true("unchanged", all.write() == full);
    }
}

/** Each record at its bound, as many as there may be: 2^62, and one more unit is too much. */
void the_largest_sum_is_released() {
    constexpr std::uint64_t kMost = records::kMostRecords;
    for (const std::int64_t most : {std::int64_t{1} << 22, (std::int64_t{1} << 22) + 1}) {
        const privacy::VectorGrid grid{24, most, 1.0 / static_cast<double>(most)};
        sums::VectorSum sum(1, grid);
        const double whole[] = {1.0};
        sum.add(whole);
        while (sum.records() < kMost) {
            const sums::VectorSum same = sum;
            sum.merge(same);
        }
        const std::int64_t noise[] = {-5};
        if (most == std::int64_t{1} << 22) {
            check_true("sum", sum.sums()[0] == std::int64_t{1} << 62);
            check_true("release", sum.release(noise, kMost)[0] == 0x1p40);
        } else {
            check_true("too many", status_of([&] { (void)sum.release(noise, kMost); }) != DPA_OK);
        }
    }
}

/** A request whose sum could leave its integers is none. */
void requests_without_room_are_refused() {
    for (records::Request request : requests(kCount)) {
        if (records::knows_numbers(request.task)) continue;
        const auto status = [&](std::uint64_t records) {
            request.records = records;
            return status_of([&] { (void)records::read_request(records::write_request(request)); });
        };
        const bool fine = std::visit(
            [](const auto &task) {
                return requires { task.grid; };
            },
            request.task);
        if (fine) check_true("too fine", status(records::kMostRecords) == DPA_E_FORMAT);
        make_room(request.task, records::kMostRecords);
        const bool tally = std::holds_alternative<records::LossTask>(request.task) ||
                           std::holds_alternative<records::ScoreTask>(request.task);
        const std::uint64_t most = tally ? sums::Tally::kMostRecords : records::kMostRecords;
        check_true("room", status(most) == DPA_OK);
        check_true("no room", status(most + 1) == DPA_E_FORMAT);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(doubled_parts_have_doubled_integers),
        core_test(the_largest_sum_is_released),
        core_test(requests_without_room_are_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
