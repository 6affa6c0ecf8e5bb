#include "cli/rows.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

std::size_t parse(const std::string &flag, const std::string &text) {
    int rows = 0;
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, rows);
    if (error != std::errc{} || stop != end || rows < 1) {
        throw Failure(kUsage, flag + " needs a number from 1 to " +
                                  std::to_string(std::numeric_limits<int>::max()) + ", not \"" +
                                  text + '"');
    }
    return static_cast<std::size_t>(rows);
}

/** As many numbers as there are private samples. */
void check_count(const std::string &flag, std::size_t numbers, std::size_t samples) {
    if (samples == 0) throw Failure(kUsage, flag + " is for private rows, and no row is private");
    if (numbers == samples) return;
    throw Failure(kUsage, flag + (samples == 1 ? " needs one number: one sample is private"
                                               : " needs two numbers: both samples are private"));
}

}  // namespace

FixedRows fixed_rows(const std::vector<std::string> &numbers, bool private_source,
                     bool private_target) {
    if (numbers.empty()) return {};
    const std::string flag = "--rows";
    check_count(flag, numbers.size(), (private_source ? 1U : 0U) + (private_target ? 1U : 0U));
    return {private_source ? parse(flag, numbers.front()) : 0,
            private_target ? parse(flag, numbers.back()) : 0};
}

std::size_t fixed_number_of_rows(const std::string &flag, const std::vector<std::string> &numbers,
                                 bool is_private) {
    if (numbers.empty()) return 0;
    check_count(flag, numbers.size(), is_private ? 1 : 0);
    return parse(flag, numbers.front());
}

void check_room(std::size_t rows, std::size_t columns) {
    const auto pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
    double memory = pages * static_cast<double>(sysconf(_SC_PAGESIZE));
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        memory = std::min(memory, static_cast<double>(limit.rlim_cur));
    constexpr double kCopies = 3.0;  // the rows, and what a fit makes of them
    const double needed =
        kCopies * sizeof(double) * static_cast<double>(rows) * static_cast<double>(columns);
    if (needed <= memory) return;
    throw Failure(kUsage, "--rows " + std::to_string(rows) + " needs some " +
                              std::to_string(static_cast<std::uint64_t>(needed / 1e9) + 1) +
                              " GB of memory, and here are " +
                              std::to_string(static_cast<std::uint64_t>(memory / 1e9)) +
                              " (fit --memory SIZE reads rows piece by piece)");
}

}  // namespace dpadapt::cli
