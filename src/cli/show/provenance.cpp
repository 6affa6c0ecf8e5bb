#include "cli/show/provenance.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "cli/read/failure.hpp"

namespace dpadapt::cli {

namespace {

std::string in_hexadecimal(const std::array<unsigned char, crypto_hash_sha256_BYTES> &digest) {
    std::string text(2 * digest.size() + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
    text.pop_back();  // the final zero
    return text;
}

std::string sha256(const std::string &text) {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char *>(text.data()),
                       text.size());
    return in_hexadecimal(digest);
}

/** Of a file; null for standard input and pipes, which cannot be read again. */
Json sha256_of_file(const std::string &path) {
    std::error_code error;
    if (path == "-" || !std::filesystem::is_regular_file(path, error)) return nullptr;
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    std::ifstream file(path, std::ios::binary);
    std::array<char, 1U << 16U> part{};
    while (file.read(part.data(), part.size()), file.gcount() > 0)
        crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char *>(part.data()),
                                  static_cast<unsigned long long>(file.gcount()));
    if (!file.eof()) return nullptr;
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state, digest.data());
    return in_hexadecimal(digest);
}

/** UTC, as ISO 8601 writes it. */
std::string now() {
    const std::time_t time = std::time(nullptr);
    std::tm parts{};
    std::array<char, 32> text{};
    if (gmtime_r(&time, &parts) == nullptr ||
        std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        return "";
    return text.data();
}

/** @param elsewhere  Rows that are not here. */
Json describe(const char *sample, const std::string &path, const Sample &rows,
              std::size_t elsewhere = 0) {
    Json file = {{"sample", sample}, {"file", path}};
    if (rows.is_private) {
        file["private"] = true;
        return file;
    }
    file["rows"] = rows.y.size() + elsewhere;
    file["sha256"] = sha256_of_file(path);
    return file;
}

/** What the user said about columns and labels, as arguments. */
std::vector<std::string> chosen_by(const DataArguments &data) {
    std::vector<std::string> texts;
    const auto add = [&](const char *flag, const std::vector<std::string> &values) {
        for (const std::string &value : values) texts.push_back(std::string(flag) + ' ' + value);
    };
    add("--features", data.features);
    add("--ignore", data.ignored);
    add("--categories", data.categories);
    add("--missing", data.missing);
    add("--own", data.own);
    if (!data.positive.empty()) add("--positive", {data.positive});
    if (!data.group.empty()) add("--group", {data.group});
    if (!data.weights.empty()) add("--weight", {data.weights});
    if (!data.scores.empty()) add("--scores", {data.scores});
    return texts;
}

}  // namespace

Json provenance(const std::string &command, const DataArguments &data,
                const std::vector<std::string> &assignments, const Samples &samples) {
    Json result = {{"date", now()},
                   {"command", command},
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
    provenance["model_sha256"] = sha256(text);
}

std::string provenance_text(const Json &provenance) {
    const auto list = [](const Json &values, const char *separator) {
        std::string text;
        for (const Json &value : values)
            text += (text.empty() ? "" : separator) + value.get<std::string>();
        return text.empty() ? std::string("-") : text;
    };
    std::string text = "Date: " + provenance["date"].get<std::string>() + "\nCommand: dpadapt " +
                       provenance["command"].get<std::string>() +
                       "\nOptions that were set: " + list(provenance["options"], " ") + '\n';
    if (!provenance["columns_by"].empty())
        text += "Columns and labels by: " + list(provenance["columns_by"], " ") + '\n';
    for (const Json &file : provenance["data"]) {
        text +=
            "Data (" + file["sample"].get<std::string>() + "): " + file["file"].get<std::string>();
        if (file.contains("private")) {
            text += ", private: a digest would let guesses be checked\n";
            continue;
        }
        if (file.contains("rows")) text += ", " + file["rows"].dump() + " rows";
        if (file["sha256"].is_string()) text += ", SHA-256 " + file["sha256"].get<std::string>();
        text += '\n';
    }
    text += "Label: " + provenance["label"].get<std::string>() +
            "\nColumns: " + list(provenance["columns"], ", ") + '\n';
    if (provenance["model_sha256"].is_string())
        text += "Model: SHA-256 " + provenance["model_sha256"].get<std::string>() + '\n';
    return text;
}

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

std::string with_provenance(const std::string &report, const Json &provenance) {
    std::string text = report;
    const std::string end = text.ends_with('\n') ? "}\n" : "}";
    text.resize(text.size() - end.size());
    return text + ",\"provenance\":" + provenance.dump() + end;
}

}  // namespace dpadapt::cli
