// Files of public rows: refused with the place of what is wrong, or finite numbers in full rows.
#include <cmath>

#include "cli/failure.hpp"
#include "cli/sample_sink.hpp"
#include "fuzz/memory_file.hpp"

namespace cli = dpadapt::cli;

namespace {

void check_sample(const cli::Sample &sample, std::size_t features, bool labelled) {
    if (labelled) REQUIRE(sample.x.size() == sample.y.size() * features);
    if (!labelled) REQUIRE(features > 0 && sample.x.size() % features == 0);
    if (!labelled) return;
    for (const double value : sample.x) REQUIRE(std::isfinite(value));
    for (const double value : sample.y) REQUIRE(std::isfinite(value));
}

void read(const std::string &path, cli::ColumnChoice choice) {
    cli::Sample source;
    cli::Sample target;
    try {
        cli::SampleSink(path, choice, source, target).read();
    } catch (const cli::Failure &failure) {
        REQUIRE(failure.code() == cli::kBadData);
        REQUIRE(std::string(failure.what()).rfind(path, 0) == 0);
        return;
    }
    const bool labelled = !choice.label.empty();
    check_sample(source, choice.features.size(), labelled);
    check_sample(target, choice.features.size(), labelled);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const fuzz::MemoryFile file({reinterpret_cast<const char *>(data), size});
    read(file.path(), {.label = "y"});
    read(file.path(), {.label = "y", .domain = "domain", .by_domain = true});
    read(file.path(), {.features = {"b", "a"}, .ignored = {"i"}});
    return 0;
}
