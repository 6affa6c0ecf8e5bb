#include "cli/read/arguments.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "cli/read/failure.hpp"

namespace dpadapt::cli {

Domain domain_of(const DataArguments &arguments) {
    const std::string &text = arguments.domain;
    const auto refuse = [&] {
        throw Failure(kUsage, "--domain needs COLUMN or COLUMN=SOURCE,TARGET with two words, not " +
                                  text + " (a name with = stands between double quotes)");
    };
    // As in lists, a quote within a quoted name is two.
    std::string column;
    std::size_t end = 0;
    if (text.starts_with('"')) {
        for (end = 1; end < text.size(); ++end) {
            if (text[end] == '"' && text.compare(end, 2, "\"\"") != 0) break;
            if (text[end] == '"') ++end;
            column += text[end];
        }
        if (end++ >= text.size()) refuse();
    } else {
        end = std::min(text.find('='), text.size());
        column = text.substr(0, end);
    }
    if (end == text.size()) return {.column = column};
    const std::size_t comma = text.find(',', end);
    Domain domain{column, text.substr(end + 1, comma - end - 1),
                  comma == std::string::npos ? "" : text.substr(comma + 1)};
    if (text[end] != '=' || domain.column.empty() || domain.source.empty() ||
        domain.target.empty() || domain.source == domain.target ||
        domain.target.find(',') != std::string::npos)
        refuse();
    return domain;
}

std::vector<schema::Computed> computed_features(const DataArguments &arguments) {
    std::vector<schema::Computed> features;
    for (const std::string &text : arguments.computed) try {
            features.push_back(schema::Computed::parse(text));
        } catch (const Error &error) {
            throw Failure(kUsage, std::string("--compute: ") + error.what());
        }
    return features;
}

std::vector<std::string> hidden_columns(const DataArguments &arguments) {
    std::vector<std::string> hidden;
    for (const schema::Computed &feature : computed_features(arguments))
        for (const std::string &column : feature.expression.columns()) {
            if (contains(arguments.names(), column))
                throw Failure(kUsage, "--compute: " + in_quotes(feature.expression.text()) +
                                          " reads column \"" + column +
                                          "\", which has another use");
            const bool is_feature = arguments.features.empty()
                                        ? !contains(arguments.ignored, column)
                                        : contains(arguments.features, column);
            if (!is_feature && !contains(hidden, column)) hidden.push_back(column);
        }
    return hidden;
}

void check_arguments(const DataArguments &arguments) {
    if (arguments.data.empty() && (arguments.source.empty() || arguments.target.empty())) {
        throw Failure(kUsage, "--source and --target are needed, or --data (see --help)");
    }
    if (arguments.source_map == "-") throw Failure(kUsage, "--source-map cannot be standard input");
    if (arguments.source == "-" && arguments.target == "-")
        throw Failure(kUsage, "--source and --target cannot both be standard input");
    check_columns(arguments);
}

void check_columns(const DataArguments &arguments) {
    if (arguments.label.empty()) throw Failure(kUsage, "--label is needed (see --help)");
    std::vector<std::string> uses = arguments.features;
    uses.insert(uses.end(), arguments.ignored.begin(), arguments.ignored.end());
    for (const std::string &own : arguments.own) uses.push_back(own.substr(0, own.rfind('=')));
    for (const std::string &name : arguments.names()) uses.push_back(name);
    if (!arguments.group.empty() && !arguments.rows.empty()) {
        throw Failure(kUsage,
                      "--rows fixes the number of records, but with --group only that of "
                      "the persons is public");
    }
    if (!arguments.data.empty()) uses.push_back(domain_of(arguments).column);
    const std::string twice = repeated_name(uses);
    if (twice.empty()) return;
    throw Failure(kUsage, "column \"" + twice + "\" is given twice, or for two uses");
}

FixedRows fixed_rows(const std::vector<std::string> &numbers, bool private_source,
                     bool private_target, const std::string &flag) {
    if (numbers.empty()) return {};
    if (!private_source && !private_target)
        throw Failure(kUsage, flag + " is for private rows, and no row is private");
    const bool both = private_source && private_target;
    if (numbers.size() != (both ? 2U : 1U))
        throw Failure(kUsage, flag + (both ? " needs two numbers: both samples are private"
                                           : " needs one number: one sample is private"));
    const auto parse = [&](const std::string &text) {
        constexpr int kMost = std::numeric_limits<int>::max();
        const std::size_t rows = whole_number(text, kMost);
        if (rows > 0) return rows;
        throw Failure(kUsage, flag + " needs a number from 1 to " + std::to_string(kMost) +
                                  ", not \"" + text + '"');
    };
    return {private_source ? parse(numbers.front()) : 0,
            private_target ? parse(numbers.back()) : 0};
}

}  // namespace dpadapt::cli
