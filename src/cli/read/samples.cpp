#include "cli/read/samples.hpp"

#include <cstdio>
#include <tuple>
#include <utility>

#include "cli/read/failure.hpp"
#include "cli/read/sample_sink.hpp"
#include "cli/read/schema.hpp"
#include "cli/system/system.hpp"

namespace dpadapt::cli {

void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open) {
    for (const NamedFile &file : open)
        if (is_same_input(secret.path, file.path))
            throw Failure(kUsage, file.flag + " and " + secret.flag +
                                      " are the same file: rows cannot be both public and private "
                                      "(the option private_domain says which are private)");
}

ColumnChoice choice_of(const DataArguments &arguments, const ColumnMap &map) {
    const ColumnUses &uses = arguments;
    ColumnChoice choice{uses};
    choice.domain = domain_of(arguments);
    choice.hidden = hidden_columns(arguments);
    choice.features = arguments.features;
    if (!choice.features.empty())
        choice.features.insert(choice.features.end(), choice.hidden.begin(), choice.hidden.end());
    choice.ignored = arguments.ignored;
    std::erase_if(choice.ignored,
                  [&](const std::string &name) { return contains(choice.hidden, name); });
    choice.map = &map;
    choice.by_domain = !arguments.data.empty();
    return choice;
}

void note_unused(const SampleSink &file, std::vector<std::string> known, schema::Schema &schema) {
    for (const schema::Dropped &dropped : schema.dropped) known.push_back(dropped.name);
    const std::vector<std::string> names = file.unused(known);
    if (!names.empty())
        schema.notes.push_back(
            "Not used, because only the other sample has these columns: " + joined(names) + '.');
}

namespace {

/** check_apart() of the files of both samples, where one of the two is private. */
void check_use(const DataArguments &arguments, const Settings &settings) {
    if (!arguments.event.empty() && settings.get("loss") != "survival")
        throw Failure(kUsage, "--event is for loss=survival");
    std::vector<NamedFile> sources{{"--source", arguments.source}};
    for (const std::string &path : arguments.more_sources)
        sources.push_back({"--add-source", path});
    const NamedFile target{"--target", arguments.target};
    const NamedFile map{"--source-map", arguments.source_map};
    if (settings.is_private("target")) {
        check_apart(target, {map});
        check_apart({"--data", arguments.data}, {map});
        if (!settings.is_private("source")) check_apart(target, sources);
    } else if (settings.is_private("source")) {
        for (const NamedFile &source : sources) check_apart(source, {target, map});
    }
}

/** What --rows says about a sample comes true: missing records are null, surplus ones are gone.
 *  Failure(kUsage) for more numbers than the machine has memory for, whatever the file holds. */
void fix_rows(Sample &sample, std::size_t rows, std::size_t cols) {
    if (rows == 0) return;
    const double memory = most_memory();
    constexpr double kCopies = 3.0;  // the rows, and what a fit makes of them
    const double needed =
        kCopies * sizeof(double) * static_cast<double>(rows) * static_cast<double>(cols + 1);
    if (needed > memory)
        throw Failure(kUsage, "--rows " + std::to_string(rows) + " needs some " +
                                  std::to_string(static_cast<std::uint64_t>(needed / 1e9) + 1) +
                                  " GB of memory, and here are " +
                                  std::to_string(static_cast<std::uint64_t>(memory / 1e9)) +
                                  " (fit --memory SIZE reads rows piece by piece)");
    sample.x.resize(rows * cols, kNone);
    sample.y.resize(rows, kNone);
    if (!sample.weights.empty()) sample.weights.resize(rows, kNone);
}

void require_rows(const std::string &path, const Sample &sample) {
    if (!sample.y.empty()) return;
    const bool unlabelled = sample.tally.no_label > 0 && !sample.is_private;
    throw Failure(kBadData, path + (unlabelled ? ": no row has a label"
                                               : ": there are no rows below the header"));
}

/** What is common to the ways of reading. */
struct Reading {
    const DataArguments &arguments;
    schema::Hints hints;
    ColumnMap map;
    Samples &samples;

