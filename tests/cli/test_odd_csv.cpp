// The corpus of odd CSV files of public rows, read by the command. Java's OddCsvTest reads it, too.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "cli/read/csv.hpp"
#include "cli/read/failure.hpp"
#include "core/core.hpp"

namespace {

using dpadapt::cli::CsvSink;

/** Its rows as the corpus writes them. */
class Rows : public CsvSink {
  public:
    void header(const std::vector<std::string> & /*names*/, char /*separator*/) override {}
    void cell(std::size_t column, std::string_view text) override {
        text_ += column > 0 ? "|" : rows_ > 0 ? " / " : "";
        text_ += text;
    }
    void end_row(std::size_t /*line*/) override { ++rows_; }
    [[nodiscard]] std::string text() const { return "rows: " + text_; }

  private:
    std::string text_;
    std::size_t rows_ = 0;
};

std::string unescaped(const std::string &text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\') {
            out += text[at];
            continue;
        }
        const char what = text[++at];
        if (what == 'x') {
            out += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
            at += 2;
        } else {
            out += what == 'n' ? '\n' : what == 'r' ? '\r' : '\t';
        }
    }
    return out;
}

std::string answer_of(const std::string &content) {
    const std::string path = "odd-csv-" + std::to_string(getpid());
    std::ofstream(path, std::ios::binary) << content;
    std::string answer;
    try {
        Rows rows;
        dpadapt::cli::read_csv(path, rows);
        answer = rows.text();
    } catch (const dpadapt::cli::Failure &failure) {
        answer = std::string("error: ") + failure.what();
    }
    std::remove(path.c_str());
    return answer;
}

void each_file_has_its_rows_or_its_error() {
    const char *const source = std::getenv("DPADAPT_SOURCE_DIR");
    check_true("DPADAPT_SOURCE_DIR", source != nullptr);
    std::ifstream in(std::string(source) + "/tests/data/odd_csv/cases.txt");
    std::size_t seen = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with('#')) continue;
        const std::string bar = " || ";
        const std::size_t first = line.find(bar);
        const std::size_t second = line.find(bar, first + bar.size());
        const std::string name = line.substr(0, first);
        const std::string wanted = unescaped(line.substr(second + bar.size()));
        const std::string got =
            answer_of(unescaped(line.substr(first + bar.size(), second - first - bar.size())));
        const std::string error = "error: ";
        const bool fits = wanted.starts_with(error)
                              ? got.starts_with(error) &&
                                    got.find(wanted.substr(error.size())) != std::string::npos
                              : got == wanted;
        if (!fits)
            std::fprintf(stderr, "%s: %s, not %s\n", name.c_str(), got.c_str(), wanted.c_str());
        check_true(name.c_str(), fits);
        ++seen;
    }
    check_true("all cases", seen > 35);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {core_test(each_file_has_its_rows_or_its_error)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
