# dpa_add_mutant(name test from to): the test must fail when `to` stands for `from` in the statement
# of the library that is marked `// mutant: name`.
dpa_add_mutant(zeros_pass_for_records unit.findings "!counted" "false")
dpa_add_mutant(sigma_halved privacy.private_noise "+ noise" "+ noise / 2")
dpa_add_mutant(moments_at_half_their_noise privacy.private_noise
               "moments->bits" "moments->bits - 1")
dpa_add_mutant(comparison_at_half_its_noise privacy.private_noise
               "comparison->bits" "comparison->bits - 1")
dpa_add_mutant(inference_at_half_its_noise privacy.private_noise
               "inference->bits" "inference->bits - 1")
dpa_add_mutant(weight_sum_at_half_its_noise privacy.private_noise
               "weight_sum->bits" "weight_sum->bits - 1")
dpa_add_mutant(own_columns_at_half_their_noise privacy.private_noise
               "own_columns->bits" "own_columns->bits - 1")
dpa_add_mutant(gradient_at_half_its_noise privacy.private_noise "gradient.bits" "gradient.bits - 1")
dpa_add_mutant(errors_at_half_their_noise privacy.private_noise "grid.bits" "grid.bits - 1")
dpa_add_mutant(discrepancy_at_half_its_noise privacy.private_noise "grid.bits" "grid.bits - 1")
dpa_add_mutant(votes_at_half_their_noise privacy.votes "grid.bits" "grid.bits - 1")
dpa_add_mutant(factor_two_forgotten privacy.record_replay
               "integer_sensitivity(request.neighbours)" "most")
dpa_add_mutant(comparison_at_half_its_sensitivity privacy.record_replay
               "integer_sensitivity(request.neighbours)" "most")
dpa_add_mutant(moved_by_no_records privacy.labels "none ? 0.0" "false ? 0.0")
dpa_add_mutant(noise_of_a_comparison_again privacy.labels "asked" "0")
dpa_add_mutant(a_question_with_the_noise_of_another privacy.labels "++steps" "steps")
dpa_add_mutant(far_rows_with_the_noise_of_another privacy.labels "++steps" "steps")
dpa_add_mutant(far_rows_beyond_the_plan privacy.labels "-= asked - anchor.steps" "-= 0")
dpa_add_mutant(comparisons_beyond_the_plan privacy.labels "-= anchor.steps" "-= 0")
dpa_add_mutant(steps_of_the_target_unpaid privacy.record_replay
               "add_gradient(domains & kTarget" "add_gradient(domains & kTarget & kSource")
dpa_add_mutant(source_read_for_the_target privacy.record_replay
               "privacy::kTarget" "privacy::kSource")
dpa_add_mutant(relations_mixed_up privacy.record_replay "? 1 : 2" "? 2 : 1")
dpa_add_mutant(relations_in_one_ledger privacy.ledger "if (release" "if (false && release")
dpa_add_mutant(units_in_one_ledger privacy.ledger "if (unit ==" "if (true || unit ==")
dpa_add_mutant(relation_left_unsaid unit.report
               "budget()->neighbours == Neighbours::zero_out" "seeded()")
dpa_add_mutant(clip_skipped privacy.vector_sum "norm <= square" "true")
dpa_add_mutant(multiples_not_clipped privacy.vector_sum "sum_of(squares) < square" "true")
dpa_add_mutant(nan_not_neutralised privacy.vector_sum "!finite" "false")
dpa_add_mutant(weights_without_noise privacy.private_noise "noise[i]" "0")
dpa_add_mutant(same_noise_in_every_step privacy.private_noise "purpose, step" "purpose, 0 * step")
dpa_add_mutant(one_noise_for_all_releases_of_a_point privacy.private_noise "noise[k]" "noise[0]")
dpa_add_mutant(sensitivity_rounded_up privacy.record_replay
               "norms_moved(neighbours)" "norms_moved(neighbours) + 1")
