dpadapt_search <- function(problem, ...) UseMethod("dpadapt_search")

dpadapt_search.default <- function(problem, ...) refuse("dpadapt_search needs a formula or a dpadapt_problem")

# With folds, every public row of the target validates once, and the chosen options are fitted to
# all of them.
dpadapt_search.formula <- function(problem, source, target, grid, validation = NULL, folds = NULL, ...,
                                   private_domain = "target", contrasts = NULL, xlev = NULL,
                                   na.action = stats::na.omit, ledger = NULL, seed = 1) {
    make <- function(rows) dpadapt_problem(problem, source, rows, private_domain, contrasts = contrasts, xlev = xlev,
                                           na.action = na.action, ledger = ledger)
    public <- one_of(private_domain, private_domains) %in% c("none", "source")
    if (is.null(validation) == is.null(folds)) {
        if (!is.null(folds)) refuse("give validation or folds, not both")
        if (!public) refuse("private rows choose only as validation = rows, which are then in no fit: see privacy_ledger")
        folds <- 5
    }
    call <- user_call(match.call())
    target <- without_integer64(target) # which folds would take apart
    if (is.null(folds)) {
        fit <- dpadapt_search(make(target), validation, grid, ...)
    } else {
        if (!public) refuse("folds would read every private row several times: give validation rows of their own")
        fit <- search_by_folds(make, target, grid, folds, seed, ...)
    }
    fit$call <- call
    fit
}

search_by_folds <- function(make, target, grid, folds, seed, ..., loss = "squared", baseline = NULL) {
    if (!is.numeric(folds) || length(folds) != 1 || is.na(folds) || folds < 2 || folds > nrow(target) || folds %% 1 != 0)
        refuse("folds must be a whole number from 2 to the rows of the target, ", nrow(target))
    fold <- drawn_folds(nrow(target), folds, seed)
    searches <- lapply(seq_len(folds), function(k) {
        dpadapt_search(make(target[fold != k, , drop = FALSE]), target[fold == k, , drop = FALSE], grid, ...,
                       loss = loss, baseline = baseline)
    })
    tables <- lapply(searches, `[[`, "search")
    losses <- vapply(tables, `[[`, numeric(nrow(tables[[1]])), "loss")
    losses <- matrix(losses, nrow(tables[[1]]))
    table <- tables[[1]]
    table$loss <- rowMeans(losses)
    table$error <- apply(losses, 1, stats::sd) / sqrt(folds)
    for (other in tables[-1]) table$left_out <- ifelse(is.na(table$left_out), other$left_out, table$left_out)
    best <- which.min(table$loss)
    if (!length(best)) refuse("no candidate could be fitted: ", table$left_out[1])
    table$chosen <- seq_len(nrow(table)) == best
    chosen <- lapply(grid_points(grid, table, best), function(value) if (is.list(value)) value[[1]] else value)
    given <- list(...)
    settings <- c(chosen, given[names(given) != "verbose"])
    fit <- if (is.null(baseline)) do.call(dpadapt, c(list(make(target), loss = loss), settings))
           else do.call(dpadapt_baseline, c(list(make(target), method = baseline, loss = loss), settings))
    fit$search <- table[c(names(grid), "loss", "error", "left_out", "chosen")]
    if (any(unlist(lapply(searches, is_unread)))) fit else without_findings(fit, is_unread(fit))
}

# Findings about options that others hide. A search has none of those that some candidate reads.
is_unread <- function(fit)
    names(fit$finding_codes) == "option_not_read" & fit$finding_codes == "warning"

without_findings <- function(fit, drop) {
    lines <- strsplit(fit$findings, "\n", fixed = TRUE)[[1]]
    fit$findings <- paste0(lines[!drop], "\n", recycle0 = TRUE, collapse = "")
    fit$finding_codes <- fit$finding_codes[!drop]
    fit
}

