#include "solution/model_file.hpp"

#include <array>

#include "base/document.hpp"
#include "base/error.hpp"
#include "base/json_leaves.hpp"
#include "base/text.hpp"

namespace dpadapt {
namespace {

constexpr const char *kModelFormat = "dpadapt model 1";

Document list_of(const auto &values) {
    Document list = Document::list();
    for (const auto &value : values) list.add(value);
    return list;
}

/** A list for each output; null where scores are not linear. */
Document coefficients_of(const Solution &solution) {
    if (solution.coefficients.empty()) return nullptr;
    Document lists = Document::list();
    const std::size_t each = solution.features();
    for (std::size_t k = 0; k < solution.outputs(); ++k)
        lists.add(list_of(std::span(solution.coefficients).subspan(k * each, each)));
    return lists;
}

/** Of the fit and of a calibration, whose rows are others: what holds for all of them. */
double larger(double fit, double calibration) { return calibration > fit ? calibration : fit; }

const char *name_of(const PrivacyRecord &privacy) {
    constexpr std::array kNames{"none", "guaranteed", "seeded"};
    const bool in_part = privacy.protection == Protection::guaranteed && !privacy.is_whole();
    return in_part ? "in part" : kNames.at(static_cast<std::size_t>(privacy.protection));
}

std::string_view as_text(std::span<const std::uint8_t> data) {
    return {reinterpret_cast<const char *>(data.data()), data.size()};
}

/** What the name holds is read, or refused under that name. */
auto read_member(const std::vector<JsonLeaf> &leaves, const char *name, const auto &read) {
    try {
        const auto bytes = from_base64(string_at(leaves, name));
        if (!bytes) throw Error(DPA_E_FORMAT, in_quotes(name) + " is no base64");
        return read(*bytes);
    } catch (const Error &error) {
        throw Error(error.status(), in_quotes(name) + ": " + error.what());
    }
}

}  // namespace

std::string write_model(const Model &model) {
    const Solution &solution = model.solution;
    const std::vector<std::string> names = model.schema.schema.features();
    if (names.size() != solution.features())
        throw Error(DPA_E_DIMENSION, "the schema has " + std::to_string(names.size()) +
                                         " features, but its predictor has " +
                                         std::to_string(solution.features()));
    Document file;
    const std::string promise = solution.calibration.promise();
    file.set("format", kModelFormat).set("label", model.schema.label);
    if (!model.schema.scores.empty()) file.set("scores", model.schema.scores);
    if (!model.schema.event.empty()) file.set("event", model.schema.event);
    file.set("features", list_of(names))
        .set("loss", loss::name(solution.loss.kind))
        .set("coefficients", coefficients_of(solution))
        .set("intercept",
             solution.intercept.empty() ? Document(nullptr) : list_of(solution.intercept))
        .set("protection", name_of(solution.privacy))
        .set("epsilon", larger(solution.privacy.epsilon, solution.calibration.epsilon))
        .set("delta", larger(solution.privacy.delta, solution.calibration.delta));
    if (!promise.empty()) file.set("intervals", promise);
    schema::LabelledSchema schema = model.schema;
    schema.loss.clear();  // which the predictor has
    file.set("schema", base64(schema.write())).set("model", base64(serialize(solution)));
    return file.json();
}

Model read_model(std::span<const std::uint8_t> text) {
    try {
        const std::vector<JsonLeaf> found = json_leaves(as_text(text));
        if (string_at(found, "format") != kModelFormat)
            throw Error(DPA_E_FORMAT, "\"format\" is not \"" + std::string(kModelFormat) + '"');
        Model model{read_member(found, "schema", schema::LabelledSchema::read),
                    read_member(found, "model", deserialize)};
        check_same(found, json_leaves(write_model(model)));
        const schema::Schema &schema = model.schema.schema;
        model.solution.feature_names = schema.features();
        if (schema.labels.kind() != schema::LabelKind::numbers)
            model.solution.known_labels = schema.labels.known();
        return model;
    } catch (const Error &error) {
        throw Error(DPA_E_FORMAT, std::string("data must be a model file, but ") + error.what());
    }
}

bool is_model_file(std::span<const std::uint8_t> data) {
    const std::string_view text = as_text(data);
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

}  // namespace dpadapt
