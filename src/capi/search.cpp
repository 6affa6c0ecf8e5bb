#include <dpadapt/select.h>

#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "capi/arrays.hpp"
#include "capi/candidates.hpp"
#include "capi/guard.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

std::string without_blanks(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = text.find_last_not_of(" \t") + 1;
    return std::string(text.substr(begin, std::max(begin, end) - begin));
}

/** The values of an axis, each of which the option accepts. */
std::vector<std::string> checked_values(Option option, std::string_view text) {
    OptionValues values;
    std::vector<std::string> list;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        list.push_back(without_blanks(text.substr(at, end - at)));
        values.parse(option, list.back());
        at = end + 1;
    }
    return list;
}

/** Reads something of a candidate, after a run. */
template <typename Read>
void of_candidate(const dpa_search *search, std::size_t index, const Read &read) {
    const dpa_search &handle = checked(search, "search");
    const Usage::Hold hold(handle.usage, false);
    if (!handle.table) throw Error(DPA_E_STATE, "the search has not run yet");
    if (index >= handle.table->points.size())
        throw Error(DPA_E_INVALID_ARGUMENT,
                    "index must be below " + std::to_string(handle.table->points.size()) +
                        ", the number of candidates, but is " + std::to_string(index));
    read(handle, *handle.table);
}

const std::string &value_of(const dpa_search &search, std::uint64_t point, std::string_view name) {
    const std::vector<std::size_t> places = search.grid.places(point);
    const std::vector<select::Axis> &axes = search.grid.axes();
    for (std::size_t k = 0; k < axes.size(); ++k)
        if (axes[k].name == name) return axes[k].values[places[k]];
    throw Error(DPA_E_OPTION_NAME, "the search has no axis " + quoted(name));
}

}  // namespace

dpa_status dpa_search_create(dpa_search **out) {
    return guard("dpa_search_create", [&] { create(out); });
}

void dpa_search_destroy(dpa_search *search) { destroy(search); }

dpa_status dpa_search_add(dpa_search *search, const char *option, const char *values) {
    return guard("dpa_search_add", [&] {
        dpa_search &handle = checked(search, "search");
        const Usage::Hold hold(handle.usage, true);
        const Option axis = find_option(&required(option, "option"));
        if (std::find(kCommonOptions.begin(), kCommonOptions.end(), axis) != kCommonOptions.end())
            throw Error(DPA_E_OPTION, std::string("option ") + option +
                                          " is about all candidates and cannot be an axis");
        handle.grid.add({option, checked_values(axis, &required(values, "values"))});
        handle.table.reset();
    });
}

dpa_status dpa_search_draw(dpa_search *search, uint64_t count, uint64_t seed) {
    return guard("dpa_search_draw", [&] {
        dpa_search &handle = checked(search, "search");
        const Usage::Hold hold(handle.usage, true);
        handle.grid.draw(count, seed);
        handle.table.reset();
    });
}

dpa_status dpa_search_count(const dpa_search *search, uint64_t *count) {
    return guard("dpa_search_count", [&] {
        const dpa_search &handle = checked(search, "search");
        const Usage::Hold hold(handle.usage, false);
        required(count, "count") = handle.grid.count();
    });
}

dpa_status dpa_search_chosen(const dpa_search *search, size_t *index) {
    return guard("dpa_search_chosen", [&] {
        of_candidate(search, 0, [&](const dpa_search &, const SearchTable &table) {
            required(index, "index") = table.chosen;
        });
    });
}

dpa_status dpa_search_setting(const dpa_search *search, size_t index, const char *option, char *out,
                              size_t out_len, size_t *needed) {
    return guard("dpa_search_setting", [&] {
        of_candidate(search, index, [&](const dpa_search &handle, const SearchTable &table) {
            fill_text(value_of(handle, table.points[index], &required(option, "option")), out,
                      out_len, needed);
        });
    });
}

dpa_status dpa_search_status(const dpa_search *search, size_t index, dpa_status *status) {
    return guard("dpa_search_status", [&] {
        of_candidate(search, index, [&](const dpa_search &, const SearchTable &table) {
            required(status, "status") = table.status[index];
        });
    });
}

dpa_status dpa_search_reason(const dpa_search *search, size_t index, char *out, size_t out_len,
                             size_t *needed) {
    return guard("dpa_search_reason", [&] {
        of_candidate(search, index, [&](const dpa_search &, const SearchTable &table) {
            fill_text(table.reason[index], out, out_len, needed);
        });
    });
}

dpa_status dpa_search_loss(const dpa_search *search, size_t index, double *loss) {
    return guard("dpa_search_loss", [&] {
        of_candidate(search, index, [&](const dpa_search &, const SearchTable &table) {
            if (table.losses.empty())
                throw Error(DPA_E_NOT_RELEASABLE,
                            "of a selection by private rows only the chosen index is released");
            required(loss, "loss") = table.losses[index];
        });
    });
}
