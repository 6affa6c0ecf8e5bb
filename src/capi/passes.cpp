#include <dpadapt/passes.h>

#include "base/platform/float_state.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "records/partial.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** Records that a function of the host reads. */
class Host : public Place {
  public:
    Host(dpa_pass_fn pass, void *user) : pass_(pass), user_(user) {}

    std::vector<Bytes> carry_out(std::span<const std::uint8_t> request) override {
        auto sum = std::make_shared<records::Partial>(request);
        dpa_partial *total = nullptr;
        create(&total, [&] { return sum; });
        const Closed closed{total};
        if (call_host(pass_, request.data(), request.size(), total, user_) != 0)
            throw Error(DPA_E_CALLBACK, "the pass over the records reported a failure");
        return {sum->write()};
    }

  private:
    /** The handle ends with the call of the function, however that returns. */
    struct Closed {
        dpa_partial *total;
        explicit Closed(dpa_partial *handle) : total(handle) {}
        Closed(const Closed &) = delete;
        Closed &operator=(const Closed &) = delete;
        ~Closed() { destroy(total); }
    };

    dpa_pass_fn pass_;
    void *user_;
};

/** @param units  Number of rows, or of persons. */
Sample elsewhere(const char *name, std::size_t units, std::size_t cols, dpa_pass_fn pass,
                 void *user) {
    check_sizes_elsewhere(units, cols, name);
    if (pass == nullptr) throw Error(DPA_E_INVALID_ARGUMENT, "pass must not be NULL");
    return Sample::elsewhere(units, cols, std::make_shared<Host>(pass, user));
}

void set_passes(dpa_problem *problem, privacy::Domains domain, std::size_t rows, std::size_t cols,
                dpa_pass_fn pass, void *user) {
    engine::Problem &own = value_of(problem, "problem");
    own.replace(domain, elsewhere("rows", rows, cols, pass, user));
}

constexpr std::size_t kThreads = 1;  // the host divides the work

records::Partial &partial_of(const dpa_partial *partial) { return *value_of(partial, "partial"); }

std::span<const std::uint8_t> bytes_of(const std::uint8_t *data, std::size_t size,
                                       const char *name) {
    return {&required(data, name), size};
}

/** No rows are a part like any other. */
template <typename Add>
void add_rows(dpa_partial *partial, std::size_t rows, std::size_t y_len, const Add &add) {
    records::Partial &sum = partial_of(partial);
    if (y_len != rows)
        throw Error(DPA_E_DIMENSION, "y_len must equal rows = " + std::to_string(rows) +
                                         ", but is " + std::to_string(y_len));
    if (rows > 0) add(sum);
}

void add_doubles(records::Partial &sum, const CallerMatrix &rows, const double *y,
                 std::uint64_t first) {
    const linalg::MatrixView x = checked_matrix(rows);
    sum.add(Sample::lend(x, &required(y, "y")), kThreads, first);
}

/** Block by block, so that they take little memory as doubles; all of them or none. */
void add_floats(records::Partial &sum, const linalg::MatrixView &shape, const float *x,
                const float *y) {
    constexpr std::size_t kBlock = 1024;
    records::Partial more = sum.without_records();
    std::vector<double> features(kBlock * shape.cols);
    std::vector<double> labels(kBlock);
    for (std::size_t begin = 0; begin < shape.rows; begin += kBlock) {
        const std::size_t count = std::min(kBlock, shape.rows - begin);
        for (std::size_t i = 0; i < count; ++i) {
            labels[i] = y[begin + i];
            for (std::size_t j = 0; j < shape.cols; ++j)
                features[i * shape.cols + j] = x[shape.offset(begin + i, j)];
        }
        add_doubles(more, {features.data(), count, shape.cols, shape.cols, DPA_ROW_MAJOR},
                    labels.data(), sum.records() + begin);
    }
    sum.merge(more);
}

}  // namespace

dpa_status dpa_problem_set_target_passes(dpa_problem *problem, size_t rows, size_t cols,
                                         dpa_pass_fn pass, void *user) {
    return guard("dpa_problem_set_target_passes",
                 [&] { set_passes(problem, privacy::kTarget, rows, cols, pass, user); });
}

