// Schemas: bytes from elsewhere, and tables of any texts and numbers. Saving repeats, and another
// record changes no feature of the others.
#include <dpadapt/inspect.h>
#include <dpadapt/schema.h>

#include <memory>

#include "fuzz/fuzz.hpp"

namespace {

constexpr std::size_t kMostRows = 24;
constexpr std::size_t kMostColumns = 6;
constexpr std::size_t kMostBytes = 4096;
constexpr std::size_t kMostNumbers = 1U << 16;

template <typename Handle, void (*Destroy)(Handle *)>
struct Destroyer {
    void operator()(Handle *handle) const { Destroy(handle); }
};
using Table = std::unique_ptr<dpa_table, Destroyer<dpa_table, dpa_table_destroy>>;
using Schema = std::unique_ptr<dpa_schema, Destroyer<dpa_schema, dpa_schema_destroy>>;
using Options = std::unique_ptr<dpa_options, Destroyer<dpa_options, dpa_options_destroy>>;

std::string name_of(std::size_t column) { return {'c', static_cast<char>('0' + column)}; }

/** One of few texts often, so that there are levels. */
std::string cell(fuzz::Input &input) {
    static const char *const kCells[] = {"red", "green", "blue", "",  "NA",  "yes", "no",
                                         "0",   "1",     "-1",   "2", "3.5", "1e9", "4\"5"};
    const std::size_t kind = input.byte();
    return kind < 200 ? kCells[kind % std::size(kCells)] : input.text();
}

void add_column(dpa_table *table, std::size_t rows, const std::string &name, fuzz::Input &input) {
    const char *const levels[] = {"a", "b", "7"};
    std::vector<double> numbers(rows);
    std::vector<std::int32_t> codes(rows);
    std::vector<std::string> texts(rows);
    std::vector<const char *> pointers(rows);
    dpa_status status = DPA_OK;
    switch (input.below(3)) {
        case 0:
            for (double &value : numbers) value = input.real();
            status = dpa_table_add_numbers(table, name.c_str(), numbers.data(), rows);
            break;
        case 1:
            for (std::int32_t &code : codes) code = static_cast<std::int32_t>(input.byte()) - 2;
            status = dpa_table_add_levels(table, name.c_str(), codes.data(), rows, levels, 3);
            break;
        default:
            for (std::size_t k = 0; k < rows; ++k) {
                texts[k] = cell(input);
                pointers[k] = texts[k].c_str();
            }
            status = dpa_table_add_texts(table, name.c_str(), pointers.data(), rows);
    }
    REQUIRE(status == DPA_OK);
}

Table empty_table(std::size_t rows) {
    dpa_table *table = nullptr;
    REQUIRE(dpa_table_create(rows, &table) == DPA_OK);
    return Table(table);
}

Table read_table(std::size_t rows, std::size_t columns, fuzz::Input &input) {
    Table table = empty_table(rows);
    for (std::size_t k = 0; k < columns; ++k) add_column(table.get(), rows, name_of(k), input);
    return table;
}

Schema read_schema(const fuzz::Bytes &bytes) {
    dpa_schema *schema = nullptr;
    const dpa_status status = dpa_schema_deserialize(bytes.data(), bytes.size(), &schema);
    REQUIRE((status == DPA_OK) == (schema != nullptr));
    REQUIRE(status == DPA_OK || status == DPA_E_FORMAT || bytes.empty());
    return Schema(schema);
}

fuzz::Bytes bytes_of(const dpa_schema *schema) {
    return fuzz::bytes_of([&](std::uint8_t *out, std::size_t size, std::size_t *needed) {
        return dpa_schema_serialize(schema, out, size, needed);
    });
}

std::size_t feature_count(const dpa_schema *schema) {
    std::size_t count = 0;
    REQUIRE(dpa_schema_feature_count(schema, &count) == DPA_OK);
    return count;
}

Options new_options() {
    dpa_options *options = nullptr;
    REQUIRE(dpa_options_create(&options) == DPA_OK);
    return Options(options);
}

/** The loss is one that the labels are for, whatever it was; one class is for none. */
void check_loss(const dpa_schema *schema) {
    const auto loss_after = [&](const char *before) {
        const Options options = new_options();
        REQUIRE(dpa_options_parse(options.get(), "loss", before) == DPA_OK);
        const dpa_status status = dpa_schema_set_loss(schema, options.get());
        const std::string after = fuzz::text_of([&](char *out, std::size_t size, std::size_t *n) {
            return dpa_options_get(options.get(), "loss", out, size, n);
        });
        REQUIRE(status == DPA_OK || (status == DPA_E_OPTION && after == before));
        return after;
    };
    const std::string loss = loss_after("squared");
    REQUIRE(loss == "squared" || loss == "logistic" || loss == "softmax");
    REQUIRE(loss_after("huber") == (loss == "squared" ? "huber" : loss));
}

/** Everything that can be read of a schema, and that saving repeats. */
void look(const dpa_schema *schema) {
    for (std::size_t k = 0; k < std::min<std::size_t>(feature_count(schema), 50); ++k)
        (void)fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_schema_text(schema, "feature", k, out, size, needed);
        });
    REQUIRE(dpa_schema_text(schema, "feature", feature_count(schema), nullptr, 0, nullptr) ==
            DPA_E_INVALID_ARGUMENT);
    for (const double label : {-1.0, 0.0, 1.0, 2.5, 1e300, -HUGE_VAL, static_cast<double>(NAN)})
        (void)fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_schema_label_text(schema, label, out, size, needed);
        });
    for (const char *name : {"labels", "description"})
        (void)fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
            return dpa_schema_text(schema, name, 0, out, size, needed);
        });
    check_loss(schema);
    const fuzz::Bytes bytes = bytes_of(schema);
    const Schema again = read_schema(bytes);
    REQUIRE(again != nullptr && bytes_of(again.get()) == bytes);
}

