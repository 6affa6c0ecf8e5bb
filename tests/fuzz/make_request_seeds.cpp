// Writes the seeds of fuzz_request into a folder: a request of each kind, and its sum. To be run
// again when the format of requests changes.
#include <fstream>
#include <set>

#include "core/carry_out.hpp"
#include "core/records.hpp"

int main(int count, char **arguments) {
    if (count != 2) return 2;
    constexpr std::size_t kRows = 6;
    const Records rows(kRows);
    std::size_t number = 0;
    const auto write = [&](const dpadapt::Bytes &written, const dpadapt::Bytes &sum) {
        std::ofstream file(std::string(arguments[1]) + "/task-" + std::to_string(number++),
                           std::ios::binary);
        file.put(static_cast<char>(written.size() & 255))
            .put(static_cast<char>(written.size() >> 8));
        for (const dpadapt::Bytes &part : {written, sum})
            file.write(reinterpret_cast<const char *>(part.data()),
                       static_cast<std::streamsize>(part.size()));
    };
    std::set<std::size_t> kinds;
    constexpr std::int64_t kIds[kRows] = {1, 2, 1, 3, 1, 2};
    for (records::Request request : requests(kRows)) {
        const dpadapt::Bytes written = records::write_request(request);
        write(written, records::carry_out(written, rows.sample(), 1, 0));
        // Of each kind one for persons.
        if (!records::knows_persons(request.task) || !kinds.insert(request.task.index()).second)
            continue;
        request.rows_per_person = 2;
        request.records = 3;
        const dpadapt::Bytes of_persons = records::write_request(request);
        records::Partial sum(of_persons);
        sum.add(rows.sample(), kIds, 1);
        write(of_persons, sum.write());
    }
    return 0;
}