    [[nodiscard]] schema::Schema &schema() const { return samples.schema; }
    void note(const std::string &text, const std::vector<std::string> &names) const {
        if (!names.empty()) schema().notes.push_back(text + joined(names) + '.');
    }
    /** Of public rows that did not teach the schema. */
    void note_unknown(const Sample &sample) const {
        for (const std::string &line : sample.unknown)
            schema().notes.push_back(line + "; the reference stands for it.");
    }
    /** Learns from the rows, which are public unless both samples are private. */
    void learn(const ColumnChoice &choice, const TableSink &rows, const SampleSink &file,
               bool is_private) const {
        within_memory(file.path(), [&] {
            schema() = is_private ? plain_schema(choice.features, hints)
                                  : learn_schema(choice.features, rows, file, hints);
        });
    }
    /** Encodes rows that were kept. */
    void encode(const TableSink &rows, const ColumnChoice &choice, const SampleSink &file,
                Sample &sample, bool keeps_unlabelled = false) const {
        Encoder encoder(schema(), true, sample, keeps_unlabelled);
        std::vector<std::size_t> places;
        for (const std::string &name : schema().names()) {
            const std::size_t place = place_among(choice.features, name);
            places.push_back(place < choice.features.size() ? place : TableSink::kAbsent);
        }
        within_memory(file.path(), [&] { rows.give(places, encoder); });
        file.check(encoder.invalid_cells());
        sample.unknown = encoder.unknown_levels();
    }
};

enum class Use { fit, prediction };

/** A file whose rows are encoded while they are read. */
struct EncodedFile {
    EncodedFile(const std::string &path, ColumnChoice wanted, const schema::Schema &schema,
                Sample &sample, bool keeps_unlabelled = false, Use use = Use::fit)
        : choice(std::move(wanted)),
          encoder(schema, !choice.label.empty(), sample, keeps_unlabelled),
          file(path, choice, schema.missing, {encoder, sample.is_private}) {
        if (use == Use::prediction) encoder.takes_invalid_for_missing();
        choice.features = schema.names();
        choice.ignored.clear();  // such a file may have fewer columns that nobody needs
        const bool wants_label = !choice.label.empty();
        file.read();
        sample.unlabelled = wants_label && choice.label.empty();
        for (const std::string &line : encoder.unknown_levels()) sample.unknown.push_back(line);
        if (choice.weights.empty() && sample.is_private) sample.weights.clear();
        if (use == Use::fit) file.check(encoder.invalid_cells());
    }

