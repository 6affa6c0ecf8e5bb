// Saved solutions from an untrusted place: refused as damaged, or usable in every call.
#include "fuzz/solution_calls.hpp"

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const fuzz::Bytes fixed = fuzz::with_checksum({data, size});
    for (const fuzz::View bytes : {fuzz::View(data, size), fuzz::View(fixed)}) {
        dpa_solution *solution = nullptr;
        const dpa_status status = dpa_solution_deserialize(bytes.data(), bytes.size(), &solution);
        REQUIRE((status == DPA_OK) == (solution != nullptr));
        REQUIRE(status == DPA_OK || status == DPA_E_FORMAT ||
                (status == DPA_E_INVALID_ARGUMENT && bytes.empty()));
        if (solution == nullptr) continue;
        (void)fuzz::use(solution);
        dpa_solution_destroy(solution);
    }
    return 0;
}
