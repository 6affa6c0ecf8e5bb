#include "cli/run/job.hpp"

#include <dpadapt/ledger.h>
#include <sodium.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/platform/target.hpp"

namespace dpadapt::cli {

namespace {

constexpr const char *kFormat = "dpadapt-job-1";
constexpr std::size_t kKey = 32;
constexpr std::size_t kMostLetters = 48;

using Key = std::array<unsigned char, kKey>;

const std::vector<std::string> kOutputs{"--output", "--report", "--validation-report"};
const std::vector<std::string> kInputs{"--source", "--add-source", "--source-map", "--target",
                                       "--data",   "--test",       "--validation", "--model"};

Job *running_job = nullptr;

/** Nothing where the command has no such argument, or it is not given. */
std::vector<std::string> values_of(const Command &command, const std::string &flag) {
    const Argument *argument = command.get_option_no_throw(flag);
    return argument == nullptr ? std::vector<std::string>() : argument->results();
}

std::string given(const Command &command, const std::string &flag) {
    const std::vector<std::string> values = values_of(command, flag);
    return values.empty() ? "" : values.front();
}

std::string job_file(const Command &command) {
    const std::string name = given(command, "--job");
    return name.empty() ? "" : given(command, "--ledger") + ".job-" + name + ".json";
}

Key from_hexadecimal(const std::string &text) {
    Key key{};
    std::size_t size = 0;
    if (sodium_hex2bin(key.data(), key.size(), text.data(), text.size(), nullptr, &size, nullptr) !=
            0 ||
        size != key.size())
        throw Failure(kBadData, "the file of the job is damaged");
    return key;
}

std::string random_key() {
    Key key{};
    if (sodium_init() < 0) throw Failure(kComputationFailed, "no random numbers");
    randombytes_buf(key.data(), key.size());
    std::string text = hexadecimal(key);
    sodium_memzero(key.data(), key.size());
    return text;
}

/** BLAKE2b under the key. */
Key digest_of(std::istream &bytes, const Key &key) {
    crypto_generichash_state state;
    crypto_generichash_init(&state, key.data(), key.size(), kKey);
    std::array<char, 1U << 16U> part{};
    while (bytes.read(part.data(), part.size()), bytes.gcount() > 0)
        crypto_generichash_update(&state, reinterpret_cast<const unsigned char *>(part.data()),
                                  static_cast<unsigned long long>(bytes.gcount()));
    Key digest{};
    crypto_generichash_final(&state, digest.data(), digest.size());
    return digest;
}

/** What the command line says beside where results go. */
Json request_of(const Command &command) {
    Json request = {{"command", command.get_name()}};
    for (const Argument *argument : command.get_options()) {
        const std::string flag = argument->get_name();
        if (argument->count() == 0 || flag == "--job" || flag == "--ledger") continue;
        if (contains(kOutputs, flag))  // whose name tells the form
            request[flag] = std::filesystem::path(argument->results().front()).extension().string();
        else
            request[flag] = argument->results();
    }
    return request;
}

/** What the bits of a result depend on besides its input. */
Json build_of_numbers() {
    const char *facts = dpa_build_info();
    if (facts == nullptr) throw Failure(kComputationFailed, "memory exhausted");
    Json build = Json::parse(facts);
    build.erase("blas_threads");  // no result depends on them
    return build;
}

}  // namespace

Job *Job::running() { return running_job; }

Job::Job(const Command &command)
    : command_(command),
      name_(given(command, "--job")),
      ledger_(given(command, "--ledger")),
      path_(job_file(command)),
      request_(request_of(command)) {
    constexpr const char *kLetters =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    if (name_.empty() || name_.size() > kMostLetters ||
        name_.find_first_not_of(kLetters) != std::string::npos)
        throw Failure(kUsage,
                      "--job needs a name of 1 to 48 letters, digits, hyphens and underscores");
    for (const std::string &flag : kInputs)
        for (const std::string &path : values_of(command, flag)) {
            std::error_code error;
            if (path == "-" || (std::filesystem::exists(path, error) &&
                                !std::filesystem::is_regular_file(path, error)))
                throw Failure(kUsage, flag + ": a job reads files, which can be read again");
            inputs_.push_back({flag, path});
        }
    load();
    if (file_.is_null() && has_paid()) {
        load();  // meanwhile another process may have begun it, and only then paid
        if (file_.is_null())
            throw Failure(kUsage,
                          "the ledger has paid for the job " + name_ + ", but " + path_ +
                              ", which has its result, is gone: give this one another name");
    }
    if (file_.is_null()) begin();
    const std::string problem = problem_with_file();
    if (problem.empty()) return;
    if (is_done() || has_paid())
        throw Failure(kUsage, "the job " + name_ + " is paid for, with " + problem +
                                  ": this is another release, give it another name");
    std::error_code error;
    std::filesystem::remove(path_, error);  // nothing was paid: it begins anew
    begin();
}

Job::~Job() {
    running_job = nullptr;
    Output::collect(nullptr);
    for (const char *member : {"secret", "salt"}) wipe(member);
}

void Job::wipe(const char *member) {
    if (!file_.contains(member)) return;
    auto &text = file_[member].get_ref<std::string &>();
    sodium_memzero(text.data(), text.size());
}

/** What is not as it was when the job began; empty: nothing. */
std::string Job::problem_with_file() const {
    if (file_["request"] != request_) return "other arguments or options";
    const Json now = digests();
    for (std::size_t k = 0; k < inputs_.size(); ++k)
        if (now[k] != file_["files"][k])
            return "another content of " + inputs_[k].flag + ' ' + inputs_[k].path;
    return {};
}

/** Of the content of all files, private ones as well: under the salt, which stays in the file. */
Json Job::digests() const {
    Json list = Json::array();
    const Key salt = from_hexadecimal(file_["salt"]);
    for (const auto &[flag, path] : inputs_) {
        std::ifstream file(path, std::ios::binary);
        const Key digest = digest_of(file, salt);
        if (!file.eof())
            throw Failure(kBadData, path + ": cannot be read: " + std::strerror(errno));
        list.push_back(hexadecimal(digest));
    }
    return list;
}

bool Job::has_paid() const {
    const Json ledger = json_by(dpa_ledger_report, open_ledger_file(ledger_));
    for (const Json &entry : ledger["entries"]) {
        const std::string options = entry["options"];
        for (const char *end : {"/", "."})
            if (options.starts_with("job=" + name_ + end)) return true;
    }
    return false;
}

void Job::load() {
    std::error_code error;
    if (!std::filesystem::exists(path_, error)) return;
    const bool is_regular = std::filesystem::is_regular_file(path_, error);  // a pipe would wait
    file_ =
        is_regular ? Json::parse(std::ifstream(path_, std::ios::binary), nullptr, false) : Json();
    if (!file_.is_object() || file_.value("format", "") != kFormat || !file_.contains("request") ||
        !file_.contains("files") || !file_["files"].is_array())
        throw Failure(kBadData, path_ + ": is no file of a job, or damaged");
}

/** Its file is complete and on the disk, or there is none. If another process was faster, that
 *  one's counts. */
void Job::begin() {
    file_ = {{"format", kFormat},   {"job", name_},           {"state", "begun"},
             {"request", request_}, {"secret", random_key()}, {"salt", random_key()}};
    file_["files"] = digests();
    const std::string folder = platform::files::folder_of(path_);
    NewFile made(folder, 0600);
    std::error_code error;
    const bool written = made.is_open() && made.write(file_.dump() + '\n');
    if (!written) fail_at(path_);
    std::filesystem::create_hard_link(made.path(), path_, error);
    if (error && error != std::errc::file_exists)
        throw Failure(kNotWritten, path_ + ": cannot be written: " + error.message());
    if (!platform::files::sync_folder(folder.c_str())) fail_at(path_);
    load();
}

void Job::use(const ProblemHandle &problem, const LedgerHandle &ledger) {
    if (digests() != file_["files"])
        throw Failure(kBadData, "a file of the job " + name_ + " changed while it was read");
    Key secret = from_hexadecimal(file_["secret"]);
    const std::string name = problems_ == 0 ? name_ : name_ + '.' + std::to_string(problems_);
    std::istringstream input(Json{
        {"build", build_of_numbers()},
        {"request", request_},
        {"files", file_["files"]},
        {"problem", problems_}}.dump());
    ++problems_;
    Key key = digest_of(input, secret);
    const dpa_status status = dpa_problem_use_ledger_for_job(problem.get(), ledger.get(),
                                                             name.c_str(), key.data(), key.size());
    sodium_memzero(secret.data(), secret.size());
    sodium_memzero(key.data(), key.size());
    check(status);
}

void Job::run(const std::function<void()> &call) {
    running_job = this;
    collected_.place = path_;
    Output::collect(&collected_);
    try {
        call();
    } catch (const Failure &failure) {
        Output::collect(nullptr);
        if (!has_paid()) throw;
        throw Failure(failure.code(), std::string(failure.what()) + "; the job " + name_ +
                                          " is paid for: the same command goes on with it, and "
                                          "pays no more");
    }
    Output::collect(nullptr);
    keep();
    answer();
}

/** The result takes the place of the secret, at once and for good. */
void Job::keep() {
    Json writes = Json::array();
    for (const Collected::Text &one : collected_.texts) {
        std::string flag;
        for (const std::string &output : kOutputs)
            if (!one.path.empty() && given(command_, output) == one.path) flag = output;
        writes.push_back(
            {{"argument", flag}, {"text", one.text}, {"owner", one.readers == Readers::owner}});
    }
    const Json done = {{"format", kFormat},   {"job", name_},          {"state", "done"},
                       {"request", request_}, {"salt", file_["salt"]}, {"files", file_["files"]},
                       {"writes", writes}};
    collected_.keep(done.dump() + '\n');
    wipe("secret");
    file_ = done;
}

void Job::answer() const {
    try {
        for (const Json &one : file_["writes"]) {
            const std::string flag = one["argument"];
            Output(flag.empty() ? "" : given(command_, flag),
                   one["owner"].get<bool>() ? Readers::owner : Readers::by_umask)
                .write(one["text"].get_ref<const std::string &>());
        }
    } catch (const Failure &failure) {
        throw Failure(kRescued, std::string(failure.what()) +
                                    "; the result, which is paid for, is in " + path_ +
                                    ": the same command writes it again");
    }
}

namespace {

/** An output is not overwritten before it is known to be none of the files that the command line
 *  names, nor that of its job. */
void check_files(const Command &command) {
    const std::vector<std::string> kinds{"FILE",   "FILE.csv",    "MODEL.json",
                                         "REPORT", "REPORT.json", "PAGE.html"};
    std::vector<NamedFile> inputs{{"the file of the job", job_file(command)}};
    std::vector<NamedFile> outputs;
    for (const std::string &flag : kOutputs) outputs.push_back({flag, given(command, flag)});
    for (const Argument *argument : command.get_options()) {
        const std::string flag = argument->get_name();
        if (contains(kOutputs, flag) || !contains(kinds, argument->get_type_name())) continue;
        for (const std::string &path : argument->results()) inputs.push_back({flag, path});
    }
    check_outputs(outputs, inputs);
}

}  // namespace

void run_command(const Command &command, const std::function<void()> &call) {
    check_files(command);
    if (values_of(command, "--job").empty()) return call();
    Job made(command);
    if (made.is_done()) return made.answer();
    made.run(call);
}

}  // namespace dpadapt::cli
