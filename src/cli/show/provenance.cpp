#include <sodium.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/read/failure.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

/** SHA-256, in hexadecimal. */
std::string digest_of(std::istream &bytes) {
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    std::array<char, 1U << 16U> part{};
    while (bytes.read(part.data(), part.size()), bytes.gcount() > 0)
        crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char *>(part.data()),
                                  static_cast<unsigned long long>(bytes.gcount()));
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state, digest.data());
    return hexadecimal(digest);
}

/** Of a file; null for standard input and pipes, which cannot be read again. */
Json sha256_of_file(const std::string &path) {
    std::error_code error;
    if (path == "-" || !std::filesystem::is_regular_file(path, error)) return nullptr;
    std::ifstream file(path, std::ios::binary);
    const std::string digest = digest_of(file);
    return file.eof() ? Json(digest) : Json(nullptr);
}

/** @param elsewhere  Rows that are not here. */
Json describe(const char *sample, const std::string &path, const Sample &rows,
              std::size_t elsewhere = 0) {
    if (rows.is_private) return {{"sample", sample}, {"file", path}, {"private", true}};
    return {{"sample", sample},
            {"file", path},
            {"rows", rows.y.size() + elsewhere},
            {"sha256", sha256_of_file(path)}};
}

/** What the user said about columns and labels, as arguments. */
std::vector<std::string> chosen_by(const DataArguments &data) {
    using Texts = std::vector<std::string>;
    std::vector<std::string> chosen;
    for (const auto &[flag, values] : {std::pair("--features", data.features),
                                       {"--ignore", data.ignored},
                                       {"--compute", data.computed},
                                       {"--categories", data.categories},
                                       {"--missing", data.missing},
                                       {"--own", data.own},
                                       {"--positive", Texts{data.positive}},
                                       {"--group", Texts{data.group}},
                                       {"--weight", Texts{data.weights}},
                                       {"--scores", Texts{data.scores}}})
        for (const std::string &value : values)
            if (!value.empty()) chosen.push_back(std::string(flag) + ' ' + value);
    return chosen;
}

}  // namespace

Json provenance(const DataArguments &data, const std::vector<std::string> &assignments,
                const Samples &samples) {
    Json result = {{"date", in_utc(static_cast<std::uint64_t>(std::time(nullptr)))},
                   {"command", "fit"},
                   {"options", assignments},
                   {"columns_by", chosen_by(data)}};
    Json files = Json::array();
    if (data.data.empty()) {
        files.push_back(describe("source", data.source, samples.source, samples.source_elsewhere));
        files.push_back(describe("target", data.target, samples.target));
        if (!data.source_map.empty())
            files.push_back({{"sample", "map of the source"},
                             {"file", data.source_map},
                             {"sha256", sha256_of_file(data.source_map)}});
    } else {
        Sample rows;
        rows.is_private = samples.source.is_private || samples.target.is_private;
        rows.y.resize(rows.is_private ? 0 : samples.source.y.size() + samples.target.y.size());
        files.push_back(describe("both", data.data, rows));
    }
    result["data"] = files;
    result["label"] = data.label;
    result["columns"] = samples.schema.names();
    result["model_sha256"] = nullptr;
    return result;
}

void add_model(const std::string &text, Json &provenance) {
    std::istringstream bytes(text);
    provenance["model_sha256"] = digest_of(bytes);
}

namespace {

/** Failure(kBadData) unless it has the members of a provenance. */
void check_provenance(const Json &provenance, const std::string &name) {
    constexpr std::array kNames = {"date", "command", "options", "columns_by",
                                   "data", "label",   "columns", "model_sha256"};
    const auto wrong = [&](const std::string &member, const char *what) {
        throw Failure(kBadData, name + ": \"provenance/" + member + "\" " + what);
    };
    for (const char *member : kNames)
        if (!provenance.contains(member)) wrong(member, "is missing");
    for (const auto &[member, value] : provenance.items())
        if (std::find(kNames.begin(), kNames.end(), member) == kNames.end())
            wrong(member, "is unknown");
}

}  // namespace

Json checked_report(const std::string &text, const std::string &name, const LedgerHandle &ledger) {
    const auto *data = reinterpret_cast<const std::uint8_t *>(text.data());
    if (dpa_report_check(data, text.size(), "provenance", ledger.get()) != DPA_OK)
        throw Failure(kBadData, name + ": " + dpa_last_error());
    try {
        Json report = Json::parse(text);
        if (report.contains("provenance")) check_provenance(report["provenance"], name);
        return report;
    } catch (const Json::exception &error) {
        throw Failure(kBadData, name + ": " + error.what());
    }
}

std::string words_of_signer(const Json &report) {
    std::string text;
    for (const char *name : {"call", "provenance"})
        if (report.contains(name) && !report[name].empty())
            text += std::string("  ") + name + ": " + report[name].dump(-1, ' ', true) + '\n';
    if (report["shared_ledger"].is_null()) return text;
    for (const Json &entry : report["shared_ledger"]["own_entries"])
        text += "  options of entry " + entry["sequence"].dump() + ": " +
                entry["options"].dump(-1, ' ', true) + '\n';
    return text;
}

}  // namespace dpadapt::cli
