dpadapt_search <- function(problem, validation, grid, draw = NULL, seed = 1, baseline = NULL, loss = "squared",
                           epsilon = NULL, delta = NULL, ..., verbose = FALSE) {
    no_model_arguments(...)
    if (!inherits(problem, "dpadapt_problem")) refuse("dpadapt_search needs a dpadapt_problem")
    validation <- validation_problem(problem, validation)
    search <- new_search(grid, draw, seed)
    on.exit(native_close(R_swig_dpa_search_destroy, search))
    made <- run(problem, list(..., epsilon = epsilon, delta = delta), loss, verbose, function(handle, options) {
        lend_validation(validation, problem$kept$coding)
        native(R_swig_dpa_search_run, search, handle, validation$handle, baseline, options)
    })
    made["history"] <- list(NULL) # it would be that of all candidates
    fit <- new_fit(problem, made, if (is.null(baseline)) "dpadapt" else baseline, user_call(match.call()))
    if (problem$private_domain %in% c("target", "both"))
        fit$validation <- list(epsilon = list(...)$selection_epsilon, rows = nrow(validation$target$x),
                               report = read_report(R_swig_dpa_problem_privacy_report, validation$handle))
    fit$search <- search_table(search, names(grid))
    fit
}

# Rows in place of a problem go through the design of the training rows. What private ones pay must
# be remembered: they pay from the ledger of the problem.
validation_problem <- function(problem, validation) {
    if (!inherits(validation, "dpadapt_problem")) {
        if (is.null(problem$design)) refuse("validation must be a dpadapt_problem where there is no formula")
        private <- problem$private_domain %in% c("target", "both")
        if (private && is.null(problem$ledger))
            refuse("private validation rows need a budget that remembers what they have paid: make a dpadapt_problem of ",
                   "them, or give the problem a ledger (see privacy_ledger), which pays for them too")
        rows <- if (private) private_sample(problem$design, validation)
                else apply_design(problem$design, validation, stats::na.omit)
        return(new_problem(problem$source, rows, problem$private_domain, problem$public_y, problem$design, list(),
                           if (private) problem$ledger))
    }
    if (validation$private_domain != problem$private_domain)
        refuse("validation must have the same private_domain as the problem, ", problem$private_domain)
    if (!identical(feature_names(validation), feature_names(problem)))
        refuse("validation must have the features of the problem")
    if (!same_design(bare(validation), bare(problem))) refuse(other_design)
    validation
}

bare <- function(problem) if (!is.null(problem$design)) bare_design(problem$design)

other_design <- paste("validation must compute labels and features as the training rows do: with the same levels,",
                      "contrasts, constants and bases; levels and bases come from the public rows, so give the same",
                      "ones to both problems")

# Lends validation rows to the library, with labels as the fits have them.
lend_validation <- function(validation, coding) {
    if (!(validation$private_domain %in% c("target", "both"))) check_labels(validation$target$y, "validation", coding)
    lend_sample(validation, "target", R_swig_dpa_problem_lend_target, coding)
}

new_search <- function(grid, draw, seed) {
    if (is.data.frame(grid)) refuse("grid is a list of axes, which are crossed here: not a data frame by expand.grid()")
    if (!is.list(grid) || length(grid) && (is.null(names(grid)) || any(names(grid) == "")))
        refuse("grid must be a list of options by name, as in list(alpha = c(0, 0.5))")
    empty <- vapply(grid, function(values) !length(values) || any(lengths(values) == 0), NA)
    if (any(empty))
        refuse("grid has no value, or NULL, for ", names(grid)[empty][1], "; \"auto\" is a value of many options")
    fixed <- intersect(names(grid), c("loss", "perceptron_output", "classes"))
    if (length(fixed)) refuse(fixed[1], " gives labels their meaning and cannot be an axis; see dpadapt_select")
    search <- native(R_swig_dpa_search_create)
    for (name in names(grid)) {
        values <- paste(vapply(grid[[name]], axis_value, ""), collapse = ",")
        native(R_swig_dpa_search_add, search, name, values)
    }
    if (!is.null(draw)) native(R_swig_dpa_search_draw, search, draw, seed)
    search
}

# The numbers of a vector are separated by blanks.
axis_value <- function(value) {
    if (is.numeric(value)) value <- sprintf("%.17g", value)
    else if (is.logical(value)) value <- tolower(value)
    paste(value, collapse = " ")
}

# The candidates: settings, loss (NA where private or left out), why one was left out (NA), and
# which was chosen.
search_table <- function(search, axes) {
    candidates <- seq_len(native(R_swig_dpa_search_count, search)[["count"]]) - 1
    settings <- lapply(stats::setNames(nm = axes), function(axis) {
        texts <- vapply(candidates, function(i) native_filled(R_swig_dpa_search_setting, search, i, axis), "")
        utils::type.convert(texts, as.is = TRUE)
    })
    loss <- vapply(candidates, function(i) if_released(native(R_swig_dpa_search_loss, search, i)[["loss"]]), 0)
    left_out <- vapply(candidates, function(i) native_filled(R_swig_dpa_search_reason, search, i), "")
    left_out[left_out == ""] <- NA
    chosen <- candidates == native(R_swig_dpa_search_chosen, search)[["index"]]
    data.frame(c(settings, list(loss = ifelse(is.nan(loss), NA, loss), left_out = left_out, chosen = chosen)))
}

dpadapt_select <- function(fits, validation, ...) {
    check_judged(fits, validation, "validation rows", "dpadapt_select")
    lend_validation(validation, fits[[1]]$coding)
    options <- make_options(list(..., private_domain = validation$private_domain))
    on.exit(native_close(R_swig_dpa_options_destroy, options))
    handles <- lapply(fits, function(fit) native(R_swig_dpa_solution_deserialize, fit$bytes))
    on.exit(for (handle in handles) native_close(R_swig_dpa_solution_destroy, handle), add = TRUE)
    native(R_swig_dpa_select, validation$handle, handles, options)[["chosen"]] + 1
}

# Numbers are the same for every loss.
same_coding <- function(one, other) {
    identical(one$levels, other$levels) && (is.null(one$levels) || one$kind == other$kind)
}
