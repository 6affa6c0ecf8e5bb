// Ledgers from an untrusted place: refused, or with a budget that is kept whatever the entries say.
#include <sodium.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "fuzz/fuzz.hpp"

namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::size_t kHash = 32;

fuzz::Bytes saved(const dpa_ledger *ledger) {
    return fuzz::bytes_of([&](std::uint8_t *out, std::size_t size, std::size_t *needed) {
        return dpa_ledger_serialize(ledger, out, size, needed);
    });
}

std::string report(const dpa_ledger *ledger, std::int32_t form) {
    return fuzz::text_of([&](char *out, std::size_t size, std::size_t *needed) {
        return dpa_ledger_report(ledger, form, out, size, needed);
    });
}

double part(const dpa_problem *problem, const char *name) {
    double value = -1.0;
    REQUIRE(dpa_problem_budget(problem, name, &value) == DPA_OK);
    return value;
}

/** A problem that pays from it has its budget, and no more than that is left. */
void use_budget(dpa_ledger *ledger) {
    dpa_problem *problem = nullptr;
    REQUIRE(dpa_problem_create(&problem) == DPA_OK);
    const dpa_status status = dpa_problem_use_ledger(problem, ledger);
    REQUIRE(status == DPA_OK || status == DPA_E_STATE);
    if (status == DPA_OK) {
        for (const char *name : {"left_mu", "left_laplace_epsilon", "left_pure_epsilon"}) {
            const double left = part(problem, name);
            REQUIRE(left >= 0.0 && std::isfinite(left));
        }
        REQUIRE(part(problem, "left_mu") <= part(problem, "mu") * (1.0 + 1e-12));
        REQUIRE(part(problem, "left_laplace_epsilon") <= part(problem, "laplace_epsilon"));
        REQUIRE(part(problem, "left_pure_epsilon") <= part(problem, "pure_epsilon"));
    }
    dpa_problem_destroy(problem);
}

/** A file with a name, which the ledger wants. */
class NamedFile {
  public:
    explicit NamedFile(fuzz::View content)
        : path_(std::filesystem::temp_directory_path() / "dpadapt-fuzz-XXXXXX") {
        const int file = mkstemp(path_.data());
        REQUIRE(file >= 0);
        REQUIRE(write(file, content.data(), content.size()) ==
                static_cast<ssize_t>(content.size()));
        close(file);
    }
    NamedFile(const NamedFile &) = delete;
    NamedFile &operator=(const NamedFile &) = delete;
    ~NamedFile() { remove(); }

    void remove() const { unlink(path_.c_str()); }
    [[nodiscard]] const char *path() const { return path_.c_str(); }

  private:
    std::string path_;
};

/** The ledger in that file, which is gone then; none where that is what it says. */
fuzz::Bytes open_file(const NamedFile &file, dpa_status wanted) {
    dpa_ledger *ledger = nullptr;
    REQUIRE(dpa_ledger_open(file.path(), &ledger) == wanted);
    REQUIRE((wanted == DPA_OK) == (ledger != nullptr));
    const fuzz::Bytes bytes = ledger != nullptr ? saved(ledger) : fuzz::Bytes();
    dpa_ledger_destroy(ledger);
    return bytes;
}

/** A file of the same bytes is the same ledger, and a new one takes its place only without it. */
void read_file(fuzz::View bytes, dpa_status wanted) {
    const NamedFile file(bytes);
    const fuzz::Bytes again = open_file(file, wanted);
    if (wanted == DPA_OK)
        REQUIRE(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
    dpa_options *options = nullptr;
    dpa_ledger *created = nullptr;
    REQUIRE(dpa_options_create(&options) == DPA_OK);
    REQUIRE(dpa_options_set(options, "epsilon", 1.0) == DPA_OK);
    REQUIRE(dpa_options_set(options, "delta", 1e-6) == DPA_OK);
    const std::int32_t locks = static_cast<std::int32_t>(bytes.size() % 2);
    REQUIRE(dpa_ledger_create(file.path(), options, locks, &created) == DPA_E_STORE);
    REQUIRE(created == nullptr);
    if (bytes.size() % 8 == 7) {  // seldom: it waits for the disk
        file.remove();
        REQUIRE(dpa_ledger_create(file.path(), options, locks, &created) == DPA_OK);
        REQUIRE(open_file(file, DPA_OK) == saved(created));
        dpa_ledger_destroy(created);
    }
    dpa_options_destroy(options);
}

void read(fuzz::View bytes) {
    dpa_ledger *ledger = nullptr;
    const dpa_status status = dpa_ledger_deserialize(bytes.data(), bytes.size(), &ledger);
    REQUIRE((status == DPA_OK) == (ledger != nullptr));
    REQUIRE(status == DPA_OK || status == DPA_E_FORMAT ||
            (status == DPA_E_INVALID_ARGUMENT && bytes.empty()));
    read_file(bytes, bytes.empty() ? DPA_E_FORMAT : status);
    if (ledger == nullptr) return;
    const fuzz::Bytes again = saved(ledger);
    REQUIRE(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
    const std::string text = report(ledger, DPA_REPORT_TEXT);
    const std::string json = report(ledger, DPA_REPORT_JSON);
    char head[2 * kHash + 1];
    sodium_bin2hex(head, sizeof head, again.data() + again.size() - kHash, kHash);
    std::int32_t contains = 0;
    REQUIRE(dpa_ledger_contains(ledger, head, &contains) == DPA_OK && contains == 1);
    REQUIRE(json.find(head) != std::string::npos);
    use_budget(ledger);
    dpa_ledger_destroy(ledger);
}

/** Blocks with right hashes around those contents, each after its length in two bytes. */
fuzz::Bytes chained(fuzz::Input input) {
    fuzz::Bytes all;
    std::uint8_t previous[kHash] = {};
    while (input.size() > 0) {
        std::size_t length = input.byte();
        length += std::size_t{input.byte()} << 8;
        const fuzz::Bytes content = fuzz::with_checksum(input.take(std::min(length, kBlock - 40)));
        std::uint8_t block[kBlock] = {};
        for (unsigned k = 0; k < 8; ++k)
            block[k] = static_cast<std::uint8_t>(content.size() >> 8 * k);
        std::copy(content.begin(), content.end(), block + 8);
        crypto_generichash_state state;
        crypto_generichash_init(&state, nullptr, 0, kHash);
        crypto_generichash_update(&state, previous, kHash);
        crypto_generichash_update(&state, block, kBlock - kHash);
        crypto_generichash_final(&state, block + kBlock - kHash, kHash);
        std::copy_n(block + kBlock - kHash, kHash, previous);
        all.insert(all.end(), block, block + kBlock);
    }
    return all;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    read({data, size});
    read(chained({data, size}));
    return 0;
}
