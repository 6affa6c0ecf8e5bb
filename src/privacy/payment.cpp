#include "privacy/payment.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/growing.hpp"

namespace dpadapt::privacy {
namespace {

random::Key make_key(const std::optional<std::int64_t> &unsafe_seed, const Ledger &ledger) {
    const CallNote &note = ledger.note();
    if (note.job && unsafe_seed)
        throw Error(DPA_E_OPTION,
                    "unsafe_seed has no place in a job, whose noise has a secret key");
    if (note.job) return note.job->noise_key(ledger.paid().size(), note.options);
    if (!unsafe_seed) return random::Key();
    std::array<std::uint8_t, random::Key::kSize> bytes{};
    for (unsigned i = 0; i < 8; ++i)
        bytes[i] = static_cast<std::uint8_t>(static_cast<std::uint64_t>(*unsafe_seed) >> 8 * i);
    return random::Key::unsafe_from_bytes(bytes);
}

/** At the largest release at once: sums, noise and result, and of second moments two full
 *  matrices. */
double numbers_of(const Plan &plan) {
    constexpr double kCopies = 8.0;
    double most = 0.0;
    for (const Release &release : plan.releases)
        most = std::max(most, kCopies * static_cast<double>(release.dimension));
    return most;
}

}  // namespace

Payment::Noise::Noise(const std::optional<std::int64_t> &unsafe_seed, const Ledger &ledger)
    : key(make_key(unsafe_seed, ledger)) {}

void Payment::charge(const Plan &plan, Domains domains,
                     const std::optional<std::int64_t> &unsafe_seed, Ledger &ledger) {
    if (!plan.budget && !ledger.budget())
        throw Error(DPA_E_OPTION,
                    "options epsilon and delta must be set: private records need a budget (or set "
                    "private_domain to none to compute without any privacy protection)");
    check_memory(numbers_of(plan));
    noise_.emplace(unsafe_seed, ledger);
    ledger.bind(domains);
    if (!ledger.budget()) ledger.set_budget(*plan.budget);
    // mutant: nothing_paid
    ledger.charge(plan.releases, unsafe_seed ? NoiseSource::unsafe_seed : NoiseSource::system);
}

const random::Key &Payment::key() const {
    if (!noise_) throw Error(DPA_E_INTERNAL, "a private call must be charged before it runs");
    return noise_->key;
}

}  // namespace dpadapt::privacy