    ColumnChoice choice;
    Encoder encoder;
    SampleSink file;
};

void read_one_file(const Reading &reading, const FixedRows &said) {
    const DataArguments &arguments = reading.arguments;
    Sample &source = reading.samples.source;
    Sample &target = reading.samples.target;
    if (!arguments.source_map.empty())
        throw Failure(kUsage, "--source-map needs --source and --target: one file has one header");
    if (!arguments.own.empty())
        throw Failure(kUsage, "--own needs --source and --target: one file has all columns");
    ColumnChoice choice = choice_of(arguments);
    choice.by_group = !choice.group.empty() && target.is_private;
    choice.weighs_private = source.weighs || target.weighs;
    const bool target_teaches = source.is_private;
    TableSink source_rows(!source.is_private);
    TableSink target_rows(!target.is_private && target_teaches);
    SampleSink file(arguments.data, choice, reading.hints.missing, {source_rows, source.is_private},
                    {target_rows, target.is_private});
    file.read();
    for (const auto &[rows, word, known] :
         {std::tuple(&source_rows, &choice.domain.source, said.source),
          std::tuple(&target_rows, &choice.domain.target, said.target)})
        if (rows->table().rows() == 0 && known == 0)
            throw Failure(kBadData, arguments.data + ": no row has " + *word + " in column \"" +
                                        choice.domain.column +
                                        "\" (--domain COLUMN=SOURCE,TARGET names other words)");
    reading.learn(choice, target_teaches ? target_rows : source_rows, file,
                  source.is_private && target.is_private);
    reading.encode(source_rows, choice, file, source);
    reading.encode(target_rows, choice, file, target, !target_teaches);
    reading.note_unknown(target_teaches ? source : target);
    target.groups = file.groups();
    if (choice.weights.empty()) source.weights = target.weights = {};
}

/** The columns of --own follow those that the source teaches. */
void add_own_columns(const Reading &reading, const std::vector<std::string> &known) {
    std::vector<std::string> names;
    for (const std::string &text : reading.arguments.own) {
        const std::size_t sign = text.rfind('=');
        const schema::Cell value =
            schema::read_cell(sign == std::string::npos ? "" : text.substr(sign + 1), {});
        if (sign == 0 || value.kind != schema::Cell::Kind::number)
            throw Failure(kUsage, "--own needs COLUMN=VALUE with a number, not \"" + text + '"');
        names.push_back(text.substr(0, sign));
        if (contains(known, names.back()))
            throw Failure(kUsage, "--own " + names.back() + ": the source has this column too");
        reading.schema().columns.push_back(
            schema::Column::of_numbers(names.back(), value.number, false));
    }
    reading.note("Columns of the target alone: ", names);
}

void read_two_files(const Reading &reading) {
    const DataArguments &arguments = reading.arguments;
    Samples &samples = reading.samples;
    const bool by_target = samples.source.is_private && !samples.target.is_private;
    ColumnChoice choice = choice_of(arguments, by_target ? kNoMap : reading.map);
    choice.weighs_private = samples.source.weighs || samples.target.weighs;
    Sample &teacher = by_target ? samples.target : samples.source;
    TableSink rows(!teacher.is_private);
    SampleSink file(by_target ? arguments.target : arguments.source, choice, reading.hints.missing,
                    {rows, teacher.is_private});
    file.read();
    reading.learn(choice, rows, file, samples.source.is_private && samples.target.is_private);
    if (samples.source.is_private && !arguments.own.empty())
        throw Failure(kUsage, "--own needs a public source, which teaches the columns");
    add_own_columns(reading, choice.features);
    reading.encode(rows, choice, file, teacher);
    choice.by_group = !choice.group.empty() && samples.target.is_private;
    choice.may_lack_label = !by_target;
    choice.map = by_target ? &reading.map : &kNoMap;
    choice.of_other_file =
        arguments.features.empty() && arguments.own.empty() && choice.map->empty();
    choice.weights = arguments.weights;
    Sample &sample = by_target ? samples.source : samples.target;
    const EncodedFile other(by_target ? arguments.source : arguments.target, choice, samples.schema,
                            sample, !by_target);
    reading.note_unknown(sample);
    samples.source.unknown.clear();  // rare levels, of which a file that teaches may have some
    samples.target.groups = other.file.groups();
    if (arguments.features.empty()) note_unused(other.file, arguments.ignored, samples.schema);
}

/** Rows of one file after another, each encoded as the first one has taught. */
void read_more_sources(const Reading &reading) {
    const DataArguments &arguments = reading.arguments;
    Sample &source = reading.samples.source;
    if (arguments.more_sources.empty()) return;
    if (source.is_private || !arguments.data.empty())
        throw Failure(kUsage, "--add-source needs --source, and public source rows");
    std::vector<std::int64_t> &sources = reading.samples.sources;
    sources.assign(source.y.size(), 0);
    for (const std::string &path : arguments.more_sources) {
        const EncodedFile file(path, choice_of(arguments, reading.map), reading.schema(), source);
        if (source.y.size() == sources.size())
            throw Failure(kBadData, path + ": no row has a label");
        sources.resize(source.y.size(), sources.back() + 1);
    }
    reading.note_unknown(source);
    if (source.tally.no_label > 0)
        reading.schema().notes.push_back("Of the added sources: " +
                                         schema::left_out(source.tally.no_label));
}

/** Weights are those of public rows, and of private ones with row_weight_bound, in each file that
 *  has their column. */
void check_weights(const DataArguments &arguments, const Samples &samples) {
    if (arguments.weights.empty()) return;
    for (const Sample *sample : {&samples.source, &samples.target})
        if (!sample->weights.empty() && sample->weights.size() != sample->y.size())
            throw Failure(kBadData, "some sources have the column \"" + arguments.weights +
                                        "\", and others have not");
    if (!samples.source.weights.empty() || !samples.target.weights.empty()) return;
    const bool of_all = samples.source.weighs || samples.target.weighs;
    throw Failure(kBadData, std::string("no file ") + (of_all ? "" : "of public rows ") +
                                "has the column \"" + arguments.weights + '"');
}

/** The features are complete then. */
void finish_schema(const Reading &reading) {
    if (!reading.map.empty())
        reading.note(
            "Made of the source's columns " + joined(reading.map.inputs) + " by a public map: ",
            reading.map.names());
    reading.samples.features = reading.schema().features();
}

}  // namespace