dpa_status dpa_problem_set_source_passes(dpa_problem *problem, size_t rows, size_t cols,
                                         dpa_pass_fn pass, void *user) {
    return guard("dpa_problem_set_source_passes",
                 [&] { set_passes(problem, privacy::kSource, rows, cols, pass, user); });
}

dpa_status dpa_problem_set_target_group_passes(dpa_problem *problem, size_t persons, size_t cols,
                                               dpa_pass_fn pass, void *user) {
    return guard("dpa_problem_set_target_group_passes", [&] {
        engine::Problem &own = value_of(problem, "problem");
        own.replace_by_persons(elsewhere("persons", persons, cols, pass, user), persons);
    });
}

dpa_status dpa_partial_create(const uint8_t *request, size_t request_len, dpa_partial **out) {
    return guard("dpa_partial_create", [&] {
        create(out, [&] {
            auto sum =
                std::make_shared<records::Partial>(bytes_of(request, request_len, "request"));
            if (records::knows_numbers(sum->request().task))
                throw Error(DPA_E_FORMAT, "no pass asks for records by their numbers");
            return sum;
        });
    });
}

dpa_status dpa_partial_add(dpa_partial *partial, const double *x, size_t rows, size_t cols,
                           size_t leading_dimension, int32_t layout, const double *y,
                           size_t y_len) {
    return guard("dpa_partial_add", [&] {
        add_rows(partial, rows, y_len, [&](records::Partial &sum) {
            add_doubles(sum, {x, rows, cols, leading_dimension, layout}, y, sum.records());
        });
    });
}

dpa_status dpa_partial_add_groups(dpa_partial *partial, const double *x, size_t rows, size_t cols,
                                  size_t leading_dimension, int32_t layout, const double *y,
                                  size_t y_len, const int64_t *ids, size_t n) {
    return guard("dpa_partial_add_groups", [&] {
        if (n != rows)
            throw Error(DPA_E_DIMENSION, "n must equal rows = " + std::to_string(rows) +
                                             ", but is " + std::to_string(n));
        add_rows(partial, rows, y_len, [&](records::Partial &sum) {
            const linalg::MatrixView view =
                checked_matrix({x, rows, cols, leading_dimension, layout});
            sum.add(Sample::lend(view, &required(y, "y")), {&required(ids, "ids"), n}, kThreads);
        });
    });
}

dpa_status dpa_partial_add_float(dpa_partial *partial, const float *x, size_t rows, size_t cols,
                                 size_t leading_dimension, int32_t layout, const float *y,
                                 size_t y_len) {
    return guard("dpa_partial_add_float", [&] {
        add_rows(partial, rows, y_len, [&](records::Partial &sum) {
            const linalg::MatrixView shape =
                checked_shape({nullptr, rows, cols, leading_dimension, layout});
            add_floats(sum, shape, &required(x, "x"), &required(y, "y"));
        });
    });
}

dpa_status dpa_partial_name(dpa_partial *partial, uint64_t part) {
    return guard("dpa_partial_name", [&] { partial_of(partial).name(part); });
}

dpa_status dpa_partial_merge(dpa_partial *partial, const uint8_t *data, size_t data_len) {
    return guard("dpa_partial_merge",
                 [&] { partial_of(partial).merge(bytes_of(data, data_len, "data")); });
}

dpa_status dpa_partial_serialize(const dpa_partial *partial, uint8_t *out, size_t out_len,
                                 size_t *needed) {
    return guard("dpa_partial_serialize", [&] {
        const Bytes bytes = partial_of(partial).write();
        fill_buffer(bytes.data(), bytes.size(), out, out_len, needed);
    });
}

dpa_status dpa_partial_records(const dpa_partial *partial, uint64_t *records) {
    return guard("dpa_partial_records",
                 [&] { required(records, "records") = partial_of(partial).records(); });
}

void dpa_partial_destroy(dpa_partial *partial) { destroy(partial); }
