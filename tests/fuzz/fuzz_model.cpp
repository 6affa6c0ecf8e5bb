// Model files of the command, from an untrusted place: refused, or written again as they are.
#include <sodium.h>

#include "cli/failure.hpp"
#include "cli/model_file.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/solution_calls.hpp"

namespace cli = dpadapt::cli;

namespace {

void read(std::string_view text) {
    const fuzz::MemoryFile file(text);
    std::string written;
    try {
        const cli::Model model = cli::read_model(file.path());
        (void)fuzz::use(model.solution.get());
        written = cli::model_text(model);
    } catch (const cli::Failure &failure) {
        REQUIRE(failure.code() == cli::kBadData);
        return;
    }
    const fuzz::MemoryFile again(written);
    REQUIRE(cli::model_text(cli::read_model(again.path())) == written);
}

/** The same by the library, which looks for the bytes alone. */
void read_bytes(fuzz::View text) {
    dpa_solution *solution = nullptr;
    dpa_schema *schema = nullptr;
    const dpa_status first = dpa_solution_deserialize(text.data(), text.size(), &solution);
    const dpa_status second = dpa_schema_deserialize(text.data(), text.size(), &schema);
    for (const dpa_status status : {first, second})
        REQUIRE(status == DPA_OK || status == DPA_E_FORMAT || status == DPA_E_UNSUPPORTED ||
                (status == DPA_E_INVALID_ARGUMENT && text.empty()));
    REQUIRE((first == DPA_OK) == (solution != nullptr));
    REQUIRE((second == DPA_OK) == (schema != nullptr));
    std::size_t size = 0;
    if (solution != nullptr && schema != nullptr)
        REQUIRE(dpa_schema_model(schema, solution, nullptr, 0, &size) != DPA_OK);
    dpa_solution_destroy(solution);
    dpa_schema_destroy(schema);
}

/** A model file of two columns around these bytes. */
std::string around(fuzz::View bytes) {
    constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;
    std::string text(sodium_base64_encoded_len(bytes.size(), kBase64), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kBase64);
    text.pop_back();
    return R"({"format":"dpadapt model 1","label":"y","features":["a","b"],"model":")" + text +
           "\"}";
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    read({reinterpret_cast<const char *>(data), size});
    read_bytes({data, size});
    read(around(fuzz::with_checksum({data, size})));
    return 0;
}