dpa_add_mutant(laplace_at_twice_its_epsilon privacy.record_replay
               "plan_laplace(epsilon" "plan_laplace(2.0 * epsilon")
dpa_add_mutant(discrepancy_at_twice_its_mu privacy.record_replay
               "plan_sensitivity(price.mu_square" "plan_sensitivity(4 * price.mu_square")
dpa_add_mutant(discrepancy_gaussian_unpaid privacy.record_replay
               "- discrepancy.mu_square" "")
dpa_add_mutant(noise_of_the_other_kind privacy.number_release
               "== privacy::Mechanism::gaussian" "!= privacy::Mechanism::gaussian")
dpa_add_mutant(tau_dropped privacy.plan
               "up(up(base) + up(2.0 * plan.tolerance))" "up(base)")
dpa_add_mutant(sizes_swapped privacy.plan "request.target_rows" "request.source_rows")
dpa_add_mutant(cap_off_by_one privacy.ledger "cap.mu_square" "cap.mu_square + 1")
dpa_add_mutant(wrong_end_of_a_bisection privacy.accountant_properties "return good" "return bad")
dpa_add_mutant(seed_forgotten_on_load unit.report
               "return solution"
               "if (solution.privacy.protection == Protection::seeded) \
solution.privacy.protection = Protection::guaranteed; return solution")
dpa_add_mutant(root_of_two_forgotten privacy.outer_sum "6074001001" "4294967296")

dpa_add_mutant(whole_length_for_every_row privacy.outer_sum "parts == 1" "true")
dpa_add_mutant(every_row_a_person privacy.persons "seen_ == 0" "true")
dpa_add_mutant(moments_of_every_row privacy.persons "= 1" "= size(begin)")
dpa_add_mutant(a_person_scores_with_every_row privacy.persons "score / size" "score + 0 * size")

dpa_add_mutant(losses_unbounded privacy.general_discrepancy
               "std::clamp(loss, 0.0, bound) : 0.0" "std::max(loss, 0.0) : 0.0")
dpa_add_mutant(nan_among_the_losses privacy.general_discrepancy
               "std::isfinite(loss) ? std::clamp(loss, 0.0, bound) : 0.0"
               "std::clamp(loss, 0.0, bound)")

dpa_add_mutant(nothing_paid privacy.private_baselines
               "ledger.charge" "if (plan.releases.empty()) ledger.charge")

dpa_add_mutant(epochs_for_the_price_of_one privacy.noisy_descent "epochs()" "1")
dpa_add_mutant(record_in_two_batches privacy.noisy_descent
               "k / batches" "k / batches - (k > 0 ? 1 : 0)")
dpa_add_mutant(same_noise_in_every_batch privacy.noisy_descent ", step," ", 0 * step,")
dpa_add_mutant(sampled_steps_at_half_their_price privacy.noisy_descent
               "sampled_mu(steps" "0.5 * sampled_mu(steps")
dpa_add_mutant(more_records_than_the_rate privacy.noisy_descent "< rate_" "< 2 * rate_")
dpa_add_mutant(failure_not_counted privacy.sampled_gaussian "+ totals.failure" "")
dpa_add_mutant(selection_unclipped privacy.selection "!(loss < bound)" "loss != loss")
dpa_add_mutant(selection_at_twice_its_epsilon privacy.selection
               "kScoreBits + 1" "kScoreBits")

# The entry of a call is made when its thread ends or pays again.
dpa_add_mutant(entry_after_the_noise privacy.ledger_file
               "entry = shared()->charge(releases, seeded_noise, note(), paid().size())"
               "{ static thread_local std::shared_ptr<void> late; \
late = std::shared_ptr<void>(this, [shared = shared_, note = note_, seeded_noise, \
paid = std::vector<Release>(releases.begin(), releases.end())](void *) \
{ try { (void)shared->charge(paid, seeded_noise, note); } catch (const Error &) {} }); }")
dpa_add_mutant(entry_not_on_the_disk privacy.ledger_file "if (file)" "if (false && file)")
dpa_add_mutant(shared_budget_not_checked privacy.ledger_file "!after.within"
               "false && !after.within")
