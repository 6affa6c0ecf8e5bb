// What is said of private records: in which words, for which share and which evidence.
#include "core/core.hpp"
#include "solution/findings.hpp"

using namespace dpadapt;

namespace {

constexpr privacy::Domains kTarget = privacy::kTarget;
constexpr privacy::Domains kSource = privacy::kSource;

bool says(const PrivateUse &use, const std::string &words) {
    const std::vector<std::string> sentences = findings(use, "");
    return std::any_of(sentences.begin(), sentences.end(), [&](const std::string &sentence) {
        return sentence.find(words) != std::string::npos;
    });
}

/** The code of what is said of the records themselves. */
std::string code(const PrivateUse &use) { return Finding::read(findings(use, "").front()).code; }

void each_finding_has_a_code() {
    check_true("used", code({kTarget, false, 0.5, 3.0}) == "private_rows_used");
    check_true("slightly", code({kSource, false, 0.05, 3.0}) == "private_rows_slightly_used");
    check_true("hardly", code({kTarget, false, 0.995, 2.0}) == "private_rows_hardly_used");
    check_true("not", code({kTarget, false, 1.0, 2.0}) == "private_rows_not_used");
    check_true("undecided", code({kSource, false, 0.5, 1.0}) == "private_rows_undecided");
    const Finding kept{"some_code", "[it] begins so. WARNING: and ends."};
    const Finding again = Finding::read(coded(kept.code, kept.sentence));
    check_true("kept", again.code == kept.code && again.sentence == kept.sentence);
    check_true("warning", again.is_warning());
    check_true("earlier files", Finding::read("A sentence.").code == "other");
}

/** Evidence of 2 is enough to tell records from none; a share is that of the private sample. */
void a_share_that_nobody_sees_has_a_reason() {
    const std::string noise = "the noise exceeded what they show";
    const std::string few = "noise, few rows and clips could explain what they show";
    const std::string others = "the target's public rows are fitted better without them";
    check_true("noise", says({kTarget, false, 0.995, 1.9}, noise));
    check_true("no number", says({kTarget, false, 0.995, std::nan("")}, noise));
    check_true("few rows", says({kTarget, false, 0.995, 2.0}, few));
    check_true("better without", says({kSource, false, 0.005, 2.0}, others));
    check_true("hardly", says({kTarget, false, 0.995, 2.0}, "were hardly used"));
    check_true("not", says({kTarget, false, 1.0, 2.0}, "were not used"));
    check_true("an anchor moves", says({kTarget, true, 1.0, 2.0}, "were hardly used"));
}

void a_share_that_is_seen_is_told() {
    check_true("used", says({kTarget, false, 0.5, 3.0}, "were used: the coefficients went 50 %"));
    check_true("little", says({kSource, false, 0.05, 3.0}, "used slightly, and most of it is"));
    check_true("who knows", says({kSource, false, 0.5, 1.0}, "cannot be told"));
    check_true("both", findings(PrivateUse{kSource | kTarget, false, 0.5, 3.0}, "").size() == 1);
    check_true("none", findings(PrivateUse{}, "").empty());
}

/** A released number of records settles it, whatever the evidence. */
void a_count_is_told_where_noise_leaves_it() {
    const auto use = [](double counted, double deviation) {
        return PrivateUse{kTarget, false, 0.5, 1.0, {}, 300.0, counted, deviation};
    };
    check_true("used", says(use(290.0, 40.0), "were used: the coefficients went 50 %"));
    check_true("moved", moved(use(290.0, 40.0)) == Moved::yes);
    check_true("about", says(use(310.0, 40.0), "About 300 of 300 count (noise: within 120)"));
    check_true("few", says(use(-4.0, 20.0), "WARNING: not all do: about 0 of 300 count"));
    check_true("few", says(use(-4.0, 20.0), "cannot be told"));
    check_true("some", says(use(150.0, 20.0), "not all do: about 150 of 300"));
    check_true("some have moved", moved(use(150.0, 20.0)) == Moved::yes);
    for (const double deviation : {0.0, 100.0, 1e9}) {
        check_true("no count", says(use(290.0, deviation), "no result tells how many are"));
        check_true("no count", says(use(290.0, deviation), "cannot be told"));
        check_true("no count", moved(use(290.0, deviation)) == Moved::unknown);
    }
}

void labels_that_count_are_those_of_the_loss() {
    const auto label = [](const loss::Choice &choice, const std::string &words) {
        check_true(words, says({kTarget, false, 0.5, 3.0, choice}, "its label is " + words + ';'));
    };
    label({.kind = loss::Kind::squared}, "a finite number");
    label({.kind = loss::Kind::poisson}, "a finite number of at least 0");
    label({.kind = loss::Kind::gamma}, "a finite number above 0");
    label({.kind = loss::Kind::logistic}, "-1 or 1");
    label({.kind = loss::Kind::softmax, .classes = 3}, "one of 0 to 2");
    label({.kind = loss::Kind::custom}, "one to which the loss gives a value");
}

void what_moved_is_known_or_not() {
    check_true("no", moved({kTarget, false, 1.0, 3.0}) == Moved::no);
    check_true("yes", moved({kTarget, false, 0.5, 3.0}) == Moved::yes);
    check_true("unknown", moved({kTarget, false, 0.5, 1.0}) == Moved::unknown);
    check_true("of both", moved({kSource | kTarget, false, 0.5, 3.0}) == Moved::unknown);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(each_finding_has_a_code),
        core_test(a_share_that_nobody_sees_has_a_reason),
        core_test(a_share_that_is_seen_is_told),
        core_test(a_count_is_told_where_noise_leaves_it),
        core_test(labels_that_count_are_those_of_the_loss),
        core_test(what_moved_is_known_or_not),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
