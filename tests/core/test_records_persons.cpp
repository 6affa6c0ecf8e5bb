// Sums of persons elsewhere: rows need their persons, all rows of a person are in one part, and the
// total is that of rows in memory. A person who is in two parts is found where that can be seen.
#include "core/records.hpp"

using namespace dpadapt;

namespace {

constexpr std::size_t kCount = 40;
constexpr std::size_t kPersons = 14;

std::vector<std::int64_t> some_ids() {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < kCount; ++i)
        ids.push_back(static_cast<std::int64_t>(i * i % kPersons) - 3);
    return ids;
}

/** Requests of each kind that knows persons. */
std::vector<records::Request> requests_of_persons(std::size_t persons) {
    std::vector<records::Request> all;
    for (records::Request &request : requests(kCount)) {
        if (!records::knows_persons(request.task)) continue;
        request.records = persons;
        request.rows_per_person = 3;
        all.push_back(std::move(request));
    }
    return all;
}

/** The rows of the persons whose id leaves that remainder. */
struct Part {
    std::vector<double> x;
    std::vector<double> y;
    std::vector<std::int64_t> ids;

    Part(const Records &rows, const std::vector<std::int64_t> &of, std::int64_t parts,
         std::int64_t k) {
        for (std::size_t i = 0; i < of.size(); ++i) {
            if ((of[i] + 100) % parts != k) continue;
            const std::vector<double> row = rows.row(i);
            x.insert(x.end(), row.begin(), row.end());
            y.push_back(rows.y[i]);
            ids.push_back(of[i]);
        }
    }
    [[nodiscard]] Sample sample() const {
        return Sample::lend({x.data(), y.size(), kCols, kCols, true}, y.data());
    }
    void add_to(records::Partial &sum) const { sum.add(sample(), ids, 1); }
};

void parts_of_persons_make_the_sum_of_rows_in_memory() {
    Records rows(kCount);
    rows.x[4] = kNan;
    rows.y[11] = kInf;
    const auto ids = some_ids();
    const std::size_t persons = Persons(ids).count();
    for (const records::Request &request : requests_of_persons(persons)) {
        const Bytes written = records::write_request(request);
        check_true("rows of a person",
                   records::read_request(written).rows_per_person == request.rows_per_person);
        Sample grouped = rows.sample();
        grouped.group(std::make_shared<const Persons>(ids));
        const records::Accumulator here(grouped, request.coordinates, 1, 0, 3);
        const auto sum_here = [&](const auto &task) -> records::Sum {
            if constexpr (requires { here.sum(task); }) return here.sum(task);
            throw std::logic_error("not of persons");
        };
        const Bytes expected = bytes_of(std::visit(sum_here, request.task));
        for (const std::int64_t parts : {1, 2, 7})
            for (const bool backwards : {false, true}) {
                std::vector<Bytes> sums;
                for (std::int64_t k = 0; k < parts; ++k) {
                    records::Partial sum(written);
                    const Part part(rows, ids, parts, k);
                    if (!part.ids.empty()) part.add_to(sum);
                    sums.push_back(sum.write());
                }
                if (backwards) std::reverse(sums.begin(), sums.end());
                check_true("same sum", bytes_of(records::merge_sums(written, sums)) == expected);
            }
    }
}

void rows_and_persons_are_not_mixed_up() {
    const Records rows(kCount);
    const auto ids = some_ids();
    const Sample sample = rows.sample();
    const Sample one = sample.part(0, 1);  // for which there is room
    for (const records::Request &request : requests_of_persons(Persons(ids).count())) {
        records::Partial sum(records::write_request(request));
        check_true("rows alone", status_of([&] { sum.add(one, 1, 0); }) == DPA_E_STATE);
        records::Request of_records = request;
        of_records.rows_per_person = 0;
        of_records.records = kCount;
        records::Partial other(records::write_request(of_records));
        check_true("persons", status_of([&] { other.add(sample, ids, 1); }) == DPA_E_STATE);
        check_true("unchanged", sum.records() == 0 && other.records() == 0);
    }
    for (records::Request &request : requests(kCount)) {
        if (records::knows_persons(request.task)) continue;
        request.rows_per_person = 1;
        const Bytes written = records::write_request(request);
        check_true("no persons",
                   status_of([&] { (void)records::read_request(written); }) == DPA_E_FORMAT);
    }
}