dpa_add_mutant(share_not_paid_from_the_whole privacy.ledger_file "if (parent_)"
               "if (false && parent_)")
dpa_add_mutant(job_paid_twice privacy.job "(note.job)" "(false && note.job)")
dpa_add_mutant(job_of_other_options_unpaid privacy.job "entry.options != " "\"\" == ")
dpa_add_mutant(searches_of_other_grids privacy.job
               "axis.values, word" "axis.values, [](const auto &) {}")
dpa_add_mutant(searches_of_other_fits privacy.job "word(problem.mark_of_job())" "word(\"\")")
dpa_add_mutant(job_of_another_error_bound privacy.job "= solution->settings" "= {}")
dpa_add_mutant(job_of_a_callers_loss privacy.job "job && custom" "false")
dpa_add_mutant(calibration_of_other_neighbours unit.calibrate
               "if (unseen" "if (false && unseen")
dpa_add_mutant(lost_entries_ignored privacy.ledger_file "!known.empty()" "false")

# A lock keeps the unit and the budget; a fork copies neither.
dpa_add_mutant(unit_of_a_locked_problem privacy.regrouping "locked_" "false")
dpa_add_mutant(lock_without_a_budget unit.rights "!ledger.budget()" "false")
dpa_add_mutant(loss_that_sees_locked_rows unit.rights "locked_ && custom" "false")
dpa_add_mutant(budget_in_each_child threads.fork_budget "copied" "copied && releases.empty()")
dpa_add_mutant(ledger_in_each_child threads.fork_budget "path_.empty()" "false")

dpa_add_mutant(unprotected_use_omitted unit.report ".empty()" ".empty() || true")
dpa_add_mutant(unprotected_results_forgotten unit.report "&& taken_without_protection().empty()" "")
dpa_add_mutant(secrets_left_in_memory unit.wiped ", size" ", 0 * size")
dpa_add_mutant(groups_as_if_independent privacy.report "records} * records" "records}")
dpa_add_mutant(an_attacker_of_one_record privacy.report "(cap, records)" "(cap, 1)")

# Their records are elsewhere, so that whoever reads one by themselves is found out.
dpa_add_mutant(row_read_past_the_accumulator privacy.partition
               "choose_clip()" "choose_clip(); clip_ += 1e-12 * target.y()[0]")
dpa_add_mutant(no_linear_units core.last_layer "lines" "0.0 * lines")
dpa_add_mutant(sure_network core.last_layer "!run.problem" "false && !run.problem")
dpa_add_mutant(part_missing core.records_request "!= total" "> total")
dpa_add_mutant(part_counted_twice core.records_request "all.size() !=" "false && all.size() !=")
dpa_add_mutant(rows_without_their_persons core.records_persons "request_.of_persons()" "false")
dpa_add_mutant(person_of_a_part_unclipped core.records_persons
               "std::make_shared<const Persons>(ids)" "nullptr")
dpa_add_mutant(person_in_two_parts core.records_persons "contains(hash)" "false")
dpa_add_mutant(person_in_two_merged_parts core.records_persons
               "all.size() !=" "false && all.size() !=")
dpa_add_mutant(sum_beyond_its_integers core.records_many "most * records" "0 * most * records")
dpa_add_mutant(more_records_than_announced core.records_request "if (more" "if (false && more")
dpa_add_mutant(survey_of_private_rows unit.public_passes
               "(private_domains & privacy::kSource) == 0" "private_domains != 0")
dpa_add_mutant(stray_cells_of_private_rows unit.stray_cells
               "(private_domains & privacy::kTarget) == 0" "true")
dpa_add_mutant(public_findings_of_private_rows unit.findings
               "(settings.privacy.domains & privacy::kSource) == 0" "true")
