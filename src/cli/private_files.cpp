#include "cli/private_files.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/failure.hpp"
#include "cli/schema_json.hpp"

namespace dpadapt::cli {

void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open) {
    for (const NamedFile &file : open)
        if (is_same_input(secret.path, file.path))
            throw Failure(kUsage, std::string(file.flag) + " and " + secret.flag +
                                      " are the same file: rows cannot be both public and private "
                                      "(the option private_domain says which are private)");
}

void check_private_files(const DataArguments &arguments, const Settings &settings) {
    std::vector<NamedFile> sources{{"--source", arguments.source}};
    for (const std::string &path : arguments.more_sources)
        sources.push_back({"--add-source", path});
    const NamedFile target{"--target", arguments.target};
    const NamedFile map{"--source-map", arguments.source_map};
    if (settings.is_private("target")) {
        check_apart(target, {map});
        check_apart({"--data", arguments.data}, {map});
        if (!settings.is_private("source")) check_apart(target, sources);
    } else if (settings.is_private("source")) {
        for (const NamedFile &source : sources) check_apart(source, {target, map});
    }
}

namespace {

constexpr std::size_t kFixed = std::size_t{1} << 18;  // releases, curves and sentences
constexpr std::size_t kNumber = 40;                   // with its separators and the blanks of lists

struct Sizes {
    std::size_t schema;
    std::size_t features;
    std::size_t outputs;
    std::size_t records;
};

Sizes sizes_of(const Samples &samples, const Settings &settings) {
    const std::size_t classes = samples.schema.labels.names().size();
    const std::string chosen = settings.get("classes");
    const std::size_t number = chosen == "auto" ? 0 : std::stoull(chosen);
    return {schema_json(samples.schema).dump(2).size(), samples.features.size() + 1,
            std::max({std::size_t{1}, classes, number}),
            std::max(samples.source.y.size(), samples.source_elsewhere) + samples.target.y.size()};
}

/** Parameters of a perceptron's layers; 0 for other losses. */
std::size_t hidden_parameters(const Sizes &sizes, const Settings &settings) {
    if (settings.get("loss") != "perceptron") return 0;
    std::string text = settings.get("hidden_units");
    std::replace(text.begin(), text.end(), ',', ' ');
    std::istringstream units(text);
    std::size_t count = 0;
    std::size_t before = sizes.features;
    for (std::size_t layer = 0; units >> layer; before = layer + 1) count += before * layer;
    return count + before * sizes.outputs;
}

}  // namespace

std::size_t room_for_model(const Samples &samples, const Settings &settings, bool keeps_weights) {
    const Sizes sizes = sizes_of(samples, settings);
    const bool has_matrix =
        settings.get("preprocess") == "whiten" || settings.get("inference") == "yes";
    const std::size_t numbers =
        sizes.features * (6 * sizes.outputs + 6) + hidden_parameters(sizes, settings) +
        (has_matrix ? sizes.features * sizes.features : 0) + (keeps_weights ? sizes.records : 0);
    return kFixed + 4 * sizes.schema + numbers * kNumber;
}

std::size_t room_for_report(const Samples &samples, const Settings &settings, bool has_weights) {
    const Sizes sizes = sizes_of(samples, settings);
    std::size_t names = 0;
    for (const std::string &name : samples.features) names += 6 * name.size();
    const std::size_t numbers =
        sizes.features * (8 * sizes.outputs + 16) + (has_weights ? sizes.records : 0);
    return kFixed + 4 * sizes.schema + 4 * names + numbers * kNumber;
}

std::size_t room_for_evaluation(std::size_t models) { return kFixed * (1 + models); }

}  // namespace dpadapt::cli
