#include "cli/read/sample_sink.hpp"

#include "base/text.hpp"
#include "cli/read/failure.hpp"
#include "schema/labels.hpp"
#include "schema/schema.hpp"

namespace dpadapt::cli {

namespace {

bool is_number(const schema::Cell &cell) { return cell.kind == schema::Cell::Kind::number; }

/** 1 for an event, -1 for none, 0 for neither. */
int sign_of(const schema::Cell &event) {
    return schema::usual_sign(is_number(event) ? to_text(event.number) : std::string(event.text));
}

}  // namespace

void SampleSink::read() {
    within_memory(path_, [&] { read_csv(path_, *this, has_private_rows()); });
}

void SampleSink::header(const std::vector<std::string> &names, char separator) {
    separator_ = separator;
    format_.decimal_comma = separator != ',';
    names_ = names;
    places_ = place_columns(path_, names, choice_);
    // The header is public, and so are the hints.
    if (places_.weight && !choice_.weighs_private && has_private_rows())
        throw Failure(kUsage,
                      path_ + ": --weight " + choice_.weights +
                          ": weights of rows of a private sample need option row_weight_bound, a "
                          "public number to which they are clipped: without it the sensitivity of "
                          "sums would depend on them (--set row_weight_bound=W; where public rows "
                          "alone have weights, rename the column here)");
    uses_.resize(names.size());
    slots_.clear();
    const auto use = [&](std::optional<std::size_t> column) {
        if (column) uses_[*column].push_back(slots_.size());
        slots_.emplace_back();
    };
    for (const std::optional<std::size_t> &feature : places_.features) use(feature);
    use(places_.label);
    for (const std::size_t input : places_.inputs) use(input);
    use(places_.event);
    use(places_.scores);
    use(places_.weight);
    cells_.resize(places_.features.size() + 1);
    inputs_.resize(places_.inputs.size());
    kept_row_.resize(places_.kept.size());
    if (places_.domain && has_private_rows()) domain_first_ = is_first(choice_.domain.column);
    if (places_.group) group_first_ = is_first(choice_.group);
    source_.sink.begin(places_.features.size());
    if (choice_.by_domain) target_.sink.begin(places_.features.size());
}

/** Or else the last one: in the middle of a line a comma too many, or a quote, would move a row to
 *  the other sample, or to another person. */
bool SampleSink::is_first(const std::string &column) const {
    if (names_.front() == column) return true;
    if (names_.back() == column) return false;
    throw Failure(kBadData, path_ + ": column \"" + column +
                                "\" must be the first or the last one where rows are private, so "
                                "that no other cell can move it");
}

bool SampleSink::begin_row(std::string_view first, std::string_view last) {
    const auto text = [&](bool is_first) {
        return split_row(is_first ? first : last, separator_).texts.front();
    };
    if (choice_.by_group) group_ = schema::person_of(text(group_first_));
    if (!choice_.by_domain) return source_.is_private;
    find_domain(text(domain_first_));
    if (!has_domain_) current_ = target_.is_private ? &target_ : &source_;
    if (!current_->is_private) ++public_rows_;  // damaged ones, too
    return current_->is_private;
}

void SampleSink::find_domain(std::string_view text) {
    has_domain_ = text == choice_.domain.source || text == choice_.domain.target;
    current_ = text == choice_.domain.target ? &target_ : &source_;
}

void SampleSink::cell(std::size_t column, std::string_view text) {
    for (std::size_t k = 0; k < places_.kept.size(); ++k)
        if (places_.kept[k] == column) kept_row_[k] = text;
    for (const std::size_t use : uses_[column]) {
        auto &[cell, kept] = slots_[use];
        cell = read_cell(text, format_);
        if (cell.kind == schema::Cell::Kind::text) cell.text = kept = cell.text;
    }
    if (!has_private_rows()) check_public(column, text);
    if (column != places_.domain) return;
    if (!has_private_rows()) find_domain(text);
    if (!has_domain_)
        throw CellError('"' + std::string(text) + "\" is neither " + choice_.domain.source +
                        " nor " + choice_.domain.target +
                        " (--domain COLUMN=SOURCE,TARGET names other words)");
}

void SampleSink::check_public(std::size_t column, std::string_view text) const {
    const schema::Cell &weight = slots_.back().cell;
    if (column == places_.weight && (!is_number(weight) || weight.number < 0.0))
        throw CellError('"' + std::string(text) + "\" is no weight: a number of at least 0");
    if (column == places_.event && sign_of(slots_[slots_.size() - 3].cell) == 0)
        throw CellError('"' + std::string(text) + "\" does not say whether there was an event: " +
                        "1 and 0 do, and yes and no");
}

/** A public row whose weight is none gets one that the library refuses, with the row's number; that
 *  of a private one counts as 0. */
double SampleSink::weight() const {
    if (!places_.weight) return kNone;
    const schema::Cell &weight = slots_.back().cell;
    if (is_number(weight)) return weight.number;
    return current_->is_private ? kNone : -1.0;
}

/** Inputs of the map and scores are those of the row, and their factors are public. */
void SampleSink::end_row(std::size_t line) {
    const std::size_t features = places_.features.size();
    for (std::size_t k = 0; k < inputs_.size(); ++k) inputs_[k] = slots_[features + 1 + k].cell;
    for (std::size_t k = 0; k < features; ++k)
        cells_[k] = places_.features[k]
                        ? slots_[k].cell
                        : value_of(*choice_.map->find(choice_.features[k]), inputs_);
    schema::Cell &label = cells_.back() = slots_[features].cell;
    if (places_.event) {
        const int sign = sign_of(slots_[slots_.size() - 3].cell);
        if (!is_number(label) || !(label.number > 0.0) || sign == 0) label = {};
        label.number *= sign;
    }
    const schema::Cell &score = slots_[slots_.size() - 2].cell;
    if (places_.scores && !is_number(score)) label = {};
    if (places_.scores && is_number(label)) label.number -= score.number;
    current_->sink.take(cells_, counts_public_rows() ? public_rows_ : line, weight());
    kept_.insert(kept_.end(), kept_row_.begin(), kept_row_.end());
    add_group();
}

void SampleSink::add_group() {
    const bool of_target = !choice_.by_domain || current_ == &target_;
    if (choice_.by_group && of_target && current_->is_private) groups_.push_back(group_);
}

void SampleSink::end_null_row() {
    current_->sink.take_null();
    add_group();
}

std::vector<std::string> SampleSink::lines(const InvalidCells &invalid) const {
    std::vector<std::string> lines;
    for (const auto &[line, column, reason] : invalid.first) {
        const std::string &name = column.empty() ? choice_.label : column;
        const std::size_t place = place_among(names_, name);
        const bool is_mapped = choice_.map->find(name) != nullptr;
        lines.push_back((place < names_.size() && !counts_public_rows()
                             ? place_in_file(path_, line, place, name)
                             : path_ + (counts_public_rows() ? ": public row " : ": line ") +
                                   std::to_string(line) + " (" + name +
                                   (is_mapped ? " by --source-map)" : ")")) +
                        ": " + reason);
    }
    const std::size_t rest = invalid.count - invalid.first.size();
    if (rest > 0) lines.push_back("and " + std::to_string(rest) + " more");
    return lines;
}

void SampleSink::check(const InvalidCells &invalid, const std::string &help) const {
    if (invalid.count == 0) return;
    std::vector<std::string> told = lines(invalid);
    if (!help.empty() && invalid.count > 1)
        told.push_back('(' + help + ')');
    else if (!help.empty())
        told.back() += " (" + help + ')';
    throw Failure(kBadData, told);
}

std::vector<std::string> SampleSink::unused(const std::vector<std::string> &ignored) const {
    std::vector<std::string> known = ignored;
    known.insert(known.end(), {choice_.domain.column, choice_.group, choice_.weights});
    known.insert(known.end(), choice_.kept.begin(), choice_.kept.end());
    std::vector<std::string> unused;
    for (std::size_t k = 0; k < names_.size(); ++k)
        if (uses_[k].empty() && !contains(known, names_[k])) unused.push_back(names_[k]);
    return unused;
}

}  // namespace dpadapt::cli
