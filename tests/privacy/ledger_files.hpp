// What the tests of ledgers share: a file in a folder of its own, small private fits by the C
// API, and processes that make them.
#pragma once

#include <dpadapt/dpadapt.h>
#include <dpadapt/inspect.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/core.hpp"

using Bytes = std::vector<std::uint8_t>;
constexpr std::size_t kBlock = 4096;

inline void check_status(const std::string &what, dpa_status status, dpa_status wanted) {
    if (status == wanted) return;
    check_true(what + ": " + dpa_status_string(status) + ", " + dpa_last_error(), false);
}

struct Options {
    explicit Options(const char *epsilon) {
        check_status("options", dpa_options_create(&handle), DPA_OK);
        set("epsilon", epsilon);
        set("delta", "1e-6");
    }
    Options(const Options &) = delete;
    Options &operator=(const Options &) = delete;
    ~Options() { dpa_options_destroy(handle); }
    void set(const char *name, const char *value) const {
        check_status(name, dpa_options_parse(handle, name, value), DPA_OK);
    }
    dpa_options *handle = nullptr;
};

struct LedgerHandle {
    LedgerHandle() = default;
    explicit LedgerHandle(const std::string &path) {
        check_status("open", dpa_ledger_open(path.c_str(), &handle), DPA_OK);
    }
    LedgerHandle(const LedgerHandle &) = delete;
    LedgerHandle &operator=(const LedgerHandle &) = delete;
    ~LedgerHandle() { dpa_ledger_destroy(handle); }

    [[nodiscard]] std::size_t entries() const {
        std::size_t size = 0;
        (void)dpa_ledger_serialize(handle, nullptr, 0, &size);
        return size / kBlock - 1;
    }
    [[nodiscard]] std::string report() const {
        std::string text(1 << 20, '\0');
        check_status("report",
                     dpa_ledger_report(handle, DPA_REPORT_JSON, text.data(), text.size(), nullptr),
                     DPA_OK);
        return text.c_str();
    }
    dpa_ledger *handle = nullptr;
};

/** A folder that is removed with its ledger. */
class Folder {
  public:
    Folder() {
        check_true("folder", mkdtemp(folder_.data()) != nullptr);
        path = folder_ + "/budget";
    }
    Folder(const Folder &) = delete;
    Folder &operator=(const Folder &) = delete;
    ~Folder() {
        unlink(path.c_str());
        rmdir(folder_.c_str());
    }

    /** A new ledger of that budget in it. */
    void make(const char *epsilon, const char *unit = "auto") const {
        const Options options(epsilon);
        options.set("unit", unit);
        dpa_ledger *ledger = nullptr;
        check_status("make", dpa_ledger_create(path.c_str(), options.handle, 0, &ledger), DPA_OK);
        dpa_ledger_destroy(ledger);
    }

    [[nodiscard]] Bytes read() const {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void write(const Bytes &bytes) const {
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char *>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }

    std::string path;

  private:
    std::string folder_ = "/tmp/dpadapt-ledger-XXXXXX";
};

/** A small problem with public source rows. */
class Small {
  public:
    Small() {
        check_status("problem", dpa_problem_create(&handle), DPA_OK);
        for (std::size_t i = 0; i < kRows; ++i) {
            x_[i] = static_cast<double>(i % 10) / 5.0 - 1.0;
            y_[i] = 2.0 * x_[i] + static_cast<double>(i % 3) / 9.0;
        }
        check_status(
            "source",
            dpa_problem_lend_sample(handle, DPA_SOURCE, dpa_matrix{x_, kRows, 1, 1, 1}, y_, kRows),
            DPA_OK);
        target();
    }
    explicit Small(const LedgerHandle &ledger) : Small() { use(ledger); }
    Small(const Small &) = delete;
    Small &operator=(const Small &) = delete;
    ~Small() { dpa_problem_destroy(handle); }

    void target(const double *x, const double *y) const {
        check_status(
            "target",
            dpa_problem_lend_sample(handle, DPA_TARGET, dpa_matrix{x, kRows, 1, 1, 1}, y, kRows),
            DPA_OK);
    }
    void target() const { target(x_, y_); }
    [[nodiscard]] const double *x() const { return x_; }
    [[nodiscard]] const double *y() const { return y_; }

    /** Two rows each. */
    [[nodiscard]] dpa_status persons() const {
        std::int64_t ids[kRows];
        for (std::size_t i = 0; i < kRows; ++i) ids[i] = static_cast<std::int64_t>(i / 2);
        return dpa_problem_set_groups(handle, DPA_TARGET, ids, kRows);
    }
    void tell_persons() const { check_status("persons", persons(), DPA_OK); }
    void use(const LedgerHandle &ledger) const {
        check_status("use", dpa_problem_use_ledger(handle, ledger.handle), DPA_OK);
    }
    [[nodiscard]] dpa_status fit(const Options &options) const {
        dpa_solution *solution = nullptr;
        const dpa_status status = dpa_solve(handle, nullptr, options.handle, &solution);
        check_true("a solution or an error", (solution != nullptr) == (status == DPA_OK));
        dpa_solution_destroy(solution);
        return status;
    }
    [[nodiscard]] double number(const char *name) const {
        double value = NAN;
        check_status(name, dpa_problem_budget(handle, name, &value), DPA_OK);
        return value;
    }

    static constexpr std::size_t kRows = 40;
    dpa_problem *handle = nullptr;

  private:
    double x_[kRows] = {};
    double y_[kRows] = {};
};

/** A process that runs the body and ends with its result as exit code. */
template <typename Body>
pid_t start(const Body &body) {
    const pid_t child = fork();
    if (child == 0) _exit(body());
    return child;
}

/** Its exit code; -1 if a signal has ended it. */
inline int finish(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/** Fits until the budget is spent; each fit that has returned is a byte in the pipe. */
inline int write_many(const std::string &path, int pipe) {
    const LedgerHandle ledger(path);
    const Options options("0.05");
    for (;;) {
        const dpa_status status = Small(ledger).fit(options);
        if (status != DPA_OK) return status == DPA_E_BUDGET ? 0 : 1;
        if (write(pipe, "", 1) != 1) return 2;
    }
}

/** Writers on one ledger are killed after that time: what was released has been recorded, and the
 *  file is whole. */
inline std::size_t kill_writers(useconds_t time) {
    const Folder folder;
    folder.make("1");
    int ends[2];
    check_true("pipe", pipe(ends) == 0);
    std::vector<pid_t> writers;
    for (int k = 0; k < 3; ++k)
        writers.push_back(start([&] { return write_many(folder.path, ends[1]); }));
    close(ends[1]);
    usleep(time);
    for (const pid_t writer : writers) kill(writer, SIGKILL);
    for (const pid_t writer : writers) check_true("no error", finish(writer) <= 0);
    std::size_t released = 0;
    for (char byte = 0; read(ends[0], &byte, 1) == 1;) ++released;
    close(ends[0]);
    const LedgerHandle ledger(folder.path);
    check_true("recorded before released", released <= ledger.entries());
    const std::size_t entries = ledger.entries();
    check_true("at most one more by each writer", ledger.entries() <= released + 3);
    const Small problem(ledger);
    check_true("within the budget", problem.number("left_mu") >= 0.0);
    const Options last("0.001");
    const dpa_status status = problem.fit(last);
    check_true("the next call goes on", status == DPA_OK || status == DPA_E_BUDGET);
    return entries;
}
