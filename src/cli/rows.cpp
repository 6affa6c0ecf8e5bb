#include "cli/rows.hpp"

#include <charconv>
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

}  // namespace dpadapt::cli
