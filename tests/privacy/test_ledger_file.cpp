// One budget for several processes: nothing is read before it is paid for on the disk, and what
// was changed in the file is found.
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>

#include "privacy/ledger_files.hpp"

namespace {

/** Private rows that nobody can read until the ledger has an entry: to try ends the process. */
struct Guarded {
    Guarded() {
        rows = static_cast<double *>(
            mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        for (std::size_t i = 0; i < Small::kRows; ++i) rows[i] = static_cast<double>(i % 7) / 7.0;
        mprotect(rows, kPage, PROT_NONE);
    }
    Guarded(const Guarded &) = delete;
    Guarded &operator=(const Guarded &) = delete;
    ~Guarded() { munmap(rows, kPage); }

    static constexpr std::size_t kPage = 4096;
    double *rows = nullptr;
    std::uint64_t sequence = 0;
    bool refuses = false;
};

std::int32_t open_rows(std::uint64_t sequence, const std::uint8_t *entry, std::size_t entry_len,
                       void *user) {
    auto *guarded = static_cast<Guarded *>(user);
    guarded->sequence = sequence;
    if (guarded->refuses || entry == nullptr || entry_len != kBlock) return 1;
    return mprotect(guarded->rows, Guarded::kPage, PROT_READ);
}

/** In a process of its own, which a read that comes too early would kill. */
template <typename Body>
void check_alone(const char *what, const Body &body) {
    const int code = finish(start([&] {
        failures = 0;
        body();
        return failures == 0 ? 0 : 1;
    }));
    check_true(what, code == 0);  // else a private row was read before the entry
}

void nothing_is_read_before_the_entry_is_stored() {
    check_alone("fit", [] {
        const Folder folder;
        folder.make("1");
        const LedgerHandle ledger(folder.path);
        Guarded guarded;
        check_status("store", dpa_ledger_set_store(ledger.handle, open_rows, &guarded), DPA_OK);
        const Small problem(ledger);
        problem.target(guarded.rows, guarded.rows);
        check_status("fit", problem.fit(Options("0.5")), DPA_OK);
        check_true("first entry", guarded.sequence == 1);
    });
}

void a_store_that_refuses_stops_the_call_and_the_charge_stands() {
    check_alone("refused", [] {
        const Folder folder;
        folder.make("1");
        const LedgerHandle ledger(folder.path);
        Guarded guarded;
        guarded.refuses = true;
        check_status("store", dpa_ledger_set_store(ledger.handle, open_rows, &guarded), DPA_OK);
        const Small problem(ledger);
        problem.target(guarded.rows, guarded.rows);
        check_status("fit", problem.fit(Options("0.5")), DPA_E_STORE);
        check_true("stands", ledger.entries() == 1);
        check_status("no further ones", problem.fit(Options("0.5")), DPA_E_STATE);
    });
}

/** A store that pays from its own ledger. */
struct Spender {
    const LedgerHandle &ledger;
    int calls = 0;
    dpa_status status = DPA_OK;
};

std::int32_t spend(std::uint64_t /*sequence*/, const std::uint8_t * /*entry*/,
                   std::size_t /*entry_len*/, void *user) {
    auto *spender = static_cast<Spender *>(user);
    if (++spender->calls == 1) spender->status = Small(spender->ledger).fit(Options("0.1"));
    return 0;
}

void nothing_is_paid_while_an_entry_is_stored() {
    LedgerHandle ledger;
    check_status("create", dpa_ledger_create(nullptr, Options("1").handle, 0, &ledger.handle),
                 DPA_OK);
    Spender spender{ledger};
    check_status("store", dpa_ledger_set_store(ledger.handle, spend, &spender), DPA_OK);
    check_status("fit", Small(ledger).fit(Options("0.1")), DPA_OK);
    check_status("within", spender.status, DPA_E_STATE);
    check_true("one entry", spender.calls == 1 && ledger.entries() == 1);
}

void a_full_disk_stops_the_call() {
    // Room for half an entry, for a whole one less a byte, and for none.
    for (const rlim_t room : {rlim_t{2048}, rlim_t{4095}, rlim_t{0}})
        check_alone("full", [&] {
            const Folder folder;
            folder.make("1");
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{kBlock + room, kBlock + room};
            setrlimit(RLIMIT_FSIZE, &limit);
            const LedgerHandle ledger(folder.path);
            Guarded guarded;
            const Small problem(ledger);
            problem.target(guarded.rows, guarded.rows);
            check_status("fit", problem.fit(Options("0.5")), DPA_E_STORE);
            check_true("as recorded", folder.read().size() == kBlock && ledger.entries() == 0);
        });
}

void of_two_processes_one_gets_the_last_epsilon() {
    for (int round = 0; round < 10; ++round) {
        const Folder folder;
        folder.make("1");
        int gate[2];
        check_true("pipe", pipe(gate) == 0);
        pid_t racers[2];
        for (pid_t &racer : racers)
            racer = start([&] {
                close(gate[1]);
                const LedgerHandle ledger(folder.path);
                const Small problem(ledger);
                const Options options("0.9");
                char byte = 0;
                (void)!read(gate[0], &byte, 1);  // until the gate is closed
                const dpa_status status = problem.fit(options);
                return status == DPA_OK ? 10 : status == DPA_E_BUDGET ? 20 : 1;
            });
        close(gate[0]);
        close(gate[1]);
        check_true("one wins", finish(racers[0]) + finish(racers[1]) == 30);
        check_true("one entry", LedgerHandle(folder.path).entries() == 1);
    }
}

/** Both fit until nothing is left: together within the budget, and all of it is used. */
void two_processes_of_persons_stay_within_the_budget() {
    const Folder folder;
    folder.make("1", "person");
    pid_t racers[2];
    for (pid_t &racer : racers)
        racer = start([&] {
            const LedgerHandle ledger(folder.path);
            const Options options("0.2");
            for (;;) {
                const Small problem;
                problem.tell_persons();
                problem.use(ledger);
                const dpa_status status = problem.fit(options);
                if (status != DPA_OK) return status == DPA_E_BUDGET ? 0 : 1;
            }
        });
    for (const pid_t racer : racers) check_true("refused at last", finish(racer) == 0);
    const LedgerHandle ledger(folder.path);
    check_true("several", ledger.entries() >= 2);
    check_true("unit", ledger.report().find("\"unit\":\"person\"") != std::string::npos);
    const Small problem;
    problem.tell_persons();
    problem.use(ledger);
    const double left = problem.number("left_mu");
    const double each = problem.number("mu") * problem.number("mu") - left * left;
    check_true("within", left >= 0.0);
    check_true("not one more", left * left < each / static_cast<double>(ledger.entries()));
    check_status("beyond", problem.fit(Options("0.2")), DPA_E_BUDGET);
}

/** A ledger of persons pays for problems with persons alone, one of records for those without. */
void problems_of_the_other_unit_are_refused() {
    const Folder persons;
    persons.make("1", "person");
    const LedgerHandle of_persons(persons.path);
    const Folder records;
    records.make("1", "record");
    const LedgerHandle of_records(records.path);
    const auto refused = [](const char *what, dpa_status status) {
        check_status(what, status, DPA_E_STATE);
        const std::string text = dpa_last_error();
        check_true(text, text.find("unit = record") != std::string::npos &&
                             text.find("unit = person") != std::string::npos);
    };
    const Small plain;
    refused("no persons", dpa_problem_use_ledger(plain.handle, of_persons.handle));
    const Small grouped;
    grouped.tell_persons();
    refused("persons", dpa_problem_use_ledger(grouped.handle, of_records.handle));
    plain.use(of_records);
    refused("told later", plain.persons());
    grouped.use(of_persons);
    for (const auto &[name, value] : {std::pair{"private_domain", "source"}, {"unit", "record"}}) {
        const Options other("0.1");
        other.set(name, value);
        refused(name, grouped.fit(other));
    }
    const Options asked("0.1");
    asked.set("unit", "person");
    refused("records where persons are asked for", plain.fit(asked));
    check_true("nothing paid", of_persons.entries() == 0 && of_records.entries() == 0);
    check_status("persons", grouped.fit(asked), DPA_OK);
    // A target that comes later needs persons, too.
    const Small later;
    later.tell_persons();
    later.use(of_persons);
    later.target();
    check_status("records", later.fit(Options("0.1")), DPA_E_STATE);
    later.tell_persons();
    check_status("persons", later.fit(Options("0.1")), DPA_OK);
    check_true("two", of_persons.entries() == 2 && of_records.entries() == 0);
}

/** What others have paid is in the ledger's own report, not in models and reports. */
void models_do_not_grow_with_the_ledger() {
    constexpr int kCalls = 120;
    LedgerHandle ledger;
    check_status("create", dpa_ledger_create(nullptr, Options("4").handle, 1, &ledger.handle),
                 DPA_OK);
    std::size_t first = 0;
    for (int k = 0; k < kCalls; ++k) {
        const Small problem(ledger);
        dpa_solution *solution = nullptr;
        check_status("fit", dpa_solve(problem.handle, nullptr, Options("0.02").handle, &solution),
                     DPA_OK);
        std::size_t size = 0;
        (void)dpa_solution_serialize(solution, 0, nullptr, 0, &size);
        if (k == 0) first = size;
        // The report is in it twice, as JSON and as text; no call of others adds to either, but
        // for the
        // digits of its numbers.
        check_true("size " + std::to_string(size), size <= 15000 && size <= first + 512);
        std::string report(1 << 16, '\0');
        check_status("report",
                     dpa_solution_privacy_report(solution, DPA_REPORT_JSON, report.data(),
                                                 report.size(), nullptr),
                     DPA_OK);
        for (const std::string &part :
             {"\"entry_count\":" + std::to_string(k + 1) + ',',
              "\"own_entries\":[{\"sequence\":" + std::to_string(k + 1) + ',',
              std::string("\"locks\":true"), std::string("\"unit\":\"record\""),
              std::string("\"neighbours\":\"replace\""), std::string("locks its problems")})
            check_true(part, report.find(part) != std::string::npos);
        dpa_solution_destroy(solution);
    }
    const std::string all = ledger.report();
    check_true("all entries",
               all.find("\"sequence\":" + std::to_string(kCalls) + ',') != std::string::npos);
}

void killed_writers_leave_a_whole_ledger() {
    std::size_t entries = 0;
    for (useconds_t k = 0; k < 24; ++k) entries += kill_writers(3000 + k * 2711);
    check_true("some were killed while they wrote", entries > 50);
}

void problems_of_one_process_share_it() {
    LedgerHandle ledger;
    const Options budget("1");
    check_status("create", dpa_ledger_create(nullptr, budget.handle, 0, &ledger.handle), DPA_OK);
    const Small one(ledger);
    const Small two(ledger);
    const double before = two.number("left_mu");
    check_status("one", one.fit(Options("0.9")), DPA_OK);
    check_true("two sees it", two.number("left_mu") < before && two.number("spent_mu") == 0.0);
    check_status("two", two.fit(Options("0.9")), DPA_E_BUDGET);
    check_status("its budget is fixed", dpa_problem_set_budget(two.handle, budget.handle),
                 DPA_E_STATE);
    check_status("used twice", dpa_problem_use_ledger(two.handle, ledger.handle), DPA_E_STATE);
    check_true("options", ledger.report().find("\"options\":\"epsilon=0.9 delta=1e-06\"") !=
                              std::string::npos);
}

void seeds_of_one_problem_void_the_promise_of_the_other() {
    LedgerHandle ledger;
    check_status("create", dpa_ledger_create(nullptr, Options("1").handle, 0, &ledger.handle),
                 DPA_OK);
    const Options seeded("0.1");
    seeded.set("unsafe_seed", "1");
    check_status("seeded", Small(ledger).fit(seeded), DPA_OK);
    const Small other(ledger);
    dpa_solution *solution = nullptr;
    check_status("other", dpa_solve(other.handle, nullptr, Options("0.1").handle, &solution),
                 DPA_OK);
    std::int32_t protection = -1;
    check_status("privacy", dpa_solution_privacy(solution, &protection, nullptr, nullptr), DPA_OK);
    check_true("not private", protection == DPA_PROTECTION_SEEDED);
    dpa_solution_destroy(solution);
}

/** A ledger of three calls. */
void fill(const Folder &folder) {
    folder.make("1");
    const LedgerHandle ledger(folder.path);
    for (int k = 0; k < 3; ++k) check_status("fit", Small(ledger).fit(Options("0.1")), DPA_OK);
}

void check_refused(const Folder &folder, const std::string &what, const Bytes &bytes) {
    folder.write(bytes);
    dpa_ledger *ledger = nullptr;
    check_status(what, dpa_ledger_open(folder.path.c_str(), &ledger), DPA_E_FORMAT);
    check_status(what, dpa_ledger_deserialize(bytes.data(), bytes.size(), &ledger), DPA_E_FORMAT);
    check_true(what + ": no handle", ledger == nullptr);
}

void changed_files_are_refused() {
    const Folder folder;
    fill(folder);
    const Bytes good = folder.read();
    check_true("four blocks", good.size() == 4 * kBlock);
    if (failures != 0) return;
    for (std::size_t at = 0; at < good.size(); at += 131) {
        Bytes edited = good;
        edited[at] ^= 1;
        check_refused(folder, "edited at " + std::to_string(at), edited);
    }
    const auto block = [&](std::size_t k) { return good.begin() + static_cast<long>(k * kBlock); };
    Bytes reordered = good;
    std::swap_ranges(reordered.begin() + kBlock, reordered.begin() + 2 * kBlock,
                     reordered.begin() + 2 * kBlock);
    check_refused(folder, "reordered", reordered);
    Bytes shorter(good.begin(), block(1));
    shorter.insert(shorter.end(), block(2), good.end());
    check_refused(folder, "an entry is missing", shorter);
    Bytes doubled = good;
    doubled.insert(doubled.end(), block(3), good.end());
    check_refused(folder, "an entry is there twice", doubled);
    check_refused(folder, "no header", Bytes(block(1), good.end()));
    for (const std::size_t size : {std::size_t{1}, kBlock - 1, 2 * kBlock + 1, 4 * kBlock - 1})
        check_refused(folder, "cut at " + std::to_string(size),
                      Bytes(good.begin(), good.begin() + static_cast<long>(size)));
    folder.write(good);
    check_true("the good one", LedgerHandle(folder.path).entries() == 3);
}

void entries_that_a_process_has_seen_cannot_go() {
    const Folder folder;
    fill(folder);
    const LedgerHandle ledger(folder.path);
    const Small problem(ledger);
    const std::string report = ledger.report();
    const std::string head = report.substr(report.find("\"head\":\"") + 8, 64);
    std::int32_t contains = 0;
    check_status("head", dpa_ledger_contains(ledger.handle, head.c_str(), &contains), DPA_OK);
    check_true("head is there", contains == 1);
    Bytes cut = folder.read();
    cut.resize(3 * kBlock);
    folder.write(cut);
    check_status("cut between entries", problem.fit(Options("0.1")), DPA_E_FORMAT);
    const LedgerHandle fresh(folder.path);
    check_status("head", dpa_ledger_contains(fresh.handle, head.c_str(), &contains), DPA_OK);
    check_true("the head tells", contains == 0);
}

/** An older copy that went on, to as many entries or to more, lacks some that were seen. */
void another_history_is_refused() {
    const Folder folder;
    folder.make("1");
    const LedgerHandle seen(folder.path);
    const Small problem(seen);
    const Options options("0.1");
    check_status("fit", problem.fit(options), DPA_OK);
    const Bytes older = folder.read();
    for (int k = 0; k < 2; ++k) check_status("seen", problem.fit(options), DPA_OK);
    folder.write(older);
    const LedgerHandle other(folder.path);
    const Small unaware(other);
    const Options less("0.05");
    for (const std::size_t more : {1U, 2U, 3U}) {
        check_status("goes on", unaware.fit(less), DPA_OK);
        check_status("paid", problem.fit(options), DPA_E_FORMAT);
        check_status("told", dpa_ledger_report(seen.handle, DPA_REPORT_JSON, nullptr, 0, nullptr),
                     DPA_E_FORMAT);
        check_true("only the other's", folder.read().size() == older.size() + more * kBlock);
    }
}

/** Of both or of none, whoever has too little. */
void a_part_of_a_budget_is_paid_from_the_whole() {
    const Folder whole_folder;
    const Folder folder;
    whole_folder.make("1");
    folder.make("0.8");
    const LedgerHandle whole(whole_folder.path);
    const LedgerHandle part(folder.path);
    check_status("parent", dpa_ledger_set_parent(part.handle, whole.handle), DPA_OK);
    check_status("again", dpa_ledger_set_parent(part.handle, whole.handle), DPA_OK);
    const Small problem(part);
    check_status("fit", problem.fit(Options("0.5")), DPA_OK);
    check_true("both", part.entries() == 1 && whole.entries() == 1);
    check_status("the part has too little", problem.fit(Options("0.75")), DPA_E_BUDGET);
    check_true("none", part.entries() == 1 && whole.entries() == 1);
    check_status("another", Small(whole).fit(Options("0.7")), DPA_OK);
    check_status("the whole has too little", problem.fit(Options("0.55")), DPA_E_BUDGET);
    check_true("none of the part", part.entries() == 1 && whole.entries() == 2);
}

void ledgers_that_can_be_no_parent_are_refused() {
    const Folder folder;
    folder.make("1");
    const LedgerHandle one(folder.path);
    const LedgerHandle same(folder.path);
    LedgerHandle two;
    LedgerHandle three;
    LedgerHandle locking;
    LedgerHandle other;
    LedgerHandle of_persons;
    const Options options("1");
    for (LedgerHandle *whole : {&two, &three})
        check_status("create", dpa_ledger_create(nullptr, options.handle, 0, &whole->handle),
                     DPA_OK);
    check_status("create", dpa_ledger_create(nullptr, options.handle, 1, &locking.handle), DPA_OK);
    options.set("unit", "person");
    check_status("create", dpa_ledger_create(nullptr, options.handle, 0, &of_persons.handle),
                 DPA_OK);
    options.set("unit", "record");
    options.set("neighbours", "zero_out");
    check_status("create", dpa_ledger_create(nullptr, options.handle, 0, &other.handle), DPA_OK);
    for (dpa_ledger *parent :
         {one.handle, same.handle, locking.handle, other.handle, of_persons.handle})
        check_status("no parent", dpa_ledger_set_parent(one.handle, parent), DPA_E_STATE);
    check_status("parent", dpa_ledger_set_parent(one.handle, two.handle), DPA_OK);
    check_status("cycle", dpa_ledger_set_parent(two.handle, one.handle), DPA_E_STATE);
    check_status("second", dpa_ledger_set_parent(one.handle, three.handle), DPA_E_STATE);
}

/** The format of now must be read for ever. */
void the_saved_format_stays() {
    const std::string path =
        std::string(std::getenv("DPADAPT_SOURCE_DIR")) + "/tests/data/saved/ledger-1.bin";
    const LedgerHandle ledger(path);
    check_true("entries", ledger.entries() == 2);
    const std::string report = ledger.report();
    for (const char *part :
         {"\"epsilon\":1,", "\"target_rows\":40", "\"options\":\"epsilon=0.1 delta=1e-06\"",
          "\"head\":\"daceb4e05b85cce6335bb48049ff49f48f0b3ecb0cb59de2c0ce6a312a8806fc\"",
          "gradient of the predictor (target, Gaussian, 20 of dimension 2"})
        check_true(part, report.find(part) != std::string::npos);
}

void a_locked_problem_refuses_for_good() {
    LedgerHandle ledger;
    check_status("create", dpa_ledger_create(nullptr, Options("1").handle, 1, &ledger.handle),
                 DPA_OK);
    const Small locked(ledger);
    const Small other;
    check_status("budget", dpa_problem_set_budget(other.handle, Options("1").handle), DPA_OK);
    check_status("lock", dpa_problem_lock(other.handle, nullptr), DPA_OK);
    for (const Small *problem : {&locked, &other}) {
        for (const auto &[name, value] : {std::pair{"private_domain", "none"},
                                          {"private_domain", "source"},
                                          {"unsafe_seed", "1"}}) {
            const Options options("0.1");
            options.set(name, value);
            if (std::strcmp(value, "none") == 0) {
                options.set("epsilon", "unset");
                options.set("delta", "unset");
            }
            check_status(name, problem->fit(options), DPA_E_STATE);
            dpa_plan *plan = nullptr;
            if (std::strcmp(value, "none") != 0)
                check_status(name, dpa_plan_for_problem(problem->handle, options.handle, &plan),
                             DPA_E_STATE);
            dpa_discrepancy *estimate = nullptr;
            check_status(name, dpa_discrepancy_estimate(problem->handle, options.handle, &estimate),
                         DPA_E_STATE);
        }
        const double x[2] = {0.0, 1.0};
        check_status("inspect",
                     dpa_inspect_private(problem->handle, Options("1").handle, nullptr, 0, nullptr),
                     DPA_E_STATE);
        check_status(
            "replace",
            dpa_problem_set_sample(problem->handle, DPA_TARGET, dpa_matrix{x, 2, 1, 1, 1}, x, 2),
            DPA_E_STATE);
        check_status("private fits go on", problem->fit(Options("0.1")), DPA_OK);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(nothing_is_read_before_the_entry_is_stored),
        core_test(a_store_that_refuses_stops_the_call_and_the_charge_stands),
        core_test(nothing_is_paid_while_an_entry_is_stored),
        core_test(a_full_disk_stops_the_call),
        core_test(of_two_processes_one_gets_the_last_epsilon),
        core_test(two_processes_of_persons_stay_within_the_budget),
        core_test(problems_of_the_other_unit_are_refused),
        core_test(models_do_not_grow_with_the_ledger),
        core_test(killed_writers_leave_a_whole_ledger),
        core_test(problems_of_one_process_share_it),
        core_test(seeds_of_one_problem_void_the_promise_of_the_other),
        core_test(changed_files_are_refused),
        core_test(entries_that_a_process_has_seen_cannot_go),
        core_test(another_history_is_refused),
        core_test(a_part_of_a_budget_is_paid_from_the_whole),
        core_test(ledgers_that_can_be_no_parent_are_refused),
        core_test(the_saved_format_stays),
        core_test(a_locked_problem_refuses_for_good),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
