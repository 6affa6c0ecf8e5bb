// Runs a fuzzer without libFuzzer: on every file of the folders that are named, and on that many
// changed copies of each, the same ones every time.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/fuzz.hpp"

namespace {

/** splitmix64. */
std::uint64_t next(std::uint64_t &state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/** A few bytes are others, missing or doubled. */
fuzz::Bytes changed(fuzz::Bytes bytes, std::uint64_t &state) {
    for (std::uint64_t left = 1 + next(state) % 4; left > 0 && !bytes.empty(); --left) {
        const auto place = static_cast<std::ptrdiff_t>(next(state) % bytes.size());
        const std::uint64_t length = 1 + next(state) % 8;
        const auto end = static_cast<std::ptrdiff_t>(
            std::min<std::uint64_t>(bytes.size(), static_cast<std::uint64_t>(place) + length));
        switch (next(state) % 4) {
            case 0:
                bytes[static_cast<std::size_t>(place)] = static_cast<std::uint8_t>(next(state));
                break;
            case 1:
                bytes[static_cast<std::size_t>(place)] ^=
                    static_cast<std::uint8_t>(1U << next(state) % 8);
                break;
            case 2:
                bytes.erase(bytes.begin() + place, bytes.begin() + end);
                break;
            default: {
                const fuzz::Bytes part(bytes.begin() + place, bytes.begin() + end);
                bytes.insert(bytes.begin() + place, part.begin(), part.end());
            }
        }
    }
    return bytes;
}

void run(const fuzz::Bytes &bytes) { (void)LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

}  // namespace

int main(int count, char **arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: %s COPIES FOLDER...\n", arguments[0]);
        return 2;
    }
    std::vector<std::filesystem::path> paths;
    for (int k = 2; k < count; ++k)
        for (const auto &entry : std::filesystem::directory_iterator(arguments[k]))
            if (entry.is_regular_file()) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    REQUIRE(!paths.empty());
    const int copies = std::atoi(arguments[1]);
    for (const auto &path : paths) {
        std::ifstream file(path, std::ios::binary);
        const fuzz::Bytes seed{std::istreambuf_iterator<char>(file), {}};
        std::fprintf(stderr, "%s\n", path.c_str());  // the last one is the one that failed
        run(seed);
        std::uint64_t state = seed.size();
        for (int k = 0; k < copies; ++k) run(changed(seed, state));
    }
    std::printf("%zu inputs, %d changed copies of each\n", paths.size(), copies);
    return 0;
}
