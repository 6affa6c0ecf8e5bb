#pragma once

#include <string>

namespace dpadapt::cli {

/** A new Ed25519 key in a new file, which only its user may read and write.
 *  @return the public key, 64 hexadecimal digits. */
std::string make_key(const std::string &path);

/** Of a file that make_key made; Failure(kBadData) when others may read it. */
[[nodiscard]] std::string public_key_of(const std::string &path);

/** The report, a JSON object, with one more member at its end: the signature of its bytes as they
 *  are without it.
 *  @param path  The file of the key. */
[[nodiscard]] std::string signed_report(const std::string &report, const std::string &path);

/** What was signed, and by whom. */
struct Signature {
    std::string report;
    std::string public_key;  // empty: it is not signed
};

/** Takes a report apart; Failure(kBadData) unless the signature is the key's, if there is one.
 *  @param name  Of the report, for messages. */
[[nodiscard]] Signature checked_signature(const std::string &text, const std::string &name);

}  // namespace dpadapt::cli
