// Files of private rows: whatever stands below the header, nobody is told, there are as many
// records as lines, and no line changes what another one says.
#include <cstring>

#include "cli/read/failure.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/sample_sink.hpp"
#include "fuzz/memory_file.hpp"

namespace cli = dpadapt::cli;

namespace {

constexpr const char *kHeaders[] = {"a,b,y\n", "y,a\r\n", "domain,a,y\n", "\"a\",y,\"domain\"\n"};

struct Read {
    cli::Sample source;
    cli::Sample target;
};

/** As numbers, by a schema that knows a number, a category and a coding of labels. */
void encode(const cli::TableSink &rows, const std::vector<std::string> &names,
            cli::Sample &sample) {
    using dpadapt::schema::Column;
    dpadapt::schema::Schema schema;
    schema.labels = dpadapt::schema::Labels::named(dpadapt::schema::LabelKind::signs, {"0", "1"});
    for (const std::string &name : names)
        schema.columns.push_back(name == "a"
                                     ? Column::of_numbers(name, 1.5, true)
                                     : Column::of_category(name, {{"x", "y"}, {"z"}, true}));
    cli::Encoder encoder(schema, true, sample);
    std::vector<std::size_t> places(names.size());
    for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    rows.give(places, encoder);
    REQUIRE(sample.x.size() == sample.y.size() * schema.features().size());
}

/** What the lines below that header are; neither may be the reason of a failure. */
Read read(std::size_t header, const std::string &body) {
    const bool by_domain = header >= 2;
    const fuzz::MemoryFile file(kHeaders[header] + body);
    cli::ColumnChoice choice{.domain = {"domain"}, .by_domain = by_domain};
    choice.label = "y";
    Read result;
    result.source.is_private = result.target.is_private = true;
    cli::TableSink source(false);
    cli::TableSink target(false);
    if (by_domain)
        cli::SampleSink(file.path(), choice, {}, {source, true}, {target, true}).read();
    else
        cli::SampleSink(file.path(), choice, {}, {source, true}).read();
    encode(source, choice.features, result.source);
    if (by_domain) encode(target, choice.features, result.target);
    return result;
}

std::vector<std::string> lines_of(const std::string &body) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < body.size();) {
        const std::size_t end = std::min(body.find('\n', begin), body.size());
        lines.push_back(body.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

bool same(const double *a, const double *b, std::size_t count) {
    return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}

/** Another line in the place of one changes that record only. */
void check_neighbours(std::size_t header, const std::string &body, std::size_t changed,
                      const std::string &line) {
    std::vector<std::string> lines = lines_of(body);
    const Read one = read(header, body);
    REQUIRE(one.source.y.size() + one.target.y.size() == lines.size());
    if (lines.empty() || header >= 2) return;
    changed %= lines.size();
    lines[changed] = line.substr(0, line.find('\n'));
    std::string other;
    for (const std::string &text : lines) other += text + '\n';
    const cli::Sample a = one.source;
    const cli::Sample b = read(header, other).source;
    REQUIRE(b.y.size() == lines.size());
    const std::size_t cols = a.x.size() / lines.size();
    const std::size_t after = lines.size() - changed - 1;
    REQUIRE(same(a.y.data(), b.y.data(), changed));
    REQUIRE(same(a.x.data(), b.x.data(), changed * cols));
    REQUIRE(same(a.y.data() + changed + 1, b.y.data() + changed + 1, after));
    REQUIRE(
        same(a.x.data() + (changed + 1) * cols, b.x.data() + (changed + 1) * cols, after * cols));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    const std::size_t header = input.below(std::size(kHeaders));
    const std::size_t changed = input.byte();
    const std::string line = input.text();
    const fuzz::View rest = input.rest();
    try {
        check_neighbours(header, {rest.begin(), rest.end()}, changed, line);
    } catch (const cli::Failure &failure) {
        std::fprintf(stderr, "told: %s\n", failure.what());
        fuzz::fail("private rows cause no message", __FILE__, __LINE__);
    }
    return 0;
}