/** Features and labels of each record in a row; nothing where the table lacks a column. */
std::vector<double> applied(const dpa_schema *schema, const dpa_table *table, std::size_t rows) {
    const std::size_t features = feature_count(schema);
    std::vector<double> x(rows * features);
    std::vector<double> y(rows);
    const dpa_status status =
        dpa_schema_apply(schema, table, x.data(), x.size(), y.data(), y.size());
    REQUIRE(fuzz::is_documented(status));
    if (status != DPA_OK) return {};
    (void)fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_inspect_table(schema, table, out, size, needed);
    });
    std::vector<double> records;
    for (std::size_t k = 0; k < rows; ++k) {
        const auto begin = x.begin() + static_cast<std::ptrdiff_t>(k * features);
        records.insert(records.end(), begin, begin + static_cast<std::ptrdiff_t>(features));
        records.push_back(y[k]);
    }
    for (const double value : records) REQUIRE(!std::isinf(value));
    return records;
}

bool are_same(const double *one, const double *two, std::size_t count) {
    return count == 0 || std::memcmp(one, two, count * sizeof *one) == 0;
}

/** The records of a table, with another one in front: the others stay what they are. */
void apply(const dpa_schema *schema, fuzz::Input &input) {
    const std::size_t rows = 1 + input.below(kMostRows);
    const std::size_t columns = 1 + input.below(kMostColumns);
    if (feature_count(schema) > kMostNumbers / kMostRows) return;
    std::vector<std::string> cells(rows * columns);
    for (std::string &text : cells) text = cell(input);
    const auto make = [&](bool is_other) {
        Table table = empty_table(rows);
        for (std::size_t column = 0; column < columns; ++column) {
            std::vector<const char *> texts;
            for (std::size_t row = 0; row < rows; ++row)
                texts.push_back(cells[row * columns + column].c_str());
            if (is_other) texts[0] = column % 2 == 0 ? "\xff,\"" : nullptr;
            REQUIRE(dpa_table_add_texts(table.get(), name_of(column).c_str(), texts.data(), rows) ==
                    DPA_OK);
        }
        return table;
    };
    const std::vector<double> first = applied(schema, make(false).get(), rows);
    const std::vector<double> second = applied(schema, make(true).get(), rows);
    REQUIRE(first.size() == second.size());
    const std::size_t record = first.size() / rows;
    REQUIRE(are_same(first.data() + record, second.data() + record, first.size() - record));
}

/** Of columns and words of the table, or of any. */
void hint(dpa_table *table, std::size_t columns, fuzz::Input &input) {
    static const char *const kHints[] = {"ignore", "category", "missing", "positive", "other"};
    static const char *const kComputed[] = {"c0^2", "log(c1)", "c1 * c0", "c0 == \"red\"",
                                            "`b` = c0 / c1"};
    if (input.below(2) == 1)
        REQUIRE(dpa_table_hint(table, "compute", kComputed[input.below(5)]) == DPA_OK);
    if (input.below(4) == 1)
        REQUIRE(fuzz::is_documented(dpa_table_hint(table, "compute", input.text().c_str())));
    for (std::size_t left = 1 + input.below(3); left > 0; --left) {
        const std::size_t what = input.below(std::size(kHints));
        const std::string value = what < 2 ? name_of(input.below(columns + 1)) : cell(input);
        REQUIRE(dpa_table_hint(table, kHints[what], value.c_str()) ==
                (what < 4 ? DPA_OK : DPA_E_INVALID_ARGUMENT));
    }
}

Schema learn(fuzz::Input &input) {
    static const char *const kLosses[] = {"squared", "logistic", "softmax", "huber"};
    const std::size_t rows = 1 + input.below(kMostRows);
    const std::size_t columns = 1 + input.below(kMostColumns);
    const std::uint8_t choice = input.byte();
    const Options options = new_options();
    REQUIRE(dpa_options_parse(options.get(), "loss", kLosses[choice % std::size(kLosses)]) ==
            DPA_OK);
    const Table table = read_table(rows, columns, input);
    if (choice >= 128) hint(table.get(), columns, input);
    dpa_schema *schema = nullptr;
    const dpa_status status =
        dpa_schema_learn(table.get(), name_of(columns - 1).c_str(), options.get(), &schema);
    REQUIRE(fuzz::is_documented(status) && (status == DPA_OK) == (schema != nullptr));
    return Schema(schema);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    if (size > kMostBytes) return 0;
    fuzz::Input input(data, size);
    Schema schema;
    if (input.byte() % 2 == 0) {
        schema = learn(input);
    } else {
        const std::size_t low = input.byte();
        schema =
            read_schema(fuzz::with_checksum(input.take(low + std::size_t{input.byte()} * 256)));
    }
    if (schema == nullptr) return 0;
    look(schema.get());
    apply(schema.get(), input);
    return 0;
}