records::Request moments_of(std::size_t persons) {
    return {mapped(), records::MomentTask{1.5, 1.0}, persons, 2};
}

void a_person_is_added_once() {
    const Records rows(kCount);
    const auto ids = some_ids();
    const Part one(rows, ids, 2, 0);
    const Part two(rows, ids, 2, 1);
    const Bytes written = records::write_request(moments_of(1000));
    records::Partial sum(written);
    one.add_to(sum);
    const Bytes before = sum.write();
    const std::uint64_t count = sum.records();
    const auto refused = [&](const std::function<void()> &work) {
        return status_of(work) == DPA_E_STATE && sum.write() == before && sum.records() == count;
    };
    check_true("again", refused([&] { one.add_to(sum); }));
    check_true("all of them", refused([&] { sum.add(rows.sample(), ids, 1); }));
    check_true("merged", refused([&] { sum.merge(before); }));
    two.add_to(sum);
    check_true("the others", sum.records() == Persons(ids).count());
    records::Partial total(written);
    total.merge(before);
    check_true("after a merge", status_of([&] { one.add_to(total); }) == DPA_E_STATE);
}

/** Of many persons a part knows all that were added to it, and of merged parts a sample. */
void many_persons_are_told_apart() {
    constexpr std::size_t kMany = 5000;
    const Records rows(kMany);
    const Bytes written = records::write_request(moments_of(3 * kMany));
    const auto ids_from = [](std::int64_t first) {
        std::vector<std::int64_t> ids(kMany);
        std::iota(ids.begin(), ids.end(), first);
        return ids;
    };
    const auto part = [&](std::int64_t first) {
        records::Partial sum(written);
        const std::vector<std::int64_t> ids = ids_from(first);
        for (std::size_t begin = 0; begin < kMany; begin += 100)
            sum.add(rows.sample().part(begin, begin + 100), std::span(ids).subspan(begin, 100), 1);
        return sum;
    };
    records::Partial one = part(0);
    const Sample row = rows.sample().part(0, 1);
    for (const std::int64_t id : {0, 1234, 4999}) {
        const std::int64_t ids[] = {id};
        check_true("each is known", status_of([&] { one.add(row, ids, 1); }) == DPA_E_STATE);
    }
    records::Partial total(written);
    total.merge(one.write());
    total.merge(part(kMany).write());
    check_true("others", total.records() == 2 * kMany);
    check_true("half of them are there",
               status_of([&] { total.merge(part(kMany / 2).write()); }) == DPA_E_STATE);
    const std::int64_t last[] = {-1};
    total.add(row, last, 1);
    check_true("one more", total.records() == 2 * kMany + 1);
}

/** Whose names are in order, at most 256. */
void damaged_names_are_refused() {
    const Bytes written = records::write_request(moments_of(9));
    const records::Partial empty(written);
    const Bytes bytes = empty.write();
    for (const std::vector<std::uint64_t> &names :
         {std::vector<std::uint64_t>{2, 1}, std::vector<std::uint64_t>(257, 3)}) {
        bytes::Writer write({{'D', 'P', 'A', 'S', 'U', 'M', 'S', '\n'}, "a private sum"});
        write(records::kRequestVersion);
        write(bytes::checksum_of(written));
        write(std::vector<std::uint64_t>{});
        write(names);
        std::visit([&](const auto &sum) { sum.write(write); }, empty.sum());
        const Bytes forged = write.finish();
        records::Partial total(written);
        check_true("damaged", status_of([&] { total.merge(forged); }) == DPA_E_FORMAT);
        total.merge(bytes);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(parts_of_persons_make_the_sum_of_rows_in_memory),
        core_test(rows_and_persons_are_not_mixed_up),
        core_test(a_person_is_added_once),
        core_test(many_persons_are_told_apart),
        core_test(damaged_names_are_refused),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
