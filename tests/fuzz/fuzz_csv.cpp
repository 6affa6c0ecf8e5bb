// Files of public rows: refused with the place of what is wrong, or finite numbers in full rows.
#include <algorithm>
#include <cmath>

#include "cli/read/failure.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/sample_sink.hpp"
#include "fuzz/memory_file.hpp"
#include "schema/learn.hpp"

namespace cli = dpadapt::cli;

namespace {

/** What the rows teach makes finite numbers of them, unless a cell is complained about. */
void check_rows(const cli::TableSink &rows, const std::vector<std::string> &names) {
    const dpadapt::schema::LearntSchema learnt = dpadapt::schema::learn(names, rows.table(), {});
    REQUIRE(learnt.schema.columns.size() + learnt.schema.dropped.size() == names.size());
    if (!learnt.invalid.empty()) return;
    std::vector<std::size_t> places;
    for (const std::string &name : learnt.schema.names())
        places.push_back(
            static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin()));
    cli::Sample sample;
    cli::Encoder encoder(learnt.schema, true, sample);
    rows.give(places, encoder);
    REQUIRE(encoder.invalid_cells().count == 0);
    REQUIRE(sample.y.size() == rows.table().rows());
    REQUIRE(sample.x.size() == sample.y.size() * learnt.schema.features().size());
    for (const double value : sample.x) REQUIRE(std::isfinite(value));
    for (const double value : sample.y) REQUIRE(std::isfinite(value));
}

void read(const std::string &path, const char *label, cli::ColumnChoice choice) {
    choice.label = label;
    const bool labelled = !choice.label.empty();
    cli::TableSink source(labelled);
    cli::TableSink target(labelled);
    try {
        cli::SampleSink(path, choice, {}, {source, false}, {target, false}).read();
    } catch (const cli::Failure &failure) {
        REQUIRE(failure.code() == cli::kBadData);
        REQUIRE(std::string(failure.what()).rfind(path, 0) == 0);
        return;
    }
    if (!labelled) return;
    check_rows(source, choice.features);
    if (choice.by_domain) check_rows(target, choice.features);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const fuzz::MemoryFile file({reinterpret_cast<const char *>(data), size});
    read(file.path(), "y", {});
    read(file.path(), "y", {.domain = {"domain"}, .by_domain = true});
    read(file.path(), "", {.features = {"b", "a"}, .ignored = {"i"}});
    return 0;
}
