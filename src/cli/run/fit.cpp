#include <optional>
#include <utility>

#include "cli/read/failure.hpp"
#include "cli/read/large_rows.hpp"
#include "cli/run/assess.hpp"
#include "cli/run/call.hpp"
#include "cli/run/dry_run.hpp"
#include "cli/show/report.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

constexpr std::size_t kLeastMemory = std::size_t{1} << 20;
constexpr std::size_t kMostMemory = std::size_t{1} << 40;

/** CLI11 would take a unit alone for one of it. @return what is wrong with the text of a size. */
std::string number_of_size(const std::string &text) {
    return text.find_first_of("0123456789") == 0 ? "" : "needs a size such as 256M, not " + text;
}

struct FitArguments : CallArguments {
    bool weights = false;
    double holdout = 0.0;
    std::size_t memory = 0;  // for rows; 0: as much as they need
    bool keeps_weights = false;
};

/** What the report shows beside the promise that public facts tell; made before a payment, because
 *  public files are read anew and fitted. */
struct PublicFacts {
    Json provenance;
    std::optional<Candidate> fit;  // of the public sample alone, to compare with in a page
};

/** The page goes without where the options have no such fit. */
std::optional<Candidate> public_fit(const CallArguments &arguments, const Samples &samples) {
    std::vector<std::string> open = without_privacy();
    open.insert(open.end(),
                {"method=profile", "inference=auto", "labelled_share=auto",
                 "discrepancy_share=auto", "laplace_epsilon=auto", "own_columns=constant"});
    try {
        return public_only(samples, arguments.assignments, open);
    } catch (const Failure &failure) {
        if (failure.code() == kInterrupted) throw;
        return {};
    }
}

PublicFacts public_facts(const Call &call, const Samples &samples) {
    if (!call.report_file.is_wanted()) return {};
    PublicFacts facts{provenance(call.arguments.data, call.arguments.assignments, samples), {}};
    const std::string loss = call.settings.get("loss");
    const bool has_picture = loss != "perceptron" && loss != "custom" &&
                             samples.source_elsewhere == 0 &&
                             !(samples.source.is_private && samples.target.is_private);
    if (call.report_file.is_page() && has_picture) facts.fit = public_fit(call.arguments, samples);
    return facts;
}

PageContent page_content(PublicFacts facts, const Samples &samples, const Json &report,
                         const std::string &model) {
    if (facts.provenance.is_object()) add_model(model, facts.provenance);
    PageContent content{report["notes"], {}, std::move(facts.provenance)};
    if (!facts.fit || !report["coefficients"].is_array()) return content;
    const Sample &rows = samples.source.is_private ? samples.target : samples.source;
    content.effects = effects_of(facts.fit->solution.get(), report, samples.features, rows.x);
    return content;
}

/** Rows of each of several sources, and its share of the weight. */
void add_sources(const DataArguments &arguments, const Samples &samples,
                 const dpa_solution *solution, Json &report) {
    if (samples.sources.empty()) return;
    std::vector<double> weights(samples.sources.size());
    check(dpa_solution_array(solution, "source_weights", weights.data(), weights.size()));
    std::vector<std::string> files{arguments.source};
    files.insert(files.end(), arguments.more_sources.begin(), arguments.more_sources.end());
    std::vector<double> shares(files.size());
    std::vector<std::size_t> rows(files.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const auto k = static_cast<std::size_t>(samples.sources[i]);
        shares[k] += weights[i];
        ++rows[k];
    }
    for (std::size_t k = 0; k < files.size(); ++k) {
        report["sources"].push_back({{"file", files[k]}, {"rows", rows[k]}, {"weight", shares[k]}});
        report["notes"].push_back(files[k] + ": " + std::to_string(rows[k]) + " rows, weight " +
                                  to_text(shares[k]) + '.');
    }
}

/** Of the same calls as fit(). */
void dry_fit(const Call &call, const ProblemHandle &problem, const Samples &samples,
             const std::optional<Sample> &held_out) {
    const CallArguments &arguments = call.arguments;
    DryRun dry("fit", arguments);
    dry.pay_fit(problem, "the fit", {}, call.settings.options());
    if (held_out)
        pay_evaluation(dry, unseen_rows(samples, *held_out),
                       public_only(samples, arguments.assignments), call.settings);
    dry.tell();
}

