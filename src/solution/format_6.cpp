#include <utility>

#include "solution/format.hpp"
#include "solution/solution.hpp"

namespace dpadapt::format {
namespace {

template <typename SolutionType, typename Field>
void each_of_weights(SolutionType &solution, Field &field) {
    field(solution.settings.penalty);
    field(solution.weighing.source);
    field(solution.weighing.target);
    field(solution.weighing.s);
    field(solution.weighing.t);
}

}  // namespace

void write(const Solution &solution, bytes::Writer &write) {
    write(solution.loss.kind);
    write(solution.loss.hidden);
    write(solution.loss.output);
    each_result(solution, write);
    std::vector<bytes::NamedNumber> numbers;
    each_number(solution, [&](const char *name, auto number) {
        numbers.push_back({name, static_cast<double>(number)});
    });
    write(numbers);
    PrivacyRecord promise = solution.privacy;
    promise.json = solution.privacy.report(privacy::Form::json);
    promise.text = solution.privacy.report(privacy::Form::text);
    each_promise(std::as_const(promise), write);
    each_inference(solution.inference, write);
    each_of_weights(solution, write);
}

/** Format 5, and then what weights follow from. */
Solution read_6(bytes::Reader &read) {
    Solution solution = read_5(read);
    each_of_weights(solution, read);
    return solution;
}

}  // namespace dpadapt::format
