# dpa_add_mutant(name test file from to): the test must fail when `from` is replaced by `to` in that file.
dpa_add_mutant(sigma_halved privacy.private_noise privacy/vector_sum.cpp
               "Int128{entry} + noise" "Int128{entry} + noise / 2")
dpa_add_mutant(factor_two_forgotten privacy.record_replay privacy/plan.cpp
               "2 * plan.gradient.most" "plan.gradient.most")
dpa_add_mutant(clip_skipped privacy.vector_sum privacy/rounding.cpp
               "if (norm <= square) return;" "return;")
dpa_add_mutant(nan_not_neutralised privacy.vector_sum privacy/rounding.cpp
               "if (!finite)" "if (false)")
dpa_add_mutant(weights_without_noise privacy.private_noise paper/blocks.cpp
               "release_entry(losses[i], noise[i], value_unit())" "release_entry(losses[i], 0, value_unit())")
dpa_add_mutant(same_noise_in_every_step privacy.private_noise records/release.cpp
               "purpose,
                            step," "purpose,
                            0 * step,")
dpa_add_mutant(sensitivity_rounded_up privacy.record_replay privacy/vector_sum.cpp
               "plan_sensitivity(mu_square, bits) / 2" "plan_sensitivity(mu_square, bits) / 2 + 1")
dpa_add_mutant(laplace_at_twice_its_epsilon privacy.record_replay privacy/plan.cpp
               "plan_laplace(epsilon" "plan_laplace(2.0 * epsilon")
dpa_add_mutant(tau_dropped privacy.plan privacy/plan.cpp
               "up(up(base) + up(2.0 * plan.tolerance))" "up(base)")
dpa_add_mutant(sizes_swapped privacy.plan privacy/plan.cpp
               "(request.domains & kTarget) != 0 ? request.target_rows : SIZE_MAX"
               "(request.domains & kTarget) != 0 ? request.source_rows : SIZE_MAX")
dpa_add_mutant(cap_off_by_one privacy.ledger privacy/release.cpp
               "mu_square <= cap.mu_square" "mu_square <= cap.mu_square + 1")
dpa_add_mutant(wrong_end_of_a_bisection privacy.accountant_properties privacy/accountant.cpp
               "return good;" "return bad;")
dpa_add_mutant(seed_forgotten_on_load unit.report solution/serialize.cpp
               "return solution;"
               "if (solution.privacy.protection == Protection::seeded)
        solution.privacy.protection = Protection::guaranteed;
    return solution;")
dpa_add_mutant(root_of_two_forgotten privacy.outer_sum privacy/outer_sum.cpp
               "6074001001" "4294967296")

dpa_add_mutant(losses_unbounded privacy.general_discrepancy records/accumulate_losses.cpp
               "std::clamp(loss, 0.0, bound) : 0.0" "std::max(loss, 0.0) : 0.0")
dpa_add_mutant(nan_among_the_losses privacy.general_discrepancy records/accumulate_losses.cpp
               "std::isfinite(loss) ? std::clamp(loss, 0.0, bound) : 0.0" "std::clamp(loss, 0.0, bound)")

dpa_add_mutant(nothing_paid privacy.private_baselines privacy/payment.cpp
               "    ledger.charge(plan.releases" "    if (plan.releases.empty()) ledger.charge(plan.releases")

dpa_add_mutant(epochs_for_the_price_of_one privacy.noisy_descent baseline/noisy_descent.cpp
               "request.steps = epochs();" "request.steps = 1;")
dpa_add_mutant(record_in_two_batches privacy.noisy_descent baseline/noisy_descent.cpp
               "order_.size() * k / batches;" "order_.size() * k / batches - (k > 0 ? 1 : 0);")
dpa_add_mutant(same_noise_in_every_batch privacy.noisy_descent baseline/noisy_descent.cpp
               "random::Purpose::gaussian_w, step, theta.n_elem" "random::Purpose::gaussian_w, 0 * step, theta.n_elem")
dpa_add_mutant(selection_unclipped privacy.selection privacy/permute_and_flip.cpp
               "if (!(loss < bound))" "if (loss != loss)")
dpa_add_mutant(selection_at_twice_its_epsilon privacy.selection privacy/permute_and_flip.cpp
               "kEpsilonBits + kScoreBits + 1" "kEpsilonBits + kScoreBits")

# Their records are elsewhere, so that whoever reads one by themselves is found out.
dpa_add_mutant(row_read_past_the_accumulator privacy.partition baseline/noisy_descent.cpp
               "    choose_clip();
    privacy" "    choose_clip();
    clip_ += 1e-12 * target.y()[0];
    privacy")
dpa_add_mutant(part_counted_twice core.records_request records/request.cpp
               "total.records() != records" "total.records() < records")
dpa_add_mutant(sum_of_another_request core.records_request records/request.cpp
               "of_request != bytes::checksum_of(request)" "false")

# The controls: nothing is replaced, so the tests pass, and the failures above are those of the defects.
dpa_add_mutant(none_in_noise privacy.private_noise privacy/vector_sum.cpp "noise" "noise")
dpa_add_mutant(none_in_replay privacy.record_replay privacy/plan.cpp "mu_square" "mu_square")
dpa_add_mutant(none_in_report unit.report solution/serialize.cpp "protection" "protection")
