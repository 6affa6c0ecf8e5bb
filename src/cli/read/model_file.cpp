#include "cli/read/model_file.hpp"

#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"
#include "cli/read/sample.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::cli {

namespace {

using Bytes = std::vector<unsigned char>;

/** Throws what the library says of the file. */
void check_file(dpa_status status, const std::string &path) {
    if (status != DPA_OK) throw Failure(kBadData, path + ": " + dpa_last_error());
}

schema::LabelledSchema own_schema(const dpa_schema *schema) {
    std::size_t size = 0;
    (void)dpa_schema_serialize(schema, nullptr, 0, &size);
    Bytes bytes(size);
    check(dpa_schema_serialize(schema, bytes.data(), bytes.size(), nullptr));
    return schema::LabelledSchema::read(bytes);
}

}  // namespace

std::string model_text(const Model &model) {
    const Bytes bytes = schema::LabelledSchema{model.schema, model.label, model.scores}.write();
    dpa_schema *made = nullptr;
    check(dpa_schema_deserialize(bytes.data(), bytes.size(), &made));
    const SchemaHandle schema(made);
    return filled_text([&](char *out, std::size_t size, std::size_t *needed) {
               return dpa_schema_model(schema.get(), model.solution.get(),
                                       model.keeps_weights ? 1 : 0, out, size, needed);
           }) +
           '\n';
}

Model read_model(const std::string &path) {
    const std::string text = read_file(path);
    const auto *data = reinterpret_cast<const unsigned char *>(text.data());
    dpa_schema *schema = nullptr;
    check_file(dpa_schema_deserialize(data, text.size(), &schema), path);
    const schema::LabelledSchema own = own_schema(SchemaHandle(schema).get());
    dpa_solution *solution = nullptr;
    check_file(dpa_solution_deserialize(data, text.size(), &solution), path);
    return {own.label, own.schema, SolutionHandle(solution), false, own.scores};
}

}  // namespace dpadapt::cli
