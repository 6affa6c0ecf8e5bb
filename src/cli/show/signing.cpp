#include "cli/show/signing.hpp"

#include <dpadapt/privacy.h>
#include <fcntl.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"
#include "cli/show/report_file.hpp"

namespace dpadapt::cli {

namespace {

constexpr std::string_view kFirstLine = "dpadapt signing key (Ed25519): keep it secret\n";
constexpr std::string_view kBegin = ",\"signature\":{\"algorithm\":\"Ed25519\",\"public_key\":\"";
constexpr std::string_view kMiddle = "\",\"value\":\"";
constexpr std::string_view kEnd = "\"}}";

using PublicKey = std::array<unsigned char, crypto_sign_PUBLICKEYBYTES>;
using SignatureBytes = std::array<unsigned char, crypto_sign_BYTES>;

/** Wiped where it ends. */
struct KeyPair {
    std::array<unsigned char, crypto_sign_SEEDBYTES> seed{};
    std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
    PublicKey open{};

    KeyPair() = default;
    KeyPair(const KeyPair &) = delete;
    KeyPair &operator=(const KeyPair &) = delete;
    ~KeyPair() {
        sodium_memzero(seed.data(), seed.size());
        sodium_memzero(secret.data(), secret.size());
    }
    void derive() { crypto_sign_seed_keypair(open.data(), secret.data(), seed.data()); }
};

void start_sodium() {
    if (sodium_init() < 0) throw Failure(kComputationFailed, "libsodium cannot be used");
}

template <typename Bytes>
std::string hexadecimal(const Bytes &bytes) {
    std::string text(2 * bytes.size() + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
    text.pop_back();
    return text;
}

/** Whether the text is these bytes in hexadecimal digits, in small letters and nothing else. */
template <typename Bytes>
bool read_hexadecimal(std::string_view text, Bytes &bytes) {
    std::size_t size = 0;
    return text.size() == 2 * bytes.size() &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
           sodium_hex2bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size,
                          nullptr) == 0 &&
           size == bytes.size();
}

[[noreturn]] void not_written(const std::string &path) {
    throw Failure(kNotWritten, path + ": cannot be written: " + std::strerror(errno));
}

void write_new_file(const std::string &path, std::string_view text) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) not_written(path);
    const bool written =
        write(file, text.data(), text.size()) == ssize_t(text.size()) && fsync(file) == 0;
    const int reason = errno;
    const bool closed = close(file) == 0;
    if (written && closed) return;
    if (!written) errno = reason;
    unlink(path.c_str());
    not_written(path);
}

void check_readers(const std::string &path) {
    struct stat found {};
    if (stat(path.c_str(), &found) == 0 && (found.st_mode & 077U) != 0)
        throw Failure(kBadData,
                      path + ": others may read this key: make it yours alone (chmod 600)");
}

void read_key(const std::string &path, KeyPair &pair) {
    start_sodium();
    check_readers(path);
    std::string text = read_file(path);
    std::string_view rest = text;
    const bool begins = rest.starts_with(kFirstLine);
    if (begins) rest.remove_prefix(kFirstLine.size());
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    const bool good = begins && read_hexadecimal(rest, pair.seed);
    sodium_memzero(text.data(), text.size());
    if (!good) throw Failure(kBadData, path + ": is not a key that dpadapt key new has made");
    pair.derive();
}

}  // namespace

std::string make_key(const std::string &path) {
    start_sodium();
    KeyPair pair;
    randombytes_buf(pair.seed.data(), pair.seed.size());
    pair.derive();
    std::string text = std::string(kFirstLine) + hexadecimal(pair.seed) + '\n';
    write_new_file(path, text);
    sodium_memzero(text.data(), text.size());
    return hexadecimal(pair.open);
}

std::string public_key_of(const std::string &path) {
    KeyPair pair;
    read_key(path, pair);
    return hexadecimal(pair.open);
}

std::string signed_report(const std::string &report, const std::string &path) {
    KeyPair pair;
    read_key(path, pair);
    std::string text = report;
    if (text.ends_with('\n')) text.pop_back();
    if (!text.starts_with('{') || !text.ends_with('}') || text.find(kBegin) != std::string::npos)
        throw Failure(kBadData, "only a report in JSON that is not signed yet can be signed");
    SignatureBytes value{};
    crypto_sign_detached(value.data(), nullptr,
                         reinterpret_cast<const unsigned char *>(text.data()), text.size(),
                         pair.secret.data());
    text.pop_back();
    return text + std::string(kBegin) + hexadecimal(pair.open) + std::string(kMiddle) +
           hexadecimal(value) + std::string(kEnd) + '\n';
}

Signature checked_signature(const std::string &text, const std::string &name) {
    start_sodium();
    std::string_view rest = text;
    if (rest.ends_with('\n')) rest.remove_suffix(1);
    const std::size_t begin = rest.rfind(",\"signature\":");
    if (begin == std::string_view::npos) return {std::string(rest), {}};
    Signature result{std::string(rest.substr(0, begin)) + '}', {}};
    rest.remove_prefix(begin);
    PublicKey open{};
    SignatureBytes value{};
    constexpr std::size_t kKeyDigits = 2 * std::tuple_size_v<PublicKey>;
    constexpr std::size_t kValueDigits = 2 * std::tuple_size_v<SignatureBytes>;
    const std::size_t middle = kBegin.size() + kKeyDigits;
    const std::size_t end = middle + kMiddle.size() + kValueDigits;
    if (rest.size() != end + kEnd.size() || !rest.starts_with(kBegin) ||
        rest.substr(middle, kMiddle.size()) != kMiddle || !rest.ends_with(kEnd) ||
        !read_hexadecimal(rest.substr(kBegin.size(), kKeyDigits), open) ||
        !read_hexadecimal(rest.substr(middle + kMiddle.size(), kValueDigits), value))
        throw Failure(kBadData, name + ": the signature is damaged, or not at the end");
    if (crypto_sign_verify_detached(value.data(),
                                    reinterpret_cast<const unsigned char *>(result.report.data()),
                                    result.report.size(), open.data()) != 0)
        throw Failure(kBadData, name + ": the signature is not of this report: it was changed");
    result.public_key = hexadecimal(open);
    return result;
}

Json checked_report(const std::string &text, const std::string &name, const LedgerHandle &ledger) {
    const auto *data = reinterpret_cast<const std::uint8_t *>(text.data());
    if (dpa_report_check(data, text.size(), "provenance", ledger.get()) != DPA_OK)
        throw Failure(kBadData, name + ": " + dpa_last_error());
    try {
        Json report = Json::parse(text);
        if (report.contains("provenance")) check_provenance(report["provenance"], name);
        return report;
    } catch (const Json::exception &error) {
        throw Failure(kBadData, name + ": " + error.what());
    }
}

std::string words_of_signer(const Json &report) {
    std::string text;
    for (const char *name : {"call", "provenance"})
        if (report.contains(name) && !report[name].empty())
            text += std::string("  ") + name + ": " + report[name].dump(-1, ' ', true) + '\n';
    if (report["shared_ledger"].is_null()) return text;
    for (const Json &entry : report["shared_ledger"]["own_entries"])
        text += "  options of entry " + entry["sequence"].dump() + ": " +
                entry["options"].dump(-1, ' ', true) + '\n';
    return text;
}

}  // namespace dpadapt::cli
