#include "cli/model_file.hpp"

#include <sodium.h>

#include "cli/columns.hpp"
#include "cli/failure.hpp"
#include "cli/input_file.hpp"
#include "cli/privacy_report.hpp"
#include "cli/report.hpp"
#include "cli/schema_json.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::cli {
namespace {

constexpr const char *kFormat = "dpadapt model 2";
constexpr const char *kWithoutSchema = "dpadapt model 1";
constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

using Bytes = std::vector<unsigned char>;

std::string encode(const Bytes &bytes) {
    std::string text(sodium_base64_encoded_len(bytes.size(), kBase64), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kBase64);
    text.pop_back();  // the final zero
    return text;
}

Bytes decode(const Json &member) {
    const std::string text = member;
    Bytes bytes(text.size());
    std::size_t size = 0;
    if (text.empty() || sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(),
                                          nullptr, &size, nullptr, kBase64) != 0) {
        throw Failure(kBadData, "a member that must be base64 is none");
    }
    bytes.resize(size);
    return bytes;
}

Bytes serialize(const Model &model) {
    const auto write =
        model.keeps_weights ? dpa_solution_serialize : dpa_solution_serialize_predictor;
    std::size_t size = 0;
    const dpa_status status = write(model.solution.get(), nullptr, 0, &size);
    if (status != DPA_E_BUFFER) check(status);
    Bytes bytes(size);
    check(write(model.solution.get(), bytes.data(), bytes.size(), nullptr));
    return bytes;
}

/** The bytes that every language reads; earlier files have names alone, or an object. */
schema::LabelledSchema read_schema(const Json &json) {
    if (json["format"] == kWithoutSchema)
        return {schema::Schema::plain(json.at("features")), json.at("label")};
    if (!json.contains("schema_bytes")) return {parse_schema(json.at("schema")), json.at("label")};
    try {
        auto own = schema::LabelledSchema::read(decode(json["schema_bytes"]));
        (void)Json{own.label, schema_json(own.schema)}.dump();  // an error unless all is UTF-8
        const auto in_any_order = [](const Json &object) { return nlohmann::json(object); };
        if (!json.contains("schema") ||
            in_any_order(json["schema"]) == in_any_order(schema_json(own.schema)))
            return own;
    } catch (const std::exception &error) {
        throw Failure(kBadData, error.what());
    }
    throw Failure(kBadData, "\"schema\" does not fit \"schema_bytes\"");
}

Model parse_model(const std::string &text) {
    const Json json = Json::parse(text);
    if (json.at("format") != kFormat && json["format"] != kWithoutSchema)
        throw Failure(kBadData, std::string("\"format\" is not \"") + kFormat + '"');
    const schema::LabelledSchema own = read_schema(json);
    Model model{own.label, own.schema, nullptr, false, json.value("scores", std::string())};
    const Bytes bytes = decode(json.at("model"));
    dpa_solution *solution = nullptr;
    check(dpa_solution_deserialize(bytes.data(), bytes.size(), &solution));
    model.solution.reset(solution);
    std::size_t features = 0;
    check(dpa_solution_shape(solution, &features, nullptr, nullptr, nullptr));
    const std::vector<std::string> names = model.schema.features();
    if (json.at("features") != names || features != names.size() ||
        !repeated_name(model.schema.names()).empty()) {
        throw Failure(kBadData, "\"features\" does not fit \"model\"");
    }
    return model;
}

}  // namespace

std::string model_text(const Model &model) {
    Json json = Json::object();
    json["format"] = kFormat;
    json["label"] = model.label;
    if (!model.scores.empty()) json["scores"] = model.scores;
    json["features"] = model.schema.features();
    json["schema"] = schema_json(model.schema);
    json["schema_bytes"] = encode(schema::LabelledSchema{model.schema, model.label}.write());
    json["loss"] = dpa_solution_loss(model.solution.get());
    json["coefficients"] = coefficients(model.solution.get());
    json["intercept"] = intercept(model.solution.get());
    json["protection"] = protection(model.solution.get());
    json["privacy"] = Json::parse(privacy_report(model.solution.get(), DPA_REPORT_JSON));
    json["model"] = encode(serialize(model));
    return json.dump(2) + '\n';
}

Model read_model(const std::string &path) {
    const std::string text = read_file(path);
    try {
        return parse_model(text);
    } catch (const Json::exception &error) {
        throw Failure(kBadData, path + ": not a model file: " + error.what());
    } catch (const Failure &failure) {
        throw Failure(failure.code(), path + ": not a model file: " + failure.what());
    }
}

}  // namespace dpadapt::cli
