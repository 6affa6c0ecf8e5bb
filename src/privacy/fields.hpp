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
    bytes::each(visit, high, low);
    if constexpr (!std::is_const_v<Value>) value = Uint128{high} << 64 | low;
}

void visit_cost(auto &visit, auto &cost) {
    visit_wide(visit, cost.mu_square);
    bytes::each(visit, cost.laplace, cost.pure);
}

/** Of releases of sampled records as well, which no shared ledger pays for. */
void visit_whole_cost(auto &visit, auto &cost) {
    visit_cost(visit, cost);
    visit_wide(visit, cost.failure);
}

void visit_budget(auto &visit, auto &budget) {
    bytes::each(visit, budget.neighbours, budget.epsilon, budget.delta);
    visit_cost(visit, budget.cap);
}

void visit_sizes(auto &visit, auto &sizes) {
    bytes::each(visit, sizes.source_rows, sizes.target_rows, sizes.features);
}

void visit_header(auto &visit, auto &header) {
    visit(header.unit);
    visit_budget(visit, header.budget);
    bytes::each(visit, header.locked_domains, header.time, header.id);
}

void visit_entry(auto &visit, auto &entry) {
    bytes::each(visit, entry.sequence, entry.time, entry.seeded);
    visit_cost(visit, entry.cost);
    visit_sizes(visit, entry.sizes);
    bytes::each(visit, entry.releases, entry.options);
}

/** What a report says of a release. */
void visit_release(auto &visit, auto &release) {
    bytes::each(visit, release.mechanism, release.kind, release.domains, release.neighbours,
                release.steps, release.bits, release.integer_sensitivity, release.unit,
                release.rate);
    visit_whole_cost(visit, release.sampled);
}

}  // namespace dpadapt::privacy
