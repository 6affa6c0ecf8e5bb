#include <dpadapt/arrow.h>

#include "arrow/stream.hpp"
#include "base/platform/float_state.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "linalg/blas.hpp"
#include "solution/predict.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** All is done: the stream, which was only read so far, ends. */
void close_stream(ArrowArrayStream &stream) {
    call_host(stream.release, &stream);
    stream.release = nullptr;
}

void set_arrow(dpa_problem *problem, privacy::Domains domain, ArrowArrayStream *stream,
               const arrow::Names &names) {
    engine::Problem &own = value_of(problem, "problem");
    const arrow::Rows rows(required(stream, "rows"), names);
    check_sizes(rows.rows(), rows.width());
    own.replace(domain, rows.sample());
    close_stream(*stream);
}

arrow::Batch batch_of(const ArrowSchema *schema, const ArrowArray *batch,
                      const arrow::Names &names) {
    return {arrow::Selection(required(schema, "schema"), names), required(batch, "batch")};
}

}  // namespace

dpa_status dpa_arrow_stream(struct ArrowSchema *schema, struct ArrowArray *batch,
                            struct ArrowArrayStream *out) {
    return guard("dpa_arrow_stream", [&] {
        required(out, "out") = {};
        if (required(schema, "schema").release == nullptr)
            throw Error(DPA_E_FORMAT, "the Arrow schema was released");
        if (required(batch, "batch").release == nullptr)
            throw Error(DPA_E_FORMAT, "the Arrow array was released");
        arrow::make_stream(*schema, *batch, *out);
    });
}

dpa_status dpa_problem_set_arrow(dpa_problem *problem, int32_t domain,
                                 struct ArrowArrayStream *rows, const char *const *features,
                                 size_t feature_count, const char *label) {
    return guard("dpa_problem_set_arrow", [&] {
        set_arrow(problem, domain_of(domain), rows, {features, feature_count, label});
    });
}

dpa_status dpa_partial_add_arrow(dpa_partial *partial, const struct ArrowSchema *schema,
                                 const struct ArrowArray *batch, const char *const *features,
                                 size_t feature_count, const char *label) {
    return guard("dpa_partial_add_arrow", [&] {
        constexpr std::size_t kThreads = 1;  // the host divides the work
        records::Partial &sum = *value_of(partial, "partial");
        required(label, "label");
        const arrow::Batch rows = batch_of(schema, batch, {features, feature_count, label});
        if (rows.rows() > 0) check_sizes(rows.rows(), rows.width());
        records::Partial more = sum.without_records();
        rows.each_part(
            [&](const Sample &part) { more.add(part, kThreads, sum.records() + more.records()); });
        sum.merge(more);
    });
}

dpa_status dpa_solution_predict_arrow(const dpa_solution *solution,
                                      const struct ArrowSchema *schema,
                                      const struct ArrowArray *batch, const char *const *features,
                                      size_t feature_count, double *out, size_t out_len) {
    return guard("dpa_solution_predict_arrow", [&] {
        const Solution &fit = value_of(solution, "solution");
        check_scores(fit);
        const arrow::Batch rows = batch_of(schema, batch, {features, feature_count, nullptr});
        if (rows.width() != fit.features())
            throw Error(DPA_E_DIMENSION, "the features must be " + std::to_string(fit.features()) +
                                             ", but are " + std::to_string(rows.width()));
        check_length(rows.rows(), out, out_len);
        if (rows.rows() > 0) check_sizes(rows.rows(), rows.width());
        const linalg::OneBlasThread one_thread;
        std::vector<double> labels;
        labels.reserve(rows.rows());
        rows.each_part([&](const Sample &part) {
            const std::vector<double> some = predict(fit, part.x());
            labels.insert(labels.end(), some.begin(), some.end());
        });
        copy_out(labels, out, out_len);
    });
}

dpa_status dpa_table_create_arrow(struct ArrowArrayStream *rows, dpa_table **out) {
    return guard("dpa_table_create_arrow", out, [&] {
        auto table = std::make_unique<schema::NamedTable>(arrow::table_of(required(rows, "rows")));
        if (table->rows() == 0 || table->columns() == 0)
            throw Error(DPA_E_EMPTY, "the stream has no rows or no columns");
        close_stream(*rows);
        return table;
    });
}
