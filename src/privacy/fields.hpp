#pragma once

#include <type_traits>

#include "privacy/ledger_bytes.hpp"

namespace dpadapt::privacy {

/* One list of the fields of each value for both directions: `visit` is a bytes::Writer or a
 * bytes::Reader. */

template <typename Visit, typename Value>
void visit_wide(Visit &visit, Value &value) {
    auto high = static_cast<std::uint64_t>(value >> 64);
    auto low = static_cast<std::uint64_t>(value);
    visit(high);
    visit(low);
    if constexpr (!std::is_const_v<Value>) value = Uint128{high} << 64 | low;
}

template <typename Visit, typename Value>
void visit_cost(Visit &visit, Value &cost) {
    visit_wide(visit, cost.mu_square);
    visit(cost.laplace);
    visit(cost.pure);
}

/** Of releases of sampled records as well, which no shared ledger pays for. */
template <typename Visit, typename Value>
void visit_whole_cost(Visit &visit, Value &cost) {
    visit_cost(visit, cost);
    visit_wide(visit, cost.failure);
}

template <typename Visit, typename Value>
void visit_budget(Visit &visit, Value &budget) {
    visit(budget.neighbours);
    visit(budget.epsilon);
    visit(budget.delta);
    visit_cost(visit, budget.cap);
}

template <typename Visit, typename Value>
void visit_sizes(Visit &visit, Value &sizes) {
    visit(sizes.source_rows);
    visit(sizes.target_rows);
    visit(sizes.features);
}

template <typename Visit, typename Value>
void visit_header(Visit &visit, Value &header) {
    visit(header.unit);
    visit_budget(visit, header.budget);
    visit(header.locked_domains);
    visit(header.time);
    visit(header.id);
}

template <typename Visit, typename Value>
void visit_entry(Visit &visit, Value &entry) {
    visit(entry.sequence);
    visit(entry.time);
    visit(entry.seeded);
    visit_cost(visit, entry.cost);
    visit_sizes(visit, entry.sizes);
    visit(entry.releases);
    visit(entry.options);
}

/** What a report says of a release. */
template <typename Visit, typename Value>
void visit_release(Visit &visit, Value &release) {
    visit(release.mechanism);
    visit(release.kind);
    visit(release.domains);
    visit(release.neighbours);
    visit(release.steps);
    visit(release.bits);
    visit(release.integer_sensitivity);
    visit(release.unit);
    visit(release.rate);
    visit_whole_cost(visit, release.sampled);
}

}  // namespace dpadapt::privacy
