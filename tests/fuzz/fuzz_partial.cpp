// A worker of passes, through the C API: requests and sums from other machines, rows of any
// numbers. Refused calls change nothing, and the order of parts changes no bit.
#include <dpadapt/passes.h>

#include "fuzz/fuzz.hpp"

namespace {

constexpr std::size_t kMostColumns = 8;
constexpr std::size_t kMostRows = 8;
constexpr std::size_t kMostBytes = 4096;  // of a request, so that an input takes no seconds

class Worker {
  public:
    explicit Worker(fuzz::View request) {
        const dpa_status status = dpa_partial_create(request.data(), request.size(), &partial_);
        REQUIRE((status == DPA_OK) == (partial_ != nullptr));
        REQUIRE(status == DPA_OK || status == DPA_E_FORMAT || request.empty());
    }
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;
    ~Worker() { dpa_partial_destroy(partial_); }

    [[nodiscard]] bool exists() const { return partial_ != nullptr; }
    [[nodiscard]] dpa_partial *get() const { return partial_; }

    [[nodiscard]] std::uint64_t records() const {
        std::uint64_t count = 0;
        REQUIRE(dpa_partial_records(partial_, &count) == DPA_OK);
        return count;
    }
    [[nodiscard]] fuzz::Bytes bytes() const {
        return fuzz::bytes_of([&](std::uint8_t *out, std::size_t size, std::size_t *needed) {
            return dpa_partial_serialize(partial_, out, size, needed);
        });
    }
    /** Whether it was done; a refused call changes nothing. */
    template <typename Call>
    bool is_done(std::uint64_t more, const Call &call) {
        const fuzz::Bytes before = bytes();
        const std::uint64_t count = records();
        const dpa_status status = call();
        REQUIRE(fuzz::is_documented(status) && status != DPA_E_HANDLE);
        REQUIRE(records() == count + (status == DPA_OK ? more : 0));
        REQUIRE(status == DPA_OK || bytes() == before);
        return status == DPA_OK;
    }
    bool merge(fuzz::View part, std::uint64_t more) {
        return is_done(more, [&] { return dpa_partial_merge(partial_, part.data(), part.size()); });
    }

  private:
    dpa_partial *partial_ = nullptr;
};

/** Rows of one part. */
bool add(Worker &to, fuzz::Input &input) {
    double x[kMostRows * kMostColumns] = {};
    double y[kMostRows] = {};
    const std::size_t rows = input.below(kMostRows);
    const std::size_t columns = input.below(kMostColumns + 1);
    for (std::size_t k = 0; k < rows * columns; ++k) x[k] = input.real();
    for (std::size_t k = 0; k < rows; ++k) y[k] = input.real();
    const std::uint8_t way = input.byte() % 4;
    if (way == 2) {  // one person, of whom there may be many rows
        const std::int64_t ids[kMostRows] = {};
        const std::uint64_t persons = rows > 0 ? 1 : 0;
        return to.is_done(persons, [&] {
            return dpa_partial_add(to.get(), dpa_matrix{x, rows, columns, columns, DPA_ROW_MAJOR},
                                   y, rows, ids, rows);
        });
    }
    return to.is_done(rows, [&] {
        const dpa_matrix features =
            way == 1 ? dpa_matrix{x, rows, columns, std::max<std::size_t>(rows, 1), DPA_COL_MAJOR}
                     : dpa_matrix{x, rows, columns, columns, DPA_ROW_MAJOR};
        return dpa_partial_add(to.get(), features, y, rows, nullptr, 0);
    });
}

void use(fuzz::View request, fuzz::Input &input) {
    Worker first(request);
    Worker second(request);
    Worker forward(request);
    Worker backward(request);
    if (!first.exists()) return;
    (void)add(first, input);
    (void)add(second, input);
    if (input.byte() % 2 == 1) {
        REQUIRE(dpa_partial_name(first.get(), 1) == DPA_OK);
        REQUIRE(dpa_partial_name(second.get(), 2) == DPA_OK);
        REQUIRE(dpa_partial_name(second.get(), 2) == DPA_E_STATE);
    }
    const fuzz::Bytes one = first.bytes();
    const fuzz::Bytes two = second.bytes();
    const bool fits = forward.merge(one, first.records()) && forward.merge(two, second.records());
    if (backward.merge(two, second.records()) && backward.merge(one, first.records()) && fits)
        REQUIRE(forward.bytes() == backward.bytes());
    std::uint64_t count = 0;  // of whatever the foreign bytes say
    const fuzz::Bytes foreign = fuzz::with_checksum(input.rest());
    const dpa_status status = dpa_partial_merge(first.get(), foreign.data(), foreign.size());
    REQUIRE(fuzz::is_documented(status) && status != DPA_E_HANDLE);
    REQUIRE(dpa_partial_records(first.get(), &count) == DPA_OK);
    REQUIRE(status == DPA_OK || first.bytes() == one);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    std::size_t length = input.byte();
    length += std::size_t{input.byte()} << 8;
    const fuzz::View request = input.take(length);
    if (request.size() > kMostBytes) return 0;
    use(fuzz::with_checksum(request), input);
    return 0;
}
