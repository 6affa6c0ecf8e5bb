#include "arrow/batch.hpp"

#include <algorithm>
#include <unordered_map>

#include "arrow/stream.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace dpadapt::arrow {

namespace {

const char *present(const char *name, const char *what) {
    if (name == nullptr)
        throw Error(DPA_E_INVALID_ARGUMENT, std::string(what) + " must not be NULL");
    return name;
}

/** Columns by their names. */
class Places {
  public:
    explicit Places(std::span<const ArrowSchema *const> columns) {
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (!places_.try_emplace(name_of(*columns[k]), k).second)
                places_[name_of(*columns[k])] = kTwice;
    }
    [[nodiscard]] std::size_t operator[](const char *name) const {
        const auto found = places_.find(name);
        if (found == places_.end())
            throw Error(DPA_E_INVALID_ARGUMENT, "there is no column " + in_quotes(name));
        if (found->second == kTwice)
            throw Error(DPA_E_INVALID_ARGUMENT, "there are several columns " + in_quotes(name));
        return found->second;
    }

  private:
    static constexpr auto kTwice = std::numeric_limits<std::size_t>::max();
    std::unordered_map<std::string, std::size_t> places_;
};

Selection::One numbers(const ArrowSchema &column, std::size_t place) {
    Selection::One one{place, name_of(column), type_of(column)};
    if (one.type.kind != Kind::list && !one.type.is_number())
        throw Error(DPA_E_UNSUPPORTED, "column " + in_quotes(one.name) +
                                           " has texts, which become features by a schema: "
                                           "dpa_table_create_arrow");
    return one;
}

}  // namespace

Selection::Selection(const ArrowSchema &schema, const Names &names) {
    const std::span<const ArrowSchema *const> all = columns_of(schema);
    const Places places(all);
    columns = all.size();
    if (names.label != nullptr) {
        const std::size_t place = places[names.label];
        label = numbers(*all[place], place);
        if (label->type.kind == Kind::list)
            throw Error(DPA_E_UNSUPPORTED, "the label " + in_quotes(label->name) + " is a list");
    }
    const auto add = [&](std::size_t place) {
        features.push_back(numbers(*all[place], place));
        width += features.back().type.width;
    };
    if (names.features == nullptr) {
        if (names.feature_count != 0)
            throw Error(DPA_E_INVALID_ARGUMENT, "feature_count must be 0 where features is NULL");
        for (std::size_t place = 0; place < all.size(); ++place)
            if (!label || place != label->place) add(place);
    }
    for (std::size_t k = 0; k < names.feature_count; ++k) {
        const std::size_t place = places[present(names.features[k], "every feature")];
        if (label && place == label->place)
            throw Error(DPA_E_INVALID_ARGUMENT, "the label is among the features");
        add(place);
    }
}

Batch::Batch(const Selection &selection, const ArrowArray &array)
    : rows_(rows_of(array, 1, static_cast<std::int64_t>(selection.columns), "of a batch")),
      width_(selection.width) {
    if (rows_.count > 0) valid_ = Validity(array, rows_);
    std::size_t place = 0;
    const auto column = [&](const Selection::One &one) {
        return Column(one.type, *array.children[one.place], rows_, one.name);
    };
    for (const Selection::One &one : selection.features) {
        features_.push_back(column(one));
        places_.push_back(place);
        place += one.type.width;
    }
    if (selection.label) label_.emplace(column(*selection.label));
}

void Batch::read(std::size_t first, std::size_t count, double *x, double *y) const {
    constexpr std::size_t kFour = 4;
    constexpr std::size_t kTile = 6400;  // features of rows that are written column by column
    const std::size_t tile =
        std::clamp<std::size_t>(kTile / std::max<std::size_t>(width_, 1), 16, 320);
    for (std::size_t done = 0; done < count; done += tile) {
        const std::size_t rows = std::min(tile, count - done);
        double *const to = x + done * width_;
        for (std::size_t k = 0; k < features_.size();) {
            const bool four =
                k + kFour <= features_.size() &&
                Column::read_four(&features_[k], first + done, rows, to + places_[k], width_);
            if (!four) features_[k].read(first + done, rows, to + places_[k], width_);
            k += four ? kFour : 1;
        }
    }
    valid_.forget_missing(first, count, x, width_, width_);
    if (!label_) return;
    label_->read(first, count, y, 1);
    valid_.forget_missing(first, count, y, 1, 1);
}

void Batch::read_labels(double *y) const {
    label_->read(0, rows(), y, 1);
    valid_.forget_missing(0, rows(), y, 1, 1);
}

const double *Batch::lent_features() const {
    return features_.size() == 1 && valid_.none_missing() ? features_.front().lent() : nullptr;
}

const double *Batch::lent_labels() const {
    return label_ && valid_.none_missing() ? label_->lent() : nullptr;
}

Rows::Rows(ArrowArrayStream &stream, const Names &names)
    : storage_(std::make_shared<Storage>(Storage{{schema_of(stream)}})),
      selection_(*storage_->received.schema, names) {
    storage_->received.batches = batches_of(stream);
    for (const auto &array : storage_->received.batches) {
        Batch batch(selection_, *array);
        if (batch.rows() == 0) continue;
        rows_ += batch.rows();
        batches_.push_back(std::move(batch));
    }
}

Sample Rows::sample() const {
    const double *x = batches_.size() == 1 ? batches_.front().lent_features() : nullptr;
    if (x != nullptr) return lent(batches_.front(), x);
    const bool is_labelled = selection_.label.has_value();
    return Sample::fill(rows_, width(), is_labelled, [&](double *to, double *labels) {
        for (const Batch &batch : batches_) {
            batch.read(0, batch.rows(), to, labels);
            to += batch.rows() * width();
            if (is_labelled) labels += batch.rows();
        }
    });
}

Sample Rows::lent(const Batch &batch, const double *x) const {
    const linalg::MatrixView matrix{x, rows_, width(), width(), true};
    Sample sample;
    if (!selection_.label) {
        sample = Sample::lend_unlabelled(matrix);
    } else if (const double *labels = batch.lent_labels()) {
        sample = Sample::lend(matrix, labels);
    } else {
        storage_->labels.resize(rows_);
        batch.read_labels(storage_->labels.data());
        sample = Sample::lend(matrix, storage_->labels.data());
    }
    sample.keep(storage_);
    return sample;
}

}  // namespace dpadapt::arrow
