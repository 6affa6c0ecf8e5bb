#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/read/samples.hpp"
#include "cli/read/schema.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

/** What most commands have in common; each adds what it needs of it. */
struct CallArguments {
    DataArguments data;
    std::vector<std::string> assignments;  // for Settings
    std::string ledger;
    std::string output;    // of the predictor
    std::string report;    // of privacy
    bool dry_run = false;  // tells what would be paid, in place of a result
    bool json = false;
};

/** The data, the columns, the options and --json. */
void add_data_arguments(Command &command, CallArguments &arguments);
/** --set, and shorter forms for the budget. */
void add_settings(Command &command, std::vector<std::string> &assignments);
/** --ledger, which is returned, --job and --dry-run. */
Argument *add_ledger_arguments(Command &command, CallArguments &arguments);
void add_report_argument(Command &command, CallArguments &arguments);
/** --report and --output. */
Argument *add_output_arguments(Command &command, CallArguments &arguments);

/** A call that may cost privacy. Its parts come in an order that loses nothing: what will be
 *  written is tried, reserve() takes the room, then it pays, then it delivers. */
struct Call {
    /** Checks the arguments and opens what they name. */
    explicit Call(const CallArguments &given);

    /** What is printed about a fit, from its report. */
    using Print = std::function<std::string(Json &report)>;
    /** What a page has beside the report, to which it may add.
     *  @param text  Of the model file. */
    using Page = std::function<PageContent(Json &report, const std::string &text)>;

    /** Takes the room of all outputs, if something will be paid for.
     *  @param has_weights  Of the records, in an output.
     *  @param more         Bytes that are printed besides. */
    void reserve(const Samples &samples, bool has_weights = false, std::size_t more = 0);
    /** A problem that pays from the ledger. */
    [[nodiscard]] ProblemHandle problem(const Samples &samples) const;
    [[nodiscard]] Model model(const Samples &samples, SolutionHandle solution) const;
    /** Writes the predictor and its report, and prints. */
    void deliver(const Model &made, const Print &print, const Page &page = {});
    /** As JSON, or the text if a person reads it. */
    [[nodiscard]] std::string shown(const Json &json, const std::string &text) const;

    const CallArguments &arguments;
    Settings settings;
    LedgerHandle ledger;
    std::optional<Output> model_file;
    ReportFile report_file;
    Output printed;
};

/** Labelled rows of the target that no fit sees, from a file of their own. */
struct UnseenFile {
    const char *flag;  // which names it; the number of its private rows is that of FLAG-rows
    std::string path{};
    std::vector<std::string> rows{};

    Argument *add(Command &command, const char *meaning);
    /** Failure(kUsage) if it is one of those that the fit reads. */
    void check(const std::vector<NamedFile> &seen) const;
    [[nodiscard]] Sample read(const Call &call, const Samples &samples) const;

  private:
    [[nodiscard]] std::string rows_flag() const { return std::string(flag) + "-rows"; }
};

/** Bytes that a predictor or a report will need at most, as far as public facts tell it: options,
 *  names and numbers of columns, labels and rows. */
[[nodiscard]] std::size_t room_for_result(const Samples &samples, const Settings &settings,
                                          bool has_weights);
/** The same of an evaluation, whose rows are not told. */
[[nodiscard]] std::size_t room_for_evaluation(std::size_t models);

/** The ledger of that file; none if the path is empty. Failure(kUsage) where nothing is private. */
[[nodiscard]] LedgerHandle open_ledger(const std::string &path, const Settings &settings);
/** The problem pays from the ledger, if there is one. */
void use_ledger(const ProblemHandle &problem, const LedgerHandle &ledger);

/** Throws what ended a call that pays; where that is Ctrl-C after the payment, it says so. */
[[noreturn]] void tell_payment(const ProblemHandle &problem, const std::string &what,
                               const Failure &failure);

/** Makes a call that pays from the budget of the problem.
 *  @param what  That is paid for. */
auto pay(const ProblemHandle &problem, const std::string &what, const auto &call) {
    try {
        return call();
    } catch (const Failure &failure) {
        tell_payment(problem, what, failure);
    }
}

/** Of the adaptation, or of the baseline of that name. */
[[nodiscard]] PlanHandle make_plan(const ProblemHandle &problem, const std::string &baseline,
                                   const dpa_options *options);

/** The adaptation, or the baseline of that name, which pays.
 *  @param after  Called before a failure of the library is told. */
[[nodiscard]] SolutionHandle solve(const ProblemHandle &problem, const std::string &baseline,
                                   const dpa_options *options,
                                   const std::function<void()> &after = {});

}  // namespace dpadapt::cli