void fit(const FitArguments &arguments) {
    Call call(arguments);
    Samples samples;
    std::optional<LargeSamples> large;
    if (arguments.memory > 0) {
        large.emplace(arguments.data, call.settings, arguments.memory, samples);
    } else {
        samples = read_samples(arguments.data, call.settings);
    }
    std::optional<Sample> held_out;
    if (arguments.holdout > 0.0) {
        held_out = hold_out(samples.target, arguments.holdout);
        check_fit_and_evaluation(call, samples);
    }
    if (arguments.dry_run)
        return dry_fit(call, large ? large->make_problem() : make_problem(samples), samples,
                       held_out);
    PublicFacts facts = public_facts(call, samples);
    call.reserve(samples, arguments.weights || arguments.keeps_weights,
                 held_out ? room_for_evaluation(1) : 0);
    const ProblemHandle problem = large ? large->make_problem() : make_problem(samples);
    use_ledger(problem, call.ledger);
    Model model = call.model(samples, solve(problem, {}, call.settings.options(), [&] {
                                 if (large) large->check_readings();
                             }));
    model.keeps_weights = arguments.keeps_weights;
    const dpa_solution *solution = model.solution.get();
    Json evaluation;
    const auto page = [&](Json &report, const std::string &text) {
        if (held_out)
            evaluation = evaluation_report(unseen_rows(samples, *held_out), call.ledger, {solution},
                                           {}, call.settings);
        if (held_out) tell_unweighed(arguments.data, *held_out, evaluation);
        add_sources(arguments.data, samples, solution, report);
        return page_content(std::move(facts), samples, report, text);
    };
    const auto print = [&](Json &report) {
        if (arguments.weights) add_weights(solution, report);
        if (held_out) report["evaluation"] = evaluation;
        return call.shown(report,
                          solution_text(report, samples.schema) +
                              (held_out ? "\nHeld-out rows: " + evaluation_text(evaluation) : ""));
    };
    call.deliver(model, print, page);
}

}  // namespace

void add_fit(Command &program) {
    const auto [command, arguments] =
        new_command(program, "fit", "Fits a predictor for the target from both samples", fit);
    add_data_arguments(command, arguments);
    add_assignment(command, "--method", arguments.assignments, "profile|paper",
                   "Same as --set method=NAME");
    add_ledger_arguments(command, arguments);
    Argument *output = add_output_arguments(command, arguments);
    command
        .add_flag("--keep-weights", arguments.keeps_weights,
                  "Saves the weights of the public records too")
        ->needs(output);
    command
        .add_flag("--weights", arguments.weights,
                  "Adds the weights of the records to the JSON object")
        ->needs("--json");
    Argument *memory =
        command
            .add_option("--memory", arguments.memory,
                        "Memory, 1M to 1T, for rows of a private target and a public source: where "
                        "they need more, a file is read anew for each step")
            ->transform(CLI::AsSizeValue(false).description(""))
            ->transform(CLI::Validator(number_of_size, ""))  // before that
            ->check(CLI::Range(kLeastMemory, kMostMemory).description(""))
            ->excludes(command.get_option("--job"))  // which reads files once
            ->type_name("SIZE");
    command
        .add_option("--holdout", arguments.holdout,
                    "Share of the target's rows held out to measure the error; each row pays "
                    "epsilon and delta once")
        ->check(CLI::Range(0.0, 0.9))
        ->excludes(memory)
        ->type_name("SHARE");
}

namespace {

struct BaselineArguments : CallArguments {
    std::string method;
};

void baseline(const BaselineArguments &arguments) {
    Call call(arguments);
    const Samples samples = read_samples(arguments.data, call.settings, arguments.method);
    if (arguments.dry_run) {
        DryRun dry("baseline", arguments);
        dry.pay_fit(make_problem(samples), "the fit", arguments.method, call.settings.options());
        return dry.tell();
    }
    call.reserve(samples, arguments.json);
    const Model model = call.model(
        samples, solve(call.problem(samples), arguments.method, call.settings.options()));
    call.deliver(model, [&](Json &report) {
        if (arguments.json) add_weights(model.solution.get(), report);
        return call.shown(report, solution_text(report, samples.schema));
    });
}

/** Names and meanings, one a line. */
std::string list_of_methods() {
    std::string text = "Methods:\n";
    for (std::size_t k = 0; dpa_baseline_text(k, "name") != nullptr; ++k) {
        std::string name(dpa_baseline_text(k, "name"));
        name.resize(std::max<std::size_t>(name.size(), 14), ' ');
        text += "  " + name + dpa_baseline_text(k, "meaning") + '\n';
    }
    return text;
}

}  // namespace

void add_baseline(Command &program) {
    const auto [command, arguments] = new_command(
        program, "baseline", "Computes a method to compare with (NAME: see below)", baseline);
    add_text(command, "method", arguments.method, "NAME", "Name of the method")->required();
    add_data_arguments(command, arguments);
    add_ledger_arguments(command, arguments);
    add_output_arguments(command, arguments);
    command.footer(list_of_methods());
}

}  // namespace dpadapt::cli
