// Structures of Arrow's, sound and damaged: a status for each, every structure released once, and
// neither a status nor a message that depends on what rows hold.
#include <dpadapt/dpadapt.h>

#include <memory>

#include "fuzz/fuzz.hpp"

namespace {

constexpr std::size_t kMostRows = 24;
constexpr std::size_t kMostBits = 512;  // bytes of bitmaps, for all lengths that damage can make
constexpr std::size_t kSlots = 8;       // of children and buffers, NULL behind those that are used
constexpr std::size_t kNumbers = 12;    // formats of numbers come first
constexpr std::size_t kTexts = 3;       // then those of texts, then those of codes
constexpr const char *kFormats[] = {"g", "f", "c", "C",    "s",    "S",   "i",  "I",
                                    "l", "L", "b", "n",    "u",    "U",   "vu", "c",
                                    "I", "l", "L", "+w:0", "+w:2", "+w:3"};
constexpr std::size_t kView = kNumbers + 2;
constexpr std::size_t kCodes = kNumbers + kTexts;
constexpr std::size_t kLists = kCodes + 4;

std::size_t size_of(char format) {
    return std::strchr("lLg", format) != nullptr   ? 8
           : std::strchr("iIf", format) != nullptr ? 4
           : std::strchr("sS", format) != nullptr  ? 2
                                                   : 1;
}

/** What rows hold: bytes of the input, or others. */
class Content {
  public:
    Content(fuzz::View bytes, std::uint8_t mask) : bytes_(bytes), mask_(mask) {}
    std::uint8_t byte() {
        if (bytes_.empty()) return mask_;
        const std::uint8_t next = bytes_[at_++ % bytes_.size()];
        return static_cast<std::uint8_t>(next ^ mask_);
    }

  private:
    fuzz::View bytes_;
    std::uint8_t mask_;
    std::size_t at_ = 0;
};

template <typename Structure>
void release_part(Structure *structure) {
    structure->release = nullptr;
}

/** A schema and an array, their parts, and memory of just the size that they need. */
struct Node {
    bool is_view = false;
    bool is_nested = false;  ///< its length and offset are seen to be wrong by those of its parts
    ArrowSchema schema{};
    ArrowArray array{};
    ArrowSchema *schemas[kSlots]{};
    ArrowArray *arrays[kSlots]{};
    const void *buffers[kSlots]{};
    std::vector<std::unique_ptr<Node>> parts;
    std::vector<std::unique_ptr<std::uint8_t[]>> memory;

