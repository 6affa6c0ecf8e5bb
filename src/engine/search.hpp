#pragma once

#include <string_view>

#include "engine/candidates.hpp"

namespace dpadapt::engine {

/** Fits with every point of a grid of options and keeps the one that does best on validation rows.
 *  Every function throws Error(DPA_E_STATE) while another call uses the search. */
class Search {
  public:
    /** Adds an axis; `values` are texts separated by commas. Forgets the table. */
    void add(std::string_view option, std::string_view values);
    [[nodiscard]] std::uint64_t count() const;

    /** @param method  A baseline; null: the adaptation. */
    [[nodiscard]] Solution run(Problem &problem, Problem &validation,
                               const baseline::MethodSpec *method, const OptionValues &values,
                               Control &control);

    /** Of the last run: Error(DPA_E_STATE) before one, Error(DPA_E_INVALID_ARGUMENT) for an index
     *  beyond the candidates. */
    [[nodiscard]] std::size_t chosen() const;
    [[nodiscard]] CandidateResult candidate(std::size_t index) const;

    /** Value of an axis at a candidate; throws Error(DPA_E_OPTION_NAME) for other names. */
    [[nodiscard]] std::string setting(std::size_t index, std::string_view option) const;

  private:
    [[nodiscard]] const CandidateResult &row(std::size_t index) const;

    select::Grid grid_;
    std::optional<SearchTable> table_;
    mutable Usage usage_;
};

}  // namespace dpadapt::engine
