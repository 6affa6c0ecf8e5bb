#include "cli/read/samples.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <sstream>
#include <string>
#include <utility>

#include "cli/read/columns.hpp"
#include "cli/read/failure.hpp"
#include "cli/read/problems.hpp"
#include "cli/read/sample.hpp"
#include "cli/read/sample_sink.hpp"
#include "cli/read/schema.hpp"

namespace dpadapt::cli {

void check_apart(const NamedFile &secret, const std::vector<NamedFile> &open) {
    for (const NamedFile &file : open)
        if (is_same_input(secret.path, file.path))
            throw Failure(kUsage, std::string(file.flag) + " and " + secret.flag +
                                      " are the same file: rows cannot be both public and private "
                                      "(the option private_domain says which are private)");
}

void check_private_files(const DataArguments &arguments, const Settings &settings) {
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

namespace {

/** What --rows says about a sample comes true: missing records are null, surplus ones are gone. */
void fix_rows(Sample &sample, std::size_t rows, std::size_t cols) {
    if (rows == 0) return;
    check_room(rows, cols + 1);
    sample.x.resize(rows * cols, std::numeric_limits<double>::quiet_NaN());
    sample.y.resize(rows, std::numeric_limits<double>::quiet_NaN());
    if (!sample.weights.empty())
        sample.weights.resize(rows, std::numeric_limits<double>::quiet_NaN());
}

void require_rows(const std::string &path, const Sample &sample) {
    if (!sample.y.empty()) return;
    const bool unlabelled = sample.tally.no_label > 0 && !sample.is_private;
    throw Failure(kBadData, path + (unlabelled ? ": no row has a label"
                                               : ": there are no rows below the header"));
}

void require_domain(const DataArguments &arguments, const TableTaker &rows,
                    const std::string &word) {
    if (rows.table().rows() > 0) return;
    throw Failure(kBadData, arguments.data + ": no row has " + word + " in column \"" +
                                domain_of(arguments).column +
                                "\" (--domain COLUMN=SOURCE,TARGET names other words)");
}

}  // namespace

ColumnChoice choice_of(const DataArguments &arguments) {
    const Domain domain = domain_of(arguments);
    return {.features = arguments.features,
            .ignored = arguments.ignored,
            .label = arguments.label,
            .scores = arguments.scores,
            .weights = arguments.weights,
            .weighs_private = arguments.weighs_private,
            .domain = domain.column,
            .source_word = domain.source,
            .target_word = domain.target,
            .group = arguments.group,
            .kept = {},
            .by_domain = !arguments.data.empty()};
}

ColumnChoice source_choice(const DataArguments &arguments, const ColumnMap &map) {
    ColumnChoice choice = choice_of(arguments);
    if (!map.empty()) choice.map = &map;
    return choice;
}

namespace {

void note_mapped(const ColumnMap &map, schema::Schema &schema) {
    const auto list = [](const std::vector<std::string> &names) {
        std::string text;
        for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
        return text;
    };
    std::vector<std::string> made;
    for (const ColumnMap::Column &column : map.columns) made.push_back(column.name);
    if (!made.empty())
        schema.notes.push_back("Made of the source's columns " + list(map.inputs) +
                               " by a public map: " + list(made) + '.');
}

enum class Use { fit, prediction };

/** A file whose rows are encoded while they are read. */
struct EncodedFile {
    EncodedFile(const std::string &path, ColumnChoice wanted, const schema::Schema &schema,
                Sample &sample, bool keeps_unlabelled = false, Use use = Use::fit)
        : choice(std::move(wanted)),
          encoder(schema, !choice.label.empty(), sample, keeps_unlabelled),
          file(path, choice, schema.missing, {encoder, sample.is_private}) {
        if (use == Use::prediction) encoder.takes_misfits_for_missing();
        choice.features = schema.names();
        choice.ignored.clear();  // such a file may have fewer columns that nobody needs
        const bool wants_label = !choice.label.empty();
        file.read();
        sample.unlabelled = wants_label && choice.label.empty();
        for (const std::string &line : encoder.unknown_levels()) sample.unknown.push_back(line);
        if (choice.weights.empty() && sample.is_private) sample.weights.clear();
    }

    void check() const { file.check(encoder.misfits()); }

    ColumnChoice choice;
    Encoder encoder;
    SampleSink file;
};

/** Encodes rows that were kept. */
void encode_rows(const TableTaker &rows, const std::vector<std::string> &names,
                 const schema::Schema &schema, const SampleSink &file, Sample &sample,
                 bool keeps_unlabelled = false) {
    Encoder encoder(schema, true, sample, keeps_unlabelled);
    rows.give(places_of(schema, names), encoder);
    file.check(encoder.misfits());
    sample.unknown = encoder.unknown_levels();
}

/** Of public rows that did not teach the schema. */
void note_unknown(const Sample &sample, schema::Schema &schema) {
    for (const std::string &line : sample.unknown)
        schema.notes.push_back(line + "; the reference stands for it.");
}

/** Learns from the rows, which are public unless both samples are private. */
schema::Schema schema_of(const ColumnChoice &choice, const TableTaker &rows, const SampleSink &file,
                         const schema::Wishes &wishes, const Samples &samples) {
    if (samples.source.is_private && samples.target.is_private)
        return schema::Schema::plain(choice.features);
    return learn_schema(choice.features, rows, file, wishes);
}

void read_one_file(const DataArguments &arguments, const schema::Wishes &wishes, Samples &samples) {
    ColumnChoice choice = choice_of(arguments);
    choice.by_group = !choice.group.empty() && samples.target.is_private;
    TableTaker source(!samples.source.is_private);
    const bool target_teaches = samples.source.is_private;
    TableTaker target(!samples.target.is_private && target_teaches);
    SampleSink file(arguments.data, choice, wishes.missing, {source, samples.source.is_private},
                    {target, samples.target.is_private});
    file.read();
    require_domain(arguments, source, choice.source_word);
    require_domain(arguments, target, choice.target_word);
    const TableTaker &teacher = samples.source.is_private ? target : source;
    samples.schema = schema_of(choice, teacher, file, wishes, samples);
    encode_rows(source, choice.features, samples.schema, file, samples.source);
    encode_rows(target, choice.features, samples.schema, file, samples.target, !target_teaches);
    note_unknown(target_teaches ? samples.source : samples.target, samples.schema);
    samples.target.groups = file.groups();
    if (choice.weights.empty()) samples.source.weights = samples.target.weights = {};
}

/** The columns of --own follow those that the source teaches. */
void add_own_columns(const DataArguments &arguments, const std::vector<std::string> &known,
                     schema::Schema &schema) {
    std::string names;
    for (const std::string &text : arguments.own) {
        const std::size_t sign = text.rfind('=');
        const schema::Cell value =
            schema::read_cell(sign == std::string::npos ? "" : text.substr(sign + 1), {});
        if (sign == 0 || value.kind != schema::Cell::Kind::number)
            throw Failure(kUsage, "--own needs COLUMN=VALUE with a number, not \"" + text + '"');
        const std::string name = text.substr(0, sign);
        if (std::find(known.begin(), known.end(), name) != known.end())
            throw Failure(kUsage, "--own " + name + ": the source has this column too");
        schema.columns.push_back(schema::Column::of_numbers(name, value.number, false));
        names += (names.empty() ? "" : ", ") + name;
    }
    if (!names.empty()) schema.notes.push_back("Columns of the target alone: " + names + '.');
}

}  // namespace

void note_unused(const SampleSink &file, std::vector<std::string> known, schema::Schema &schema) {
    for (const schema::Dropped &dropped : schema.dropped) known.push_back(dropped.name);
    std::string names;
    for (const std::string &name : file.unused(known)) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
        schema.notes.push_back(
            "Not used, because only the other sample has these columns: " + names + '.');
}

namespace {

void read_two_files(const DataArguments &arguments, const schema::Wishes &wishes,
                    const ColumnMap &map, Samples &samples) {
    const bool by_target = samples.source.is_private && !samples.target.is_private;
    ColumnChoice choice = by_target ? choice_of(arguments) : source_choice(arguments, map);
    Sample &teacher = by_target ? samples.target : samples.source;
    TableTaker rows(!teacher.is_private);
    SampleSink file(by_target ? arguments.target : arguments.source, choice, wishes.missing,
                    {rows, teacher.is_private});
    file.read();
    samples.schema = schema_of(choice, rows, file, wishes, samples);
    if (samples.source.is_private && !arguments.own.empty())
        throw Failure(kUsage, "--own needs a public source, which teaches the columns");
    add_own_columns(arguments, choice.features, samples.schema);
    encode_rows(rows, choice.features, samples.schema, file, teacher);
    choice.by_group = !choice.group.empty() && samples.target.is_private;
    choice.may_lack_label = !by_target;
    choice.map = by_target && !map.empty() ? &map : nullptr;
    choice.of_other_file =
        arguments.features.empty() && arguments.own.empty() && choice.map == nullptr;
    choice.weights = arguments.weights;
    const EncodedFile other(by_target ? arguments.source : arguments.target, choice, samples.schema,
                            by_target ? samples.source : samples.target, !by_target);
    other.check();
    note_unknown(by_target ? samples.source : samples.target, samples.schema);
    samples.source.unknown.clear();  // rare levels, of which a file that teaches may have some
    samples.target.groups = other.file.groups();
    if (arguments.features.empty()) note_unused(other.file, arguments.ignored, samples.schema);
}

/** Rows of one file after another, each encoded as the first one has taught. */
void read_more_sources(const DataArguments &arguments, const ColumnMap &map, Samples &samples) {
    if (arguments.more_sources.empty()) return;
    if (samples.source.is_private || !arguments.data.empty())
        throw Failure(kUsage, "--add-source needs --source, and public source rows");
    samples.sources.assign(samples.source.y.size(), 0);
    for (std::size_t k = 0; k < arguments.more_sources.size(); ++k) {
        const std::size_t before = samples.source.y.size();
        const EncodedFile file(arguments.more_sources[k], source_choice(arguments, map),
                               samples.schema, samples.source);
        file.check();
        if (samples.source.y.size() == before)
            throw Failure(kBadData, arguments.more_sources[k] + ": no row has a label");
        samples.sources.resize(samples.source.y.size(), static_cast<std::int64_t>(k) + 1);
    }
    note_unknown(samples.source, samples.schema);
    const std::size_t unlabelled = samples.source.tally.no_label;
    if (unlabelled > 0)
        samples.schema.notes.push_back("Of the added sources: " + schema::left_out(unlabelled));
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

}  // namespace

Samples read_samples(const DataArguments &given, const Settings &settings,
                     const std::string &baseline) {
    DataArguments arguments = given;
    arguments.weighs_private = settings.get("row_weight_bound") != "none";
    check_private_files(arguments, settings);
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    samples.target.is_private = settings.is_private("target");
    if (!arguments.weights.empty() && samples.source.is_private && samples.target.is_private)
        throw Failure(kUsage, "--weight needs a public sample");
    const bool weighs = !arguments.weights.empty() && arguments.weighs_private;
    samples.source.weighs = weighs && samples.source.is_private;
    samples.target.weighs = weighs && samples.target.is_private;
    const FixedRows rows =
        fixed_rows(arguments.rows, samples.source.is_private, samples.target.is_private);
    const schema::Wishes wishes = make_wishes(arguments, settings, baseline);
    if (!arguments.scores.empty() && wishes.labels != schema::LabelKind::numbers)
        throw Failure(kUsage, "--scores needs a loss whose labels are numbers");
    if (!arguments.data.empty() && !arguments.source_map.empty())
        throw Failure(kUsage, "--source-map needs --source and --target: one file has one header");
    const ColumnMap map = read_column_map(arguments.source_map);
    arguments.data.empty() ? read_two_files(arguments, wishes, map, samples)
                           : read_one_file(arguments, wishes, samples);
    if (!arguments.data.empty() && !arguments.own.empty())
        throw Failure(kUsage, "--own needs --source and --target: one file has all columns");
    read_more_sources(arguments, map, samples);
    note_mapped(map, samples.schema);
    check_weights(arguments, samples);
    samples.features = samples.schema.features();
    fix_rows(samples.source, rows.source, samples.features.size());
    fix_rows(samples.target, rows.target, samples.features.size());
    const bool is_one = !arguments.data.empty();
    require_rows(is_one ? arguments.data : arguments.source, samples.source);
    require_rows(is_one ? arguments.data : arguments.target, samples.target);
    return samples;
}

Samples read_source(const DataArguments &arguments, const Settings &settings, std::size_t memory) {
    check_private_files(arguments, settings);
    Samples samples;
    samples.source.is_private = settings.is_private("source");
    const schema::Wishes wishes = make_wishes(arguments, settings, {});
    const ColumnMap map = read_column_map(arguments.source_map);
    ColumnChoice choice = source_choice(arguments, map);
    TableTaker rows(!samples.source.is_private, samples.source.is_private ? 0 : memory);
    SampleSink file(arguments.source, choice, wishes.missing, {rows, samples.source.is_private});
    file.read();
    samples.schema = samples.source.is_private ? schema::Schema::plain(choice.features)
                                               : learn_schema(choice.features, rows, file, wishes);
    note_mapped(map, samples.schema);
    samples.features = samples.schema.features();
    const std::size_t kept = rows.table().rows();
    if (rows.taken() > kept)
        samples.schema.notes.push_back("Columns and labels were learnt from " +
                                       std::to_string(kept) + " of the " +
                                       std::to_string(rows.taken()) + " public rows.");
    if (rows.taken() > kept ||
        (memory > 0 && kept > rows_held(memory, samples.features.size() + 1))) {
        samples.source_elsewhere = rows.taken();
        return samples;
    }
    encode_rows(rows, choice.features, samples.schema, file, samples.source);
    require_rows(arguments.source, samples.source);
    return samples;
}

Sample read_sample(const std::string &path, const schema::Schema &schema, const std::string &label,
                   const std::string &scores, bool is_private, std::size_t rows,
                   const std::string &group) {
    Sample sample;
    sample.is_private = is_private;
    ColumnChoice choice{.features = {},
                        .ignored = {},
                        .label = label,
                        .scores = scores,
                        .domain = {},
                        .group = group,
                        .kept = {}};
    choice.by_group = is_private && !group.empty();
    const EncodedFile file(path, choice, schema, sample);
    file.check();
    sample.groups = file.file.groups();
    fix_rows(sample, rows, schema.features().size());
    require_rows(path, sample);
    return sample;
}

Rows read_rows(const std::string &path, const schema::Schema &schema,
               const std::vector<std::string> &kept, const std::string &scores) {
    Sample sample;
    // A score is read like a label, and no row is left out for want of one.
    const EncodedFile read(path,
                           {.features = {},
                            .ignored = {},
                            .label = scores,
                            .scores = {},
                            .domain = {},
                            .group = {},
                            .kept = kept},
                           schema, sample, true, Use::prediction);
    return {.x = std::move(sample.x),
            .scores = std::move(sample.y),
            .kept = read.file.kept(),
            .problems = read.file.text(read.encoder.misfits()),
            .unknown = std::move(sample.unknown)};
}

void tell_unknown(const std::vector<std::string> &lines) {
    for (const std::string &line : lines)
        std::fprintf(stderr, "dpadapt: %s; the reference stands for it\n", printable(line).c_str());
}

}  // namespace dpadapt::cli
