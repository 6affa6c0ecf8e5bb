#include "cli/search.hpp"

#include <cmath>

#include "cli/arguments.hpp"
#include "cli/chunks.hpp"
#include "cli/failure.hpp"

namespace dpadapt::cli {
namespace {

std::string key_of(const std::string &axis) { return axis.substr(0, axis.find('=')); }

std::string setting(const dpa_search *search, std::size_t candidate, const std::string &key) {
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_search_setting(search, candidate, key.c_str(), out, size, needed);
    });
}

std::string reason(const dpa_search *search, std::size_t candidate) {
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_search_reason(search, candidate, out, size, needed);
    });
}

/** Null where it is not released, not finite, or where there is no fit. */
Json loss(const dpa_search *search, std::size_t candidate) {
    double value = 0.0;
    const dpa_status status = dpa_search_loss(search, candidate, &value);
    if (status == DPA_E_NOT_RELEASABLE) return nullptr;
    check(status);
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json candidate_report(const dpa_search *search, std::size_t candidate,
                      const std::vector<std::string> &grid) {
    Json settings = Json::object();
    for (const std::string &axis : grid)
        settings[key_of(axis)] = setting(search, candidate, key_of(axis));
    dpa_status status = DPA_OK;
    check(dpa_search_status(search, candidate, &status));
    return {{"settings", settings},
            {"status", dpa_status_string(status)},
            {"reason", reason(search, candidate)},
            {"loss", loss(search, candidate)}};
}

}  // namespace

SearchHandle make_search(const std::vector<std::string> &grid, std::uint64_t draw,
                         std::uint64_t seed) {
    dpa_search *search = nullptr;
    check(dpa_search_create(&search));
    SearchHandle handle(search);
    for (const std::string &axis : grid) {
        const std::string key = key_of(axis);
        if (key.empty() || key.size() == axis.size())
            throw Failure(kUsage, "--grid needs key=a,b,c, not \"" + axis + '"');
        check(dpa_search_add(search, key.c_str(), axis.c_str() + key.size() + 1));
    }
    std::uint64_t count = 0;
    check(dpa_search_count(search, &count));
    if (draw > count)
        throw Failure(
            kUsage, "--draw is more than the " + std::to_string(count) + " combinations of --grid");
    check(dpa_search_draw(search, draw, seed));
    return handle;
}

Json search_report(const dpa_search *search, const std::vector<std::string> &grid) {
    std::uint64_t count = 0;
    std::size_t chosen = 0;
    check(dpa_search_count(search, &count));
    check(dpa_search_chosen(search, &chosen));
    Json candidates = Json::array();
    for (std::size_t k = 0; k < count; ++k) candidates.push_back(candidate_report(search, k, grid));
    const Json settings = candidates[chosen]["settings"];
    return {{"chosen", chosen}, {"settings", settings}, {"candidates", candidates}};
}

std::string search_text(const Json &report) {
    std::string text = "Candidates\n";
    std::size_t index = 0;
    for (const Json &candidate : report["candidates"]) {
        text += index++ == report["chosen"] ? "* " : "  ";
        for (const auto &[key, value] : candidate["settings"].items())
            text += key + '=' + value.get<std::string>() + "  ";
        if (candidate["loss"].is_number())
            text += "loss " + to_text(candidate["loss"].get<double>());
        else if (candidate["status"] == "DPA_OK")
            text += "loss not released";
        else
            text += candidate["status"].get<std::string>() + ": " +
                    candidate["reason"].get<std::string>();
        text += '\n';
    }
    if (report.contains("notes"))
        for (const Json &note : report["notes"]) text += note["note"].get<std::string>() + '\n';
    return text;
}

}  // namespace dpadapt::cli
