#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

/** --job: a command that pays once, however often it is called or killed. Its file beside the
 *  ledger, for its owner alone, has first a secret from which all noise follows, and in the end the
 *  result in place of the secret. Between the two it can be made again, with the same noise. */
class Job {
  public:
    /** The job of the command line, which goes on or begins. Failure(kUsage) where it was another
     *  call, or other files. */
    explicit Job(const Command &command);
    Job &operator=(Job &&) = delete;
    ~Job();

    [[nodiscard]] bool is_done() const { return file_["state"] == "done"; }

    /** Makes the call, and keeps its result before it is written anywhere. */
    void run(const std::function<void()> &call);

    /** Writes the result that is kept. */
    void answer() const;

    /** The job that runs; null: none does. */
    [[nodiscard]] static Job *running();

    /** Whether the ledger has an entry of it. */
    [[nodiscard]] bool has_paid() const;

    /** The problem pays from the ledger, as a part of the job. */
    void use(const ProblemHandle &problem, const LedgerHandle &ledger);

  private:
    [[nodiscard]] std::string problem_with_file() const;
    [[nodiscard]] Json digests() const;
    void load();
    void begin();
    void keep();
    void wipe(const char *member);

    const Command &command_;
    std::string name_;
    std::string ledger_;
    std::string path_;  // of its file
    Json request_;
    std::vector<NamedFile> inputs_;
    Json file_;
    Collected collected_;
    unsigned problems_ = 0;  // that have used the ledger
};

}  // namespace dpadapt::cli
