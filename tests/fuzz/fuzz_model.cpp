// Model files, from an untrusted place: refused alike by the library and the command, or written
// again as they are.
#include <sodium.h>

#include "cli/read/failure.hpp"
#include "cli/read/schema.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/solution_calls.hpp"

namespace cli = dpadapt::cli;

namespace {

/** The text of both, if they can be in one file. */
std::string written(const dpa_schema *schema, const dpa_solution *solution) {
    std::size_t size = 0;
    if (dpa_schema_model(schema, solution, 1, nullptr, 0, &size) != DPA_E_BUFFER) return {};
    std::string text(size, '\0');
    REQUIRE(dpa_schema_model(schema, solution, 1, text.data(), size, nullptr) == DPA_OK);
    text.pop_back();
    return text;
}

void read(fuzz::View text) {
    dpa_solution *solution = nullptr;
    dpa_schema *schema = nullptr;
    const dpa_status first = dpa_solution_deserialize(text.data(), text.size(), &solution);
    const dpa_status second = dpa_schema_deserialize(text.data(), text.size(), &schema);
    for (const dpa_status status : {first, second})
        REQUIRE(status == DPA_OK || status == DPA_E_FORMAT ||
                (status == DPA_E_INVALID_ARGUMENT && text.empty()));
    REQUIRE((first == DPA_OK) == (solution != nullptr));
    REQUIRE((second == DPA_OK) == (schema != nullptr));
    if (solution != nullptr) (void)fuzz::use(solution);
    if (solution != nullptr && schema != nullptr) {
        const std::string again = written(schema, solution);
        dpa_solution *copy = nullptr;
        REQUIRE(dpa_solution_deserialize(reinterpret_cast<const std::uint8_t *>(again.data()),
                                         again.size(), &copy) == DPA_OK);
        REQUIRE(written(schema, copy) == again);
        dpa_solution_destroy(copy);
    }
    const bool both = solution != nullptr && schema != nullptr;
    dpa_solution_destroy(solution);
    dpa_schema_destroy(schema);
    const fuzz::MemoryFile file({reinterpret_cast<const char *>(text.data()), text.size()});
    try {
        (void)cli::read_model(file.path());
        REQUIRE(both);
    } catch (const cli::Failure &failure) {
        REQUIRE(failure.code() == cli::kBadData && !both);
    }
}

/** A model file of two columns around these bytes. */
std::string around(fuzz::View bytes) {
    constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;
    std::string text(sodium_base64_encoded_len(bytes.size(), kBase64), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), kBase64);
    text.pop_back();
    return R"({"format":"dpadapt model 1","schema":")" + text + R"(","model":")" + text + "\"}";
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    read({data, size});
    const std::string text = around(fuzz::with_checksum({data, size}));
    read({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()});
    return 0;
}