# The same for every session that gives the seed, whose random numbers stay what they are.
drawn_folds <- function(rows, folds, seed) {
    old <- get0(".Random.seed", globalenv(), inherits = FALSE)
    on.exit(if (is.null(old)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", old, globalenv()))
    if (!is_number(seed)) refuse("seed must be one number")
    set.seed(seed, "Mersenne-Twister", "Inversion", "Rejection")
    sample(rep_len(seq_len(folds), rows))
}

# The values of a candidate, as the grid has them.
grid_points <- function(grid, table, row) {
    stats::setNames(lapply(names(grid), function(name) {
        texts <- vapply(grid[[name]], axis_value, "")
        found <- which(texts == as.character(table[[name]][row]))
        if (!length(found)) found <- which(suppressWarnings(as.numeric(texts)) == table[[name]][row])
        grid[[name]][[found[1]]]
    }), names(grid))
}

dpadapt_search.dpadapt_problem <- function(problem, validation, grid, baseline = NULL, loss = "squared", epsilon = NULL,
                                           delta = NULL, ..., verbose = FALSE) {
    no_model_arguments(...)
    validation <- validation_problem(problem, validation)
    settings <- list(..., epsilon = epsilon, delta = delta)
    search <- new_search(grid, names(Filter(Negate(is.null), settings)))
    on.exit(native_close(R_swig_dpa_search_destroy, search))
    check_read(grid, calls_of(baseline), problem$private_domain)
    made <- run(problem, settings, if (missing(loss)) not_given else loss, verbose, function(handle, options) {
        lend_validation(validation, problem$kept$coding)
        native(R_swig_dpa_search_run, search, handle, validation$handle, baseline, options)
    })
    made["history"] <- list(NULL) # it would be that of all candidates
    fit <- new_fit(problem, made, if (is.null(baseline)) "dpadapt" else baseline, user_call(match.call()))
    if (problem$private_domain %in% c("target", "both"))
        fit$validation <- list(epsilon = list(...)$selection_epsilon, # of persons the number of rows is private
                               by = if (is.null(validation$groups)) paste(nrow(validation$target$x), "private validation rows")
                                    else paste("the rows of", max(validation$groups), "persons"),
                               report = read_report(R_swig_dpa_problem_privacy_report, validation$handle))
    fit$search <- search_table(search, names(grid))
    fit
}

print_search <- function(table, digits) {
    cat("\nCandidates, of which the one with * was chosen:\n")
    shown <- table[setdiff(names(table), c("chosen", "left_out"))]
    if (any(!is.na(table$left_out))) shown$left_out <- ifelse(is.na(table$left_out), "", table$left_out)
    rownames(shown) <- paste0(ifelse(table$chosen, "*", " "), seq_len(nrow(shown)))
    most <- 20
    print(utils::head(shown, most), digits = digits)
    if (nrow(shown) > most) cat("and", nrow(shown) - most, "more, in $search\n")
}

# The losses along one option, a line for each value of the others.
plot_search <- function(fit, ylab = "mean loss on validation rows", ...) {
    table <- fit$search
    if (is.null(table)) refuse("this fit was not chosen by dpadapt_search")
    if (all(is.na(table$loss)))
        raise(-60L, "DPA_E_NOT_RELEASABLE", "the losses on private validation rows are not released")
    axes <- setdiff(names(table), c("loss", "error", "left_out", "chosen"))
    places <- factor(table[[axes[1]]], unique(table[[axes[1]]]))
    others <- if (length(axes) > 1) interaction(table[axes[-1]], drop = TRUE) else factor(rep("", nrow(table)))
    error <- if (is.null(table$error)) 0 else table$error
    finite <- is.finite(table$loss)
    graphics::plot(as.integer(places)[finite], table$loss[finite], type = "n", xaxt = "n", xlab = axes[1], ylab = ylab,
                   xlim = c(0.8, nlevels(places) + 0.2), ylim = range((table$loss - error)[finite],
                                                                        (table$loss + error)[finite]), ...)
    graphics::axis(1, seq_len(nlevels(places)), levels(places))
    for (line in levels(others)) {
        rows <- finite & others == line
        at <- as.integer(places)[rows]
        graphics::lines(at, table$loss[rows], type = "b", lty = match(line, levels(others)), pch = 1)
        if (!is.null(table$error))
            graphics::segments(at, (table$loss - error)[rows], at, (table$loss + error)[rows], col = "grey60")
    }
    graphics::points(as.integer(places)[table$chosen], table$loss[table$chosen], pch = 19)
    if (nlevels(others) > 1)
        graphics::legend("topright", legend = levels(others), lty = seq_len(nlevels(others)), bty = "n",
                         title = paste(axes[-1], collapse = "."))
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
        if (!is.null(problem$times)) validation <- timed_rows(problem$times, validation, if (!private) "validation")
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
    lend_sample(validation, "target", coding)
    use_ledger(validation)
}

# @param given  Options that all candidates have.
new_search <- function(grid, given) {
    if (is.data.frame(grid)) refuse("grid is a list of axes, which are crossed here: not a data frame by expand.grid()")
    if (!is.list(grid) || !length(grid) || is.null(names(grid)) || any(names(grid) == ""))
        refuse("grid must be a list of options by name, as in list(alpha = c(0, 0.5))")
    empty <- vapply(grid, function(values) !length(values) || any(lengths(values) == 0), NA)
    if (any(empty))
        refuse("grid has no value, or NULL, for ", names(grid)[empty][1], "; \"auto\" is a value of many options")
    fixed <- intersect(names(grid), c("loss", "family", "perceptron_output", "classes"))
    if (length(fixed)) refuse(fixed[1], " gives labels their meaning and cannot be an axis; see dpadapt_select")
    twice <- intersect(names(grid), given)
    if (length(twice))
        refuse(twice[1], " is an axis of the grid, and given for all too: give one of both")
    search <- native(R_swig_dpa_search_create)
    for (name in names(grid)) {
        values <- paste(vapply(grid[[name]], axis_value, ""), collapse = ",")
        native(R_swig_dpa_search_add, search, name, values)
    }
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
    value <- function(name, candidate = 0) native(R_swig_dpa_search_value, search, name, candidate)[["value"]]
    candidates <- seq_len(value("candidates")) - 1
    settings <- lapply(stats::setNames(nm = axes), function(axis) {
        texts <- vapply(candidates, function(i) native_filled(R_swig_dpa_search_setting, search, i, axis), "")
        utils::type.convert(texts, as.is = TRUE)
    })
    loss <- vapply(candidates, function(i) if_released(value("loss", i)), 0)
    left_out <- vapply(candidates, function(i) native_filled(R_swig_dpa_search_reason, search, i), "")
    left_out[left_out == ""] <- NA
    chosen <- candidates == value("chosen")
    data.frame(c(settings, list(loss = ifelse(is.nan(loss), NA, loss), left_out = left_out, chosen = chosen)))
}

dpadapt_select <- function(fits, validation, ...) {
    check_judged(fits, validation, "validation rows", "dpadapt_select")
    check_read(list(...), "selections", validation$private_domain)
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