Samples read_samples(const DataArguments &arguments, const Settings &settings,
                     const std::string &baseline) {
    check_use(arguments, settings);
    Samples samples;
    Sample &source = samples.source;
    Sample &target = samples.target;
    source.is_private = settings.is_private("source");
    target.is_private = settings.is_private("target");
    if (!arguments.weights.empty() && source.is_private && target.is_private)
        throw Failure(kUsage, "--weight needs a public sample");
    const bool weighs = !arguments.weights.empty() && settings.get("row_weight_bound") != "none";
    source.weighs = weighs && source.is_private;
    target.weighs = weighs && target.is_private;
    const FixedRows rows = fixed_rows(arguments.rows, source.is_private, target.is_private);
    const bool is_one = !arguments.data.empty();
    const Reading reading{arguments, schema_hints(arguments, settings, baseline),
                          read_column_map(arguments.source_map), samples};
    if (!arguments.scores.empty() && reading.hints.labels != schema::LabelKind::numbers)
        throw Failure(kUsage, "--scores needs a loss whose labels are numbers");
    is_one ? read_one_file(reading, rows) : read_two_files(reading);
    read_more_sources(reading);
    finish_schema(reading);
    check_weights(arguments, samples);
    fix_rows(source, rows.source, samples.features.size());
    fix_rows(target, rows.target, samples.features.size());
    require_rows(is_one ? arguments.data : arguments.source, source);
    require_rows(is_one ? arguments.data : arguments.target, target);
    return samples;
}

Samples read_source(const DataArguments &arguments, const Settings &settings, std::size_t memory) {
    check_use(arguments, settings);
    Samples samples;
    const bool is_private = samples.source.is_private = settings.is_private("source");
    const Reading reading{arguments, schema_hints(arguments, settings, {}),
                          read_column_map(arguments.source_map), samples};
    ColumnChoice choice = choice_of(arguments, reading.map);
    TableSink rows(!is_private, is_private ? 0 : memory);
    SampleSink file(arguments.source, choice, reading.hints.missing, {rows, is_private});
    file.read();
    reading.learn(choice, rows, file, is_private);
    finish_schema(reading);
    const std::size_t kept = rows.table().rows();
    const bool is_sampled = rows.taken() > kept;
    if (is_sampled)
        samples.schema.notes.push_back("Columns and labels were learnt from " +
                                       std::to_string(kept) + " of the " +
                                       std::to_string(rows.taken()) + " public rows.");
    if (is_sampled || (memory > 0 && kept > rows_held(memory, samples.features.size() + 1))) {
        samples.source_elsewhere = rows.taken();
        return samples;
    }
    reading.encode(rows, choice, file, samples.source);
    require_rows(arguments.source, samples.source);
    return samples;
}

Sample read_sample(const std::string &path, const schema::Schema &schema, const ColumnUses &columns,
                   bool is_private, std::size_t rows) {
    Sample sample;
    sample.is_private = is_private;
    ColumnChoice choice{columns};
    if (is_private) choice.weights.clear();
    choice.by_group = is_private && !choice.group.empty();
    const EncodedFile file(path, choice, schema, sample);
    sample.groups = file.file.groups();
    fix_rows(sample, rows, schema.features().size());
    require_rows(path, sample);
    tell_unknown(sample.unknown);
    return sample;
}

Rows read_rows(const std::string &path, const schema::Schema &schema,
               const std::vector<std::string> &kept, const std::string &scores) {
    Sample sample;
    ColumnChoice choice{.kept = kept};
    choice.label = scores;  // read like a label, and no row is left out for want of one
    const EncodedFile read(path, choice, schema, sample, true, Use::prediction);
    return {.x = std::move(sample.x),
            .scores = std::move(sample.y),
            .kept = read.file.kept(),
            .problems = read.file.lines(read.encoder.invalid_cells()),
            .unknown = std::move(sample.unknown)};
}

void tell_unknown(const std::vector<std::string> &lines) {
    for (const std::string &line : lines)
        std::fprintf(stderr, "dpadapt: %s; the reference stands for it\n",
                     in_lines({line}).c_str());
}

}  // namespace dpadapt::cli
