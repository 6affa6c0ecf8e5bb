// Private files with damaged rows, read as the command reads them.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "cli/read/failure.hpp"
#include "cli/read/samples.hpp"
#include "core/core.hpp"

namespace mutated {

using dpadapt::cli::Sample;

constexpr std::size_t kRows = 24;
constexpr std::size_t kFixed = 30;
const std::vector<std::string> kFeatures = {"a", "b", "c"};

/** Removed at the end. */
class File {
  public:
    File() {
        std::string name = "mutated-XXXXXX";
        const int file = mkstemp(name.data());
        check_true("file", file >= 0);
        close(file);
        path_ = name;
    }
    File(const File &) = delete;
    File &operator=(const File &) = delete;
    ~File() { std::remove(path_.c_str()); }

    /** Any message would be a Failure, whose text and status a private row must not decide. */
    [[nodiscard]] Sample read(const std::vector<std::string> &lines, std::size_t rows) const {
        {
            std::ofstream out(path_, std::ios::binary);
            out << "a,b,c,y\n";
            for (const std::string &line : lines) out << line << '\n';
        }
        return dpadapt::cli::read_sample(path_, dpadapt::schema::Schema::plain(kFeatures), {"y"},
                                         true, rows);
    }

  private:
    std::string path_;
};

using Random = std::mt19937_64;

inline std::size_t below(Random &random, std::size_t bound) { return random() % bound; }

/** What readers of CSV stumble over, and bytes of any kind. */
inline std::string piece(Random &random) {
    static const std::vector<std::string> kPieces = {"\"",
                                                     "\"\"",
                                                     ",",
                                                     ",,",
                                                     "",
                                                     " ",
                                                     "\t",
                                                     "\r",
                                                     "\r\r",
                                                     std::string(1, '\0'),
                                                     "NA",
                                                     "nan",
                                                     "-inf",
                                                     "1e999",
                                                     "1e-999",
                                                     "0x1p3",
                                                     "1,5",
                                                     "1.5.5",
                                                     "--1",
                                                     "\xef\xbb\xbf",
                                                     "\xff\xfe",
                                                     "\x1f\x8b\x08",
                                                     "4\"5",
                                                     "\"0.2,0.3",
                                                     "#",
                                                     "'",
                                                     "\\\"",
                                                     ";",
                                                     "source",
                                                     "target",
                                                     "a,b,c,y",
                                                     std::string(300, '"'),
                                                     std::string(300, ','),
                                                     std::string(5000, '9')};
    if (below(random, 4) == 0) return std::string(1, static_cast<char>(random() % 256));
    return kPieces[below(random, kPieces.size())];
}

/** @param one_line  Whether what comes out is one line as well. */
inline std::string mutated(std::string line, Random &random, bool one_line) {
    for (std::size_t k = 1 + below(random, 3); k > 0; --k) {
        const std::size_t at = below(random, line.size() + 1);
        const std::size_t length = below(random, 2) == 0 ? 0 : below(random, line.size() - at + 1);
        line.replace(at, length, below(random, 20) == 0 && !one_line ? "\n" : piece(random));
    }
    if (one_line)
        for (char &c : line)
            if (c == '\n') c = ' ';
    return line;
}

inline bool same_bits(const double *a, const double *b, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k)
        if (!(a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k])))) return false;
    return true;
}

inline std::vector<std::string> good_lines() {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < kRows; ++i) {
        const auto number = std::to_string(0.125 * static_cast<double>(i + 1));
        lines.push_back(number + ",0.5,-" + number + ",1.25");
    }
    return lines;
}

/** One row is damaged: sizes stay, and so does every other row, to the last bit. */
inline void one_row_changes_nothing_else(std::size_t files, std::uint64_t seed) {
    Random random(seed);
    const File file;
    const std::vector<std::string> lines = good_lines();
    const Sample good = file.read(lines, 0);
    check_true("rows", good.y.size() == kRows && good.x.size() == 3 * kRows);
    for (std::size_t k = 0; k < files; ++k) {
        std::vector<std::string> bad = lines;
        const std::size_t row = below(random, kRows);
        bad[row] = mutated(bad[row], random, true);
        Sample found;
        try {
            found = file.read(bad, 0);
        } catch (const dpadapt::cli::Failure &failure) {
            check_true("file " + std::to_string(k) + ": " + failure.what() + ": " + bad[row],
                       false);
            return;
        }
        bool same = found.y.size() == kRows && found.x.size() == 3 * kRows;
        for (std::size_t i = 0; same && i < kRows; ++i)
            if (i != row)
                same = same_bits(&found.x[3 * i], &good.x[3 * i], 3) && found.y[i] == good.y[i];
        if (!same) check_true("file " + std::to_string(k) + ": " + bad[row], false);
        if (!same) return;
    }
}

/** Any rows are, lines break and join: with --rows nothing that a caller sees is different. */
inline void a_fixed_number_of_rows_holds(std::size_t files, std::uint64_t seed) {
    Random random(seed);
    const File file;
    const std::vector<std::string> lines = good_lines();
    for (std::size_t k = 0; k < files; ++k) {
        std::vector<std::string> bad = lines;
        bad.resize(below(random, kRows + 1));
        for (std::string &line : bad)
            if (below(random, 3) == 0) line = mutated(line, random, false);
        try {
            const Sample found = file.read(bad, kFixed);
            if (found.y.size() == kFixed && found.x.size() == 3 * kFixed) continue;
            check_true("file " + std::to_string(k) + " has other sizes", false);
        } catch (const dpadapt::cli::Failure &failure) {
            check_true("file " + std::to_string(k) + ": " + failure.what(), false);
        }
        return;
    }
}

}  // namespace mutated
