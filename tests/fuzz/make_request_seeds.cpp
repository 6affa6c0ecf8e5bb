// Writes the seeds of fuzz_request into a folder: a request of each kind, and its sum. To be run
// again when the format of requests changes.
#include <fstream>

#include "core/records.hpp"
#include "records/partial.hpp"

int main(int count, char **arguments) {
    if (count != 2) return 2;
    constexpr std::size_t kRows = 6;
    const Records rows(kRows);
    std::size_t number = 0;
    for (const records::Request &request : requests(kRows)) {
        const dpadapt::Bytes written = records::write_request(request);
        const dpadapt::Bytes sum = records::carry_out(written, rows.sample(), 1, 0);
        std::ofstream file(std::string(arguments[1]) + "/task-" + std::to_string(number++),
                           std::ios::binary);
        file.put(static_cast<char>(written.size() & 255))
            .put(static_cast<char>(written.size() >> 8));
        for (const dpadapt::Bytes &part : {written, sum})
            file.write(reinterpret_cast<const char *>(part.data()),
                       static_cast<std::streamsize>(part.size()));
    }
    return 0;
}
