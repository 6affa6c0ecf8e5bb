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
    read(around(fuzz::with_checksum({data, size})));
    return 0;
}