    std::uint8_t *take(std::size_t size) {
        return memory.emplace_back(new std::uint8_t[size]).get();
    }
    std::uint8_t *fill(std::size_t size, Content &content) {
        std::uint8_t *to = take(size);
        for (std::size_t k = 0; k < size; ++k) to[k] = content.byte();
        return to;
    }
    Node &part() { return *parts.emplace_back(std::make_unique<Node>()); }
};

/** Offsets of texts, most of them growing; the letters end where the last one says. */
template <typename Offset>
void make_texts(Node &node, std::size_t rows, Content &content) {
    std::uint8_t *offsets = node.take((rows + 1) * sizeof(Offset));
    Offset at = 0;
    for (std::size_t i = 0; i <= rows; ++i) {
        const std::uint8_t step = content.byte();
        at = step == 255 ? Offset{-7} : static_cast<Offset>(at + step % 9 - (step % 32 == 31));
        std::memcpy(offsets + i * sizeof at, &at, sizeof at);
    }
    node.buffers[1] = offsets;
    node.buffers[2] = at > 0 ? node.fill(static_cast<std::size_t>(at), content) : nullptr;
}

/** Views, most of them into one buffer of 20 letters. */
void make_views(Node &node, std::size_t rows, Content &content) {
    std::uint8_t *views = node.fill(rows * 16, content);
    for (std::size_t i = 0; i < rows; ++i) {
        const std::int32_t size = content.byte() % 24 - 1;
        const std::int32_t place[] = {content.byte() % 3 - 1, content.byte() % 16 - 1};
        std::memcpy(views + i * 16, &size, sizeof size);
        if (size > 12) std::memcpy(views + i * 16 + 8, place, sizeof place);
    }
    const std::int64_t letters = 20;
    std::uint8_t *sizes = node.take(sizeof letters);
    std::memcpy(sizes, &letters, sizeof letters);
    node.buffers[1] = views;
    node.buffers[2] = node.fill(20, content);
    node.buffers[3] = sizes;
}

/** A sound column of so many rows; `inner` chooses what its elements or levels are. */
void make(Node &node, std::size_t format, std::size_t inner, std::size_t rows, fuzz::Input &input,
          Content &content) {
    const std::size_t offset = input.below(5);
    const std::size_t all = rows + offset;
    node.is_view = format == kView;
    node.is_nested = format >= kLists;
    node.schema.format = kFormats[format];
    node.schema.release = release_part;
    node.array.length = static_cast<std::int64_t>(rows);
    node.array.offset = static_cast<std::int64_t>(offset);
    node.array.null_count = -1;
    node.array.release = release_part;
    node.schema.children = node.schemas;
    node.array.children = node.arrays;
    node.array.buffers = node.buffers;
    const std::string_view name = kFormats[format];
    const bool has_bits = input.byte() % 2 == 1;
    if (name == "n") return;
    node.array.n_buffers = name == "vu" ? 4 : name == "u" || name == "U" ? 3 : 2;
    if (has_bits) node.buffers[0] = node.fill(node.is_nested ? kMostBits : (all + 7) / 8, content);
    if (node.is_nested) {
        const auto width = static_cast<std::size_t>(name.back() - '0');
        Node &elements = node.part();
        make(elements, inner % kNumbers, 0, all * width, input, content);
        node.schemas[0] = &elements.schema;
        node.arrays[0] = &elements.array;
        node.array.n_buffers = node.array.n_children = node.schema.n_children = 1;
    } else if (name == "u") {
        make_texts<std::int32_t>(node, all, content);
    } else if (name == "U") {
        make_texts<std::int64_t>(node, all, content);
    } else if (name == "vu") {
        make_views(node, all, content);
    } else {
        node.buffers[1] = node.fill(all * size_of(name[0]), content);
    }
    if (format < kCodes || node.is_nested) return;
    Node &levels = node.part();
    make(levels, kNumbers + inner % kTexts, 0, 1 + input.below(4), input, content);
    node.schema.dictionary = &levels.schema;
    node.array.dictionary = &levels.array;
}

/** One of many things that can be seen to be wrong; some of them are not wrong everywhere. */
void damage(Node &node, fuzz::Input &input) {
    static constexpr std::int64_t kLengths[] = {-1, INT64_MIN, INT64_MAX, 0, 1, 2, 1000};
    static constexpr const char *kOdd[] = {nullptr, "",  "gg",  "tdD", "+l",
                                           "+s",    "z", "+w:", "+w:x"};
    const auto length = [&] {
        return kLengths[input.below(node.is_nested ? std::size(kLengths) : 3)];
    };
    switch (input.below(16)) {
        case 0:
            node.schema.format = kOdd[input.below(std::size(kOdd))];
            break;
        case 1:
            node.schema.n_children = input.byte() % 2 == 0 ? -1 : INT64_MAX;
            break;
        case 2:
            node.schema.children = nullptr;
            break;
        case 3:
            node.schemas[0] = nullptr;
            break;
        case 4:
            node.schema.release = nullptr;
            break;
        case 5:
            node.schema.dictionary = nullptr;
            break;
        case 6:
            node.schema.name = nullptr;
            break;
        case 7:
            node.array.length = length();
            break;
        case 8:
            node.array.offset = length();
            break;
        case 9:
            if (!node.is_view) node.array.n_buffers = static_cast<std::int64_t>(input.below(6)) - 1;
            break;
        case 10:
            node.array.n_children = static_cast<std::int64_t>(input.below(8)) - 1;
            break;
        case 11:
            node.array.buffers = nullptr;
            break;
        case 12:
            node.array.children = nullptr;
            break;
        case 13:
            node.arrays[0] = nullptr;
            break;
        case 14:
            node.buffers[input.below(3)] = nullptr;
            break;
        default:
            node.array.dictionary = nullptr;
    }
    if (input.byte() % 8 == 0) node.array.release = nullptr;
    node.array.null_count = static_cast<std::int64_t>(input.below(5));
}

/** Batches of the same columns, and a stream of them that counts what is released. */
class Given {
  public:
    Given(fuzz::Input input, std::uint8_t mask) {
        static constexpr const char *kNames[] = {"a", "b", "c", "y", "a"};
        const std::size_t columns = input.below(6);
        const std::size_t batches = 1 + input.below(3);
        std::size_t formats[5];
        std::size_t inner[5];
        for (std::size_t k = 0; k < columns; ++k) {
            formats[k] = input.below(std::size(kFormats));
            inner[k] = input.byte();
        }
        const std::size_t wrong = input.below(4);
        fuzz::Input structure(input);
        Content content(input.rest(), mask);
        for (std::size_t b = 0; b < batches; ++b) {
            Node &batch = *batches_.emplace_back(std::make_unique<Node>());
            const std::size_t rows = structure.below(kMostRows);
            const std::size_t offset = structure.below(4);
            for (std::size_t k = 0; k < columns; ++k) {
                Node &column = batch.part();
                make(column, formats[k], inner[k], rows + offset, structure, content);
                column.schema.name = kNames[k];
                batch.schemas[k] = &column.schema;
                batch.arrays[k] = &column.array;
            }
            batch.schema = {
                "+s",          "",      nullptr,        0,   static_cast<std::int64_t>(columns),
                batch.schemas, nullptr, release_schema, this};
            batch.array = {static_cast<std::int64_t>(rows),
                           0,
                           static_cast<std::int64_t>(offset),
                           1,
                           static_cast<std::int64_t>(columns),
                           batch.buffers,
                           batch.arrays,
                           nullptr,
                           release_array,
                           this};
            batch.is_nested = true;
            if (structure.byte() % 2 == 1) batch.buffers[0] = batch.fill(kMostBits, content);
        }
        for (std::size_t k = 0; k < wrong; ++k) {
            Node *node = batches_[structure.below(batches)].get();
            while (!node->parts.empty() && structure.byte() % 4 != 0)
                node = node->parts[structure.below(node->parts.size())].get();
            damage(*node, structure);
        }
    }
    Given(const Given &) = delete;
    Given &operator=(const Given &) = delete;
    ~Given() {  // each that was given, once
        REQUIRE(schemas_ == 0 && arrays_ == 0);
    }

