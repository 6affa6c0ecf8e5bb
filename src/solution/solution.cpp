#include "solution/solution.hpp"

#include <utility>

namespace dpadapt {

PrivacyRecord::PrivacyRecord() : PrivacyRecord(privacy::Statement({}, {})) {}

PrivacyRecord::PrivacyRecord(privacy::Statement about)
    : statement(std::make_shared<const privacy::Statement>(std::move(about))) {
    const std::optional<privacy::Budget> &budget = statement->ledger.budget();
    if (statement->facts.call_without_privacy || !budget) return;
    protection = statement->seeded ? Protection::seeded : Protection::guaranteed;
    if (statement->seeded) return;
    epsilon = budget->epsilon;
    delta = budget->delta;
}

bool PrivacyRecord::is_whole() const {
    // mutant: unprotected_use_omitted
    return statement->taken_without_protection().empty();
}

}  // namespace dpadapt
