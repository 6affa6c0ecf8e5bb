#pragma once

#include <string>

#include "cli/read/failure.hpp"
#include "cli/show/report.hpp"

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

/** A privacy report that is what the library writes of the releases in it, byte by byte. Throws
 *  Failure(kBadData), which names the member that is not.
 *  @param text    Without a signature, and without the newline at the end of the file.
 *  @param name    Of the report, for messages.
 *  @param ledger  Must have all that the report states of it; empty: it is not compared. */
[[nodiscard]] Json checked_report(const std::string &text, const std::string &name,
                                  const LedgerHandle &ledger = {});

/** What a report has only from whoever signed it: lines for people, each with the member's name.
 *  Nothing else in the report rests on it. */
[[nodiscard]] std::string words_of_signer(const Json &report);

}  // namespace dpadapt::cli
