// The table of losses: every word of the options reaches its own loss, every number in saved
// solutions its own row, and nothing else reaches any.
#include <dpadapt/status.h>

#include <numeric>
#include <set>
#include <typeinfo>

#include "core/core.hpp"
#include "engine/settings.hpp"
#include "loss/choice.hpp"
#include "loss/perceptron.hpp"
#include "loss/poisson.hpp"
#include "loss/scores.hpp"
#include "loss/softmax.hpp"
#include "loss/survival.hpp"

using namespace dpadapt;
using engine::Option;
using loss::Kind;

namespace {

/** What the rest of the world relies on: written down a second time, so that no edit goes
 *  unnoticed. */
struct Expected {
    std::string word;
    std::uint64_t id;
    const std::type_info &type;
};

const Expected kExpected[] = {
    {"squared", 0, typeid(loss::Squared)},       {"huber", 1, typeid(loss::Huber)},
    {"logistic", 2, typeid(loss::Logistic)},     {"softmax", 3, typeid(loss::Softmax)},
    {"perceptron", 4, typeid(loss::Perceptron)}, {"custom", 5, typeid(loss::Callback)},
    {"votes", 6, typeid(loss::Votes)},           {"pinball", 7, typeid(loss::Pinball)},
    {"poisson", 8, typeid(loss::Poisson)},       {"gamma", 9, typeid(loss::Gamma)},
    {"survival", 10, typeid(loss::Survival)}};

std::int32_t no_loss(const double *, std::size_t, std::size_t, const double *, const double *,
                     std::size_t, double *, double *, void *) {
    return 0;
}

/** A possible loss of that kind. */
loss::Choice example(Kind kind) {
    loss::Choice choice;
    choice.kind = kind;
    choice.huber_threshold = 1.5;
    choice.classes = 3;
    choice.quantile_level = 0.9;
    choice.quantile_smoothing = 0.5;
    choice.typical_label = 3.0;
    choice.baseline = {{1.0, 2.0}, {0.5, 0.8}};
    if (kind == Kind::perceptron || kind == Kind::votes) choice.hidden = {2};
    choice.callback = {no_loss, nullptr, 4, {1.0, 1.0, 1.0}};
    return choice;
}

std::vector<std::string> words(Option option) {
    std::vector<std::string> list;
    std::string text = engine::option_spec(option).values;
    for (std::size_t end = 0; end != std::string::npos; text.erase(0, end + 2)) {
        end = text.find(", ");
        list.push_back(text.substr(0, end));
        if (end == std::string::npos) break;
    }
    return list;
}

Settings settings_with(Option option, const std::string &word) {
    engine::OptionValues values;
    values.parse(Option::private_domain, "none");
    values.custom_loss = example(Kind::custom).callback;
    values.parse(option, word);
    return make_settings(values, Wanted::fit);
}

void every_word_and_number_has_its_own_loss() {
    check_true("as many rows as kExpected has", loss::losses().size() == std::size(kExpected));
    for (const Expected &expected : kExpected) {
        const loss::LossSpec &row = loss::find_loss(expected.word);
        const loss::LossSpec *saved = loss::find_saved_loss(expected.id);
        check_true(expected.word + ": number", saved == &row);
        check_true(expected.word + ": kind", &loss::spec(row.kind) == &row);
        check_true(expected.word + ": name", loss::name(row.kind) == expected.word);
        const auto made = loss::make_loss(example(row.kind), loss::Reading::public_records);
        const loss::Loss &one = *made;
        check_true(expected.word + ": type", typeid(one) == expected.type);
    }
}

void every_word_of_the_options_arrives() {
    std::set<Kind> seen;
    for (const std::string &word : words(Option::loss)) {
        const Kind kind = settings_with(Option::loss, word).loss.kind;
        check_true(word, loss::name(kind) == word);
        check_true(word + " once", seen.insert(kind).second);
    }
    check_true("the option has a word for all but votes",
               seen.size() + 1 == loss::losses().size() && !seen.contains(Kind::votes));
    for (const std::string &word : words(Option::perceptron_output)) {
        const Kind kind = settings_with(Option::perceptron_output, word).loss.output;
        check_true("output " + word, loss::name(kind) == word && loss::spec(kind).linear());
    }
}

void what_nobody_knows_is_refused() {
    for (const char *word : {"", "hinge", "Squared", "squared "})
        check_true(word, status_of([&] { (void)loss::find_loss(word); }) == DPA_E_OPTION);
    for (const std::uint64_t id : {std::uint64_t{11}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
        check_true("no loss has the id " + std::to_string(id),
                   loss::find_saved_loss(id) == nullptr);
    engine::OptionValues values;
    for (const char *word : {"hinge", "votes"})
        check_true(word, status_of([&] { values.parse(Option::loss, word); }) == DPA_E_OPTION);
}

/** Properties are facts about the loss that the row makes. */
void properties_are_those_of_the_loss() {
    for (const loss::LossSpec &row : loss::losses()) {
        const std::string word = row.word;
        const loss::Choice choice = example(row.kind);
        const auto made = loss::make_loss(choice, loss::Reading::public_records);
        check_true(word + " is possible", loss::is_possible(choice));
        check_true(word + ": linear", (made->output() == made.get()) == loss::is_linear(choice));
        check_true(word + ": scores", (made->output() == nullptr ? 0 : made->output()->outputs()) ==
                                          loss::scores(choice));
        check_true(word + ": smooth", std::isfinite(made->bounds({2.0, 1.0, 1.0}).smoothness) ==
                                          (row.kind != Kind::votes));
        const loss::Labels labels = loss::labels(row.kind, choice.output);
        if (labels == loss::Labels::any) continue;
        const bool rates = labels == loss::Labels::rates;
        const bool numbers = rates || labels == loss::Labels::numbers;
        const bool real = numbers || labels == loss::Labels::times;
        check_true(word + ": signs",
                   made->accepts(-1.0) == (labels != loss::Labels::classes && !rates));
        check_true(word + ": classes", made->accepts(2.0) == (labels != loss::Labels::signs));
        check_true(word + ": numbers", made->accepts(0.5) == real);
        check_true(word + ": numbers", loss::has_numbers(row.kind, choice.output) == numbers);
    }
}

/** A number that a loss has is checked; one that it does not have is not looked at. */
void impossible_numbers_are_seen() {
    loss::Choice choice = example(Kind::huber);
    for (const double threshold : {0.0, -1.0, double{INFINITY}, double{NAN}}) {
        choice.huber_threshold = threshold;
        check_true("threshold", !loss::is_possible(choice));
    }
    for (const double width : {0.0, -1.0, double{INFINITY}, double{NAN}}) {
        choice = example(Kind::pinball);
        choice.quantile_smoothing = width;
        check_true("smoothing", !loss::is_possible(choice));
    }
    for (const double level : {0.0, 1.0, -0.5, double{NAN}}) {
        choice = example(Kind::pinball);
        choice.quantile_level = level;
        check_true("level", !loss::is_possible(choice));
    }
    for (const Kind kind : {Kind::poisson, Kind::gamma})
        for (const double typical : {0.0, -1.0, 1e308, double{NAN}}) {
            choice = example(kind);
            choice.typical_label = typical;
            check_true("typical label", !loss::is_possible(choice));
        }
    std::vector<double> many(loss::kMostPieces + 1);
    std::iota(many.begin(), many.end(), 1.0);
    for (const loss::CumulativeHazard &baseline :
         {loss::CumulativeHazard{}, loss::CumulativeHazard{{1.0}, {}},
          loss::CumulativeHazard{{1.0, 1.0}, {0.5, 0.8}},
          loss::CumulativeHazard{{1.0, 2.0}, {0.0, 0.8}},
          loss::CumulativeHazard{{1.0, 2.0}, {0.8, 0.5}},
          loss::CumulativeHazard{{1.0, double{NAN}}, {0.5, 0.8}},
          loss::CumulativeHazard{{1.0, 2.0}, {0.5, double{INFINITY}}},
          loss::CumulativeHazard{many, many}}) {
        choice = example(Kind::survival);
        choice.baseline = baseline;
        check_true("baseline", !loss::is_possible(choice));
    }
    for (const Kind kind : {Kind::softmax, Kind::perceptron}) {
        choice = example(kind);
        choice.huber_threshold = NAN;
        check_true("no threshold", loss::is_possible(choice));
        for (const std::size_t classes : {std::size_t{1}, loss::kMostClasses + 1}) {
            choice.classes = classes;
            check_true("classes", !loss::is_possible(choice));
        }
    }
    for (const loss::LossSpec &row : loss::losses()) {
        choice = example(row.kind);
        if (choice.hidden.empty())
            choice.hidden = {2};
        else
            choice.hidden = {};
        check_true(std::string(row.word) + ": layers", !loss::is_possible(choice));
    }
}

/** A vote of classifiers predicts and does nothing else. */
void a_vote_is_not_fitted() {
    const loss::Votes votes(2);
    const double x[] = {1.0, 2.0};
    const double y[] = {1.0};
    const double theta[] = {0.5, 1.0, 0.0, 0.25, 0.0, -1.0};
    double score[1] = {};
    double losses[1] = {7.0};
    votes.scores({1, 2, x, y}, theta, score);
    check_close("votes", score[0], 0.25, 1e-15);
    try {
        votes.evaluate({1, 2, x, y}, theta, losses, {});
        check_true("must fail", false);
    } catch (const Error &error) {
        check_true("status", error.status() == DPA_E_UNSUPPORTED);
        check_true("words", std::string(error.what()) == "a vote of classifiers has no gradient");
    }
    check_true("untouched", losses[0] == 7.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(every_word_and_number_has_its_own_loss),
        core_test(every_word_of_the_options_arrives),
        core_test(what_nobody_knows_is_refused),
        core_test(properties_are_those_of_the_loss),
        core_test(impossible_numbers_are_seen),
        core_test(a_vote_is_not_fitted),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
