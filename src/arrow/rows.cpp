#include "arrow/stream.hpp"

namespace dpadapt::arrow {

Rows::Rows(ArrowArrayStream &stream, const Names &names)
    : kept_(std::make_shared<Kept>(Kept{{schema_of(stream)}})),
      selection_(*kept_->received.schema, names) {
    kept_->received.batches = batches_of(stream);
    for (const auto &array : kept_->received.batches) {
        Batch batch(selection_, *array);
        if (batch.rows() == 0) continue;
        rows_ += batch.rows();
        batches_.push_back(std::move(batch));
    }
}

Sample Rows::sample() const {
    const double *x = batches_.size() == 1 ? batches_.front().lent_features() : nullptr;
    if (x != nullptr) return lent(batches_.front(), x);
    const bool is_labelled = selection_.label().has_value();
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
    if (!selection_.label()) {
        sample = Sample::lend_unlabelled(matrix);
    } else if (const double *labels = batch.lent_labels()) {
        sample = Sample::lend(matrix, labels);
    } else {
        kept_->labels.resize(rows_);
        batch.read_labels(kept_->labels.data());
        sample = Sample::lend(matrix, kept_->labels.data());
    }
    sample.keep(kept_);
    return sample;
}

}  // namespace dpadapt::arrow