    ArrowArrayStream stream() {
        next_ = 0;
        return {get_schema, get_next, nullptr, release_stream, this};
    }
    /** To be released by whoever has them. */
    ArrowSchema take_schema() {
        if (schema()->release != nullptr) ++schemas_;
        return *schema();
    }
    ArrowArray take_batch() {
        if (batch()->release != nullptr) ++arrays_;
        return *batch();
    }
    [[nodiscard]] const ArrowSchema *schema() const { return &batches_[0]->schema; }
    [[nodiscard]] const ArrowArray *batch() const { return &batches_[0]->array; }
    [[nodiscard]] bool ended() const { return ended_; }

  private:
    static int get_schema(ArrowArrayStream *stream, ArrowSchema *out) {
        auto *given = static_cast<Given *>(stream->private_data);
        *out = *given->schema();
        if (out->release != nullptr) ++given->schemas_;
        given->ended_ = false;
        return 0;
    }
    static int get_next(ArrowArrayStream *stream, ArrowArray *out) {
        auto *given = static_cast<Given *>(stream->private_data);
        *out = {};
        if (given->next_ == given->batches_.size()) return 0;
        *out = given->batches_[given->next_++]->array;
        if (out->release != nullptr) ++given->arrays_;
        return 0;
    }
    static void release_schema(ArrowSchema *schema) {
        --static_cast<Given *>(schema->private_data)->schemas_;
        schema->release = nullptr;
    }
    static void release_array(ArrowArray *array) {
        --static_cast<Given *>(array->private_data)->arrays_;
        array->release = nullptr;
    }
    static void release_stream(ArrowArrayStream *stream) {
        static_cast<Given *>(stream->private_data)->ended_ = true;
        stream->release = nullptr;
    }

    std::vector<std::unique_ptr<Node>> batches_;
    std::size_t next_ = 0;
    int schemas_ = 0;
    int arrays_ = 0;
    bool ended_ = false;
};

/** A request of two features, as a pass receives it. */
std::int32_t keep(const std::uint8_t *request, std::size_t size, dpa_partial * /*total*/,
                  void *user) {
    static_cast<fuzz::Bytes *>(user)->assign(request, request + size);
    return 1;
}

const double kRows[] = {1, 2, 2, 1, 3, 5, 4, 4, 0, 1, 2, 3};
const double kLabels[] = {1, 2, 3, 4, 5, 6};

/** Two public rows of two features, with a request of a private fit, and a fit without privacy. */
struct Fitted {
    fuzz::Bytes request;
    dpa_solution *solution = nullptr;

