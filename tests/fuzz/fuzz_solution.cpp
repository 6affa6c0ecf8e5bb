// Saved solutions from an untrusted place: refused as damaged, or usable in every call.
#include "fuzz/memory_file.hpp"
#include "fuzz/solution_calls.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const fuzz::Bytes fixed = fuzz::with_checksum({data, size});
    for (const fuzz::View bytes : {fuzz::View(data, size), fuzz::View(fixed)}) {
        dpa_solution *solution = nullptr;
        const dpa_status status = dpa_solution_deserialize(bytes.data(), bytes.size(), &solution);
        REQUIRE((status == DPA_OK) == (solution != nullptr));
        REQUIRE(status == DPA_OK || status == DPA_E_FORMAT ||
                (status == DPA_E_INVALID_ARGUMENT && bytes.empty()));
        // A file is read as its bytes are.
        const fuzz::MemoryFile file({reinterpret_cast<const char *>(bytes.data()), bytes.size()});
        dpa_schema *schema = nullptr;
        dpa_solution *loaded = nullptr;
        const dpa_status of_file = dpa_solution_load(file.path().c_str(), &schema, &loaded);
        REQUIRE(of_file == (bytes.empty() ? DPA_E_FORMAT : status));
        REQUIRE((loaded != nullptr) == (of_file == DPA_OK));
        if (loaded != nullptr) REQUIRE(dpa_solution_save(loaded, schema, 1, "/dev/null") == DPA_OK);
        dpa_solution_destroy(loaded);
        dpa_schema_destroy(schema);
        if (solution == nullptr) continue;
        (void)fuzz::use(solution);
        dpa_solution_destroy(solution);
    }
    return 0;
}
