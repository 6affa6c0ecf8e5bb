#include <dpadapt/passes.h>

#include "base/platform/float_state.hpp"
#include "capi/guard.hpp"
#include "capi/matrix.hpp"
#include "records/partial.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

namespace {

/** Records that a function of the host reads. */
class HostRecords : public RemoteRecords {
  public:
    HostRecords(dpa_pass_fn pass, void *user) : pass_(pass), user_(user) {}

    std::vector<Bytes> carry_out(std::span<const std::uint8_t> request) override {
        auto sum = std::make_shared<records::Partial>(request);
        dpa_partial *total = nullptr;
        create(&total, [&] { return sum; });
        const std::unique_ptr<dpa_partial, decltype(&dpa_partial_destroy)> closed(
            total, &dpa_partial_destroy);  // however the host returns
        if (call_host(pass_, request.data(), request.size(), total, user_) != 0)
            throw Error(DPA_E_CALLBACK, "the pass over the records reported a failure");
        return {sum->write()};
    }

  private:
    dpa_pass_fn pass_;
    void *user_;
};

/** @param units  Number of rows, or of persons. */
Sample elsewhere(const char *name, std::size_t units, std::size_t cols, dpa_pass_fn pass,
                 void *user) {
    check_sizes_elsewhere(units, cols, name);
    if (pass == nullptr) throw Error(DPA_E_INVALID_ARGUMENT, "pass must not be NULL");
    return Sample::elsewhere(units, cols, std::make_shared<HostRecords>(pass, user));
}

constexpr std::size_t kThreads = 1;  // the host divides the work

records::Partial &partial_of(const dpa_partial *partial) { return *value_of(partial, "partial"); }

std::span<const std::uint8_t> bytes_of(const std::uint8_t *data, std::size_t size,
                                       const char *name) {
    return {&required(data, name), size};
}

}  // namespace

dpa_status dpa_problem_set_passes(dpa_problem *problem, int32_t domain, size_t rows, size_t cols,
                                  dpa_pass_fn pass, void *user) {
    return guard("dpa_problem_set_passes", [&] {
        engine::Problem &own = value_of(problem, "problem");
        if (domain == DPA_PERSONS)
            own.replace_by_persons(elsewhere("persons", rows, cols, pass, user), rows);
        else
            own.replace(domain_of(domain), elsewhere("rows", rows, cols, pass, user));
    });
}

dpa_status dpa_partial_create(const uint8_t *request, size_t request_len, dpa_partial **out) {
    return guard("dpa_partial_create", out, [&] {
        auto sum = std::make_shared<records::Partial>(bytes_of(request, request_len, "request"));
        if (records::knows_numbers(sum->request().task))
            throw Error(DPA_E_FORMAT, "no pass asks for records by their numbers");
        return sum;
    });
}

dpa_status dpa_partial_add(dpa_partial *partial, dpa_matrix x, const double *y, size_t y_len,
                           const int64_t *ids, size_t n) {
    return guard("dpa_partial_add", [&] {
        records::Partial &sum = partial_of(partial);
        check_row_numbers("y_len", y_len, x.rows);
        if (ids != nullptr || n != 0) check_row_numbers("n", n, x.rows);
        if (x.rows == 0) return;  // a part like any other
        const Sample rows = Sample::lend(checked_matrix(x), &required(y, "y"));
        if (ids == nullptr && n == 0)
            sum.add(rows, kThreads, sum.records());
        else
            sum.add(rows, {&required(ids, "ids"), n}, kThreads);
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
