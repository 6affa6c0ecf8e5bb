#include <dpadapt/dpadapt.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "cli/read/failure.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/system/system.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kFooter =
    "CSV files are plain or gzip, or - for standard input, with a header line; commas,\n"
    "semicolons or tabs separate cells. The public sample decides which columns are\n"
    "numbers, categories and labels. The option private_domain says which sample is\n"
    "private (the target by default). In a file with private rows each line below the\n"
    "header is one record, even a blank one, and no record causes a message. A cell that\n"
    "does not fit counts as missing. A line with too many or too few cells counts as a\n"
    "record of zeros (as a validation row it has the largest loss). Headers and public\n"
    "rows are checked.\n\n"
    "Exit codes:\n"
    "  0    success\n"
    "  1    the computation failed\n"
    "  2    usage: bad arguments or options, or what a locked ledger does not allow\n"
    "  3    the data or the model could not be read, or are invalid\n"
    "  4    the output could not be written, or the ledger could not be read or written\n"
    "  5    as 4, but the result was paid for: the message says where it is\n"
    "  6    the privacy budget does not cover the call\n"
    "  130  interrupted\n";

void add_commands(Command &program) {
    program.footer(kFooter);
    program.require_subcommand(1);
    for (const auto add :
         {add_fit, add_predict, add_report, add_evaluate, add_calibrate, add_assess,
          add_discrepancy, add_baseline, add_select, add_inspect, add_plan, add_privacy, add_ledger,
          add_verify, add_page, add_options, add_manual})
        add(program);
}

int give_up(ExitCode code, const char *message) {
    std::fprintf(stderr, "dpadapt: %s\n", message);
    return code;
}

int guarded_run(int argc, char **argv) {
    try {
        const std::string page =
            run_command_line(argc, argv, "dpadapt", std::string("dpadapt ") + dpa_version(),
                             "Supervised domain adaptation: learns a predictor for a target domain "
                             "from a large source sample and a small target sample.",
                             add_commands);
        if (!page.empty()) Output().write(page);
        return kSuccess;
    } catch (const Failure &failure) {
        return give_up(failure.code(), failure.what());
    } catch (const std::bad_alloc &) {
        return give_up(kComputationFailed, "memory exhausted");
    } catch (const std::exception &error) {
        return give_up(kComputationFailed, in_lines({error.what()}).c_str());
    }
}

/** Functions of libraries that may not throw do so where memory is exhausted. */
[[noreturn]] void end_without_memory() {
    try {
        if (std::current_exception()) throw;
    } catch (const std::bad_alloc &) {
        std::_Exit(give_up(kComputationFailed, "memory exhausted"));
    } catch (...) {
    }
    std::abort();
}

}  // namespace
}  // namespace dpadapt::cli

/** In place of OpenBLAS's own, which reads the environment: as it is loaded it starts so many
 *  threads, none of which a fit uses. Where it may not, it interrupts the process before main. */
extern "C" [[gnu::weak]] int openblas_num_threads_env() { return 1; }

int main(int argc, char **argv) {
    dpadapt::cli::prepare_streams();
    std::set_terminate(dpadapt::cli::end_without_memory);
    dpadapt::cli::keep_memory_reserve();
    const int code = dpadapt::cli::guarded_run(argc, argv);
    // OpenBLAS would wait for its threads, which try for ever to get memory where it is limited.
    if (dpadapt::cli::has_limited_addresses()) std::_Exit(code);
    return code;
}