dpa_add_mutant(long_tails_are_stray unit.stray_cells "gap >= kGap ||" "true ||")
dpa_add_mutant(changed_public_rows unit.public_passes "found.digest() != digest_" "false")
dpa_add_mutant(sum_of_another_request core.records_request "of_request != of_request_" "false")

# A bound of the labelled discrepancy without labels.
dpa_add_mutant(disagreement_left_out unit.discrepancy "(1.0 + sign_ / lambda) * square" "0.0")
dpa_add_mutant(disagreement_without_cross_term unit.discrepancy "sign_ * lambda" "0.0")

# The error of a model, and what its interval covers.
dpa_add_mutant(evaluation_at_half_its_sensitivity privacy.evaluation
               "grid.integer_sensitivity(neighbours)" "grid.most")
dpa_add_mutant(noise_left_out_of_the_interval privacy.evaluation
               "mean.noise * mean.noise + variance" "variance")
dpa_add_mutant(level_without_the_noise privacy.calibration "(up_to + from)" "wanted")
dpa_add_mutant(level_without_the_new_row privacy.calibration "(table.count + 1.0)" "table.count")

# Answers of teachers.
dpa_add_mutant(vote_moves_one_count privacy.votes "? 2 : 1" "? 1 : 1")
dpa_add_mutant(vote_counted_twice privacy.votes "+= grid.most" "+= 2 * grid.most")
dpa_add_mutant(numbers_not_clipped privacy.votes "std::clamp(share, 0.0, 1.0)" "share")
dpa_add_mutant(noise_of_votes_halved privacy.votes "+ noise[k]" "+ noise[k] / 2")
dpa_add_mutant(person_in_several_shards privacy.votes "(*ids)[i]" "i")

# Coupled weights: what was taken from the sums is added again.
dpa_add_mutant(middle_forgotten unit.private_solve "+ middles" "")

# Intervals of coefficients.
dpa_add_mutant(inference_pays_once privacy.record_replay "kMatrices" "1")
dpa_add_mutant(noise_left_out_of_the_covariance unit.inference "noise * noise" "0.0 * noise")

# A record of a table is encoded by itself.
dpa_add_mutant(features_of_the_record_before core.schema "std::fill_n(features, width_, 0.0)"
               "(void)0")

# So is one that is mapped to the target's columns.
dpa_add_mutant(row_of_another_record privacy.record_replay "x(i, " "x(i / 2 * 2, ")

# Moments by which the source is filled.
dpa_add_mutant(own_columns_at_half_their_sensitivity privacy.record_replay
               "request.neighbours)" "request.neighbours) / 2")

# The controls: nothing is replaced, so the tests pass, and the failures above are those of the
# defects.
dpa_add_control(none_in_noise privacy.private_noise sigma_halved "+ noise")
dpa_add_control(none_in_replay privacy.record_replay factor_two_forgotten
                "integer_sensitivity(request.neighbours)")
dpa_add_control(none_in_report unit.report seed_forgotten_on_load "return solution")

# What a record without a label adds to a sum of labels.
dpa_add_mutant(unlabelled_records_among_the_labels privacy.labels
               "has_label || rows_.unlabelled_ != Unlabelled::nothing" "true")

# Weights of private rows.
dpa_add_mutant(weights_unbounded privacy.row_weights
               "std::clamp(given, 0.0, bound)" "std::max(given, 0.0)")
dpa_add_mutant(row_weights_forgotten privacy.row_weights "block.weight_of(i)" "1.0")
dpa_add_mutant(weight_sum_at_half_its_sensitivity privacy.row_weights
               "integer_sensitivity(request.neighbours)" "most")
dpa_add_mutant(ridge_without_a_unit unit.law_of_units "units.curvature()" "1.0")
dpa_add_mutant(clip_grows core.clip_scale "std::min(1.0, " "std::max(1.0, ")

if(DPA_BUILD_CLI)
  dpa_add_mutant(words_not_compared cli.edited_reports "is_report(json, wanted, last)" "true")
endif()

dpa_mutant_tests("${CMAKE_CURRENT_LIST_FILE}")