    Fitted() {
        dpa_problem *problem = nullptr;
        dpa_options *options = nullptr;
        REQUIRE(dpa_problem_create(&problem) == DPA_OK);
        REQUIRE(dpa_options_create(&options) == DPA_OK);
        const dpa_matrix rows{kRows, 6, 2, 2, DPA_ROW_MAJOR};
        for (const std::int32_t domain : {DPA_SOURCE, DPA_TARGET})
            REQUIRE(dpa_problem_set_sample(problem, domain, rows, kLabels, 6) == DPA_OK);
        REQUIRE(dpa_options_parse(options, "private_domain", "none") == DPA_OK);
        REQUIRE(dpa_solve(problem, nullptr, options, &solution) == DPA_OK);
        REQUIRE(dpa_problem_set_passes(problem, DPA_TARGET, 60, 2, keep, &request) == DPA_OK);
        REQUIRE(dpa_options_parse(options, "private_domain", "target") == DPA_OK);
        REQUIRE(dpa_options_set(options, "epsilon", 1) == DPA_OK);
        REQUIRE(dpa_options_set(options, "delta", 1e-3) == DPA_OK);
        dpa_solution *none = nullptr;
        REQUIRE(dpa_solve(problem, nullptr, options, &none) == DPA_E_CALLBACK && !request.empty());
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
};

/** What each function says: its status, and its message if that is a failure. */
void say(std::string &all, dpa_status status) {
    REQUIRE(fuzz::is_documented(status) && status != DPA_E_HANDLE);
    all += dpa_status_string(status);
    if (status != DPA_OK) all += dpa_last_error();
    all += '\n';
}

void set_sample(std::int32_t domain, ArrowArrayStream stream, const char *const *features,
                std::size_t count, const char *label, std::string &all) {
    const bool of_target = domain == DPA_TARGET;
    dpa_problem *problem = nullptr;
    std::size_t rows = 0;
    REQUIRE(dpa_problem_create(&problem) == DPA_OK);
    const dpa_status status =
        dpa_problem_set_arrow(problem, domain, &stream, features, count, label);
    say(all, status);
    REQUIRE((stream.release == nullptr) == (status == DPA_OK));
    REQUIRE(dpa_problem_shape(problem, of_target ? nullptr : &rows, of_target ? &rows : nullptr,
                              nullptr) == DPA_OK);
    REQUIRE((rows > 0) == (status == DPA_OK));
    dpa_problem_destroy(problem);
    if (stream.release != nullptr) stream.release(&stream);
}

/** The first batch as a stream of its own: its parts are the stream's, or still the caller's. */
void set_target(Given &given, const char *const *features, std::size_t count, const char *label,
                std::string &all) {
    ArrowSchema schema = given.take_schema();
    ArrowArray batch = given.take_batch();
    ArrowArrayStream stream{};
    const bool are_there = schema.release != nullptr && batch.release != nullptr;
    const dpa_status made = dpa_arrow_stream(&schema, &batch, &stream);
    REQUIRE(made == (are_there ? DPA_OK : DPA_E_FORMAT));
    REQUIRE((stream.release != nullptr) == are_there);
    if (are_there) {
        REQUIRE(schema.release == nullptr && batch.release == nullptr);
        set_sample(DPA_TARGET, stream, features, count, label, all);
    }
    if (schema.release != nullptr) schema.release(&schema);
    if (batch.release != nullptr) batch.release(&batch);
}

std::string use(fuzz::Input input, std::uint8_t mask) {
    static const Fitted fitted;
    static const char *const kFeatures[] = {"b", "c"};
    const bool named = input.byte() % 2 == 1;
    const char *const *features = named ? kFeatures : nullptr;
    const std::size_t count = named ? 2 : 0;
    const char *label = input.byte() % 4 == 0 ? nullptr : "y";
    std::string all;
    Given given(input, mask);
    set_sample(DPA_SOURCE, given.stream(), features, count, label, all);
    REQUIRE(given.ended());
    set_target(given, features, count, label, all);
    dpa_table *table = nullptr;
    ArrowArrayStream stream = given.stream();
    const dpa_status status = dpa_table_create_arrow(&stream, &table);
    say(all, status);
    REQUIRE((table != nullptr) == (status == DPA_OK));
    std::size_t table_rows = 0;
    REQUIRE(table == nullptr ||
            (dpa_table_row_count(table, &table_rows) == DPA_OK && table_rows > 0));
    dpa_table_destroy(table);
    dpa_partial *partial = nullptr;
    std::uint64_t records = 0;
    REQUIRE(dpa_partial_create(fitted.request.data(), fitted.request.size(), &partial) == DPA_OK);
    const dpa_status added =
        dpa_partial_add_arrow(partial, given.schema(), given.batch(), features, count, "y");
    say(all, added);
    REQUIRE(dpa_partial_records(partial, &records) == DPA_OK);
    const auto rows = static_cast<std::uint64_t>(given.batch()->length);
    REQUIRE(records == (added == DPA_OK ? rows : 0));
    dpa_partial_destroy(partial);
    double out[kMostRows + 1];
    say(all, dpa_solution_predict_arrow(fitted.solution, given.schema(), given.batch(), features,
                                        count, out, rows <= kMostRows ? rows : 0));
    return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const fuzz::Input input(data, size);
    REQUIRE(use(input, 0) == use(input, 0xa7));
    return 0;
}
