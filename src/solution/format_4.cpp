#include <cmath>

#include "solution/format.hpp"
#include "solution/solution.hpp"

namespace dpadapt::format {
namespace {

void store(double value, double &number, const bytes::Reader & /*read*/) { number = value; }

void store(double value, std::size_t &number, const bytes::Reader &read) {
    if (!(value >= 0.0 && value <= 0x1p53 && value == std::floor(value)))
        read.damaged("one of its counts is not a whole number");
    number = static_cast<std::size_t>(value);
}

/** Each is known, and there once. */
void take_numbers(const std::vector<bytes::NamedNumber> &numbers, Solution &solution,
                  const bytes::Reader &read) {
    std::size_t known = 0;
    each_number(solution, [&](const std::string &name, auto &number) {
        for (const bytes::NamedNumber &found : numbers) {
            if (found.name != name) continue;
            store(found.value, number, read);
            ++known;
            break;
        }
    });
    if (known != numbers.size()) read.damaged("it has a number that this version does not know");
}

}  // namespace

/** Numbers have names, so that others can be added. */
Solution read_4(bytes::Reader &read) {
    Solution solution;
    std::uint64_t kind = 0;
    std::uint64_t output = 0;
    read(kind);
    read(solution.loss.hidden);
    read(output);
    solution.loss.kind = loss_kind(kind, read);
    solution.loss.output = loss_kind(output, read);
    each_result(solution, read);
    std::vector<bytes::NamedNumber> numbers;
    read(numbers);
    take_numbers(numbers, solution, read);
    drop_foreign_numbers(solution.loss);
    each_promise(solution.privacy, read);
    return solution;
}

}  // namespace dpadapt::format
