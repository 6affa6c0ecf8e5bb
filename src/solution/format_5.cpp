#include <utility>

#include "solution/format.hpp"
#include "solution/numbers.hpp"

namespace dpadapt::format {
namespace {

template <typename InferenceType, typename Field>
void each_inference(InferenceType &inference, Field &field) {
    field(inference.why);
    field(inference.estimate);
    field(inference.covariance);
    field(inference.freedom);
    field(inference.difference);
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
}

/** Format 4, and then what is known of the coefficients. */
Solution read_5(bytes::Reader &read) {
    Solution solution = read_4(read);
    each_inference(solution.inference, read);
    return solution;
}

}  // namespace dpadapt::format
