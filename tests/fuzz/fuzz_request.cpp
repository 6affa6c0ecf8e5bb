// Requests of private sums and the sums themselves, from another machine: refused, or carried out
// on any rows, with the same bits in any parts.
#include <limits>

#include "base/error.hpp"
#include "core/carry_out.hpp"
#include "fuzz/fuzz.hpp"

namespace records = dpadapt::records;
using dpadapt::Bytes;

namespace {

constexpr std::size_t kRows = 6;
constexpr std::size_t kMostNumbers = 4096;  // of what is asked, so that an input takes no seconds

std::size_t features_of(const records::Request &request) {
    const auto *scores = std::get_if<records::ScoreTask>(&request.task);
    if (scores == nullptr) return request.coordinates.features();
    return scores->candidates.empty() ? 1 : scores->candidates.front().features();
}

/** Rows with everything that private ones may hold. */
struct Rows {
    std::vector<double> x;
    std::vector<double> y;

    explicit Rows(std::size_t features) : x(kRows * features), y(kRows) {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        constexpr double kValues[] = {0.5, -1.0, 1e308, 2.0, kNan, 5e-324, 0.0, -3.25, 1.0};
        std::size_t k = 0;
        for (double &value : x) value = kValues[k++ % std::size(kValues)];
        for (double &value : y) value = kValues[k++ % std::size(kValues)];
    }
};

/** The sum of the parts as bytes; empty where the parts do not belong to the request. */
Bytes merged(const Bytes &written, std::span<const Bytes> parts) {
    try {
        dpadapt::bytes::Writer write({{'s', 'u', 'm'}, "a sum"});
        std::visit([&](const auto &sum) { sum.write(write); }, records::merge_sums(written, parts));
        return write.finish();
    } catch (const dpadapt::Error &error) {
        REQUIRE(error.status() == DPA_E_FORMAT || error.status() == DPA_E_CALLBACK ||
                error.status() == DPA_E_STATE || error.status() == DPA_E_INTERNAL);
        return {};
    }
}

/** The sum over these rows, of three persons where the request wants persons: rows of the first,
 *  and of the other two. */
Bytes sum_of(const records::Request &request, const Bytes &written, const dpadapt::Sample &rows,
             std::size_t first) {
    if (!request.of_persons()) return records::carry_out(written, rows, 1, first);
    constexpr std::int64_t kIds[kRows] = {4, 4, -9, 0, -9, -9};
    records::Partial sum(written);
    sum.add(rows, std::span(kIds).subspan(first, rows.rows()), 1);
    return sum.write();
}

void carry_out(const records::Request &request, const Bytes &written, Bytes foreign) {
    const std::size_t features = features_of(request);
    if (features > 64 || written.size() > 8 * kMostNumbers) return;
    const Rows rows(features);
    const dpadapt::Sample sample =
        dpadapt::Sample::lend({rows.x.data(), kRows, features, features, true}, rows.y.data());
    try {
        const std::vector<Bytes> whole = {sum_of(request, written, sample, 0)};
        const std::vector<Bytes> parts = {sum_of(request, written, sample.part(2, kRows), 2),
                                          sum_of(request, written, sample.part(0, 2), 0)};
        const bool ordered = std::holds_alternative<records::PaperTask>(request.task);
        REQUIRE(ordered || merged(written, whole) == merged(written, parts));
    } catch (const dpadapt::Error &error) {
        REQUIRE(error.status() == DPA_E_DIMENSION || error.status() == DPA_E_FORMAT ||
                error.status() == DPA_E_CALLBACK || error.status() == DPA_E_STATE);
    }
    if (foreign.size() >= 24) {  // as if of this request: what a sum holds is what is tried here
        std::copy_n(written.end() - 8, 8, foreign.begin() + 16);
        const Bytes fixed = fuzz::with_checksum(foreign);
        (void)merged(written, {&fixed, 1});
    }
}

void read(fuzz::View bytes, fuzz::View foreign) {
    records::Request request;
    try {
        request = records::read_request(bytes);
    } catch (const dpadapt::Error &error) {
        REQUIRE(error.status() == DPA_E_FORMAT);
        return;
    }
    const Bytes written = records::write_request(request);
    REQUIRE(records::write_request(records::read_request(written)) == written);
    carry_out(request, written, {foreign.begin(), foreign.end()});
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    fuzz::Input input(data, size);
    std::size_t length = input.byte();
    length += std::size_t{input.byte()} << 8;
    const fuzz::View request = input.take(length);
    const fuzz::View sum = input.rest();
    read(request, sum);
    read(fuzz::with_checksum(request), sum);
    return 0;
}
