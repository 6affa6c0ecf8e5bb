evaluate <- function(fits, rows, ...) {
    if (inherits(fits, "dpadapt")) fits <- list(fits)
    check_judged(fits, rows, "rows that no fit has seen", "evaluate")
    settings <- unseen_settings(rows, ...)
    handles <- lapply(fits, function(fit) native(R_swig_dpa_solution_deserialize, fit$bytes))
    on.exit(for (handle in handles) native_close(R_swig_dpa_solution_destroy, handle))
    made <- with_unseen(rows, fits[[1]]$coding, settings, function(options)
        native(R_swig_dpa_evaluate, rows$handle, handles, options))
    on.exit(native_close(R_swig_dpa_evaluation_destroy, made), add = TRUE)
    level <- if (is.null(settings$confidence)) 0.95 else settings$confidence
    found <- read_measures(made)
    bins <- of_measures(found, "calibration", c("fit", "from", "to", "rows", "estimate", "lower", "upper"))
    own <- setdiff(found$name, c("calibration", "clipped_share"))
    told <- found[!is.na(found$note), ]
    structure(cbind(of_measures(found, own, c("name", "fit", "estimate", "lower", "upper")), level = level),
              report = native_filled(R_swig_dpa_evaluation_report, made, 1),
              calibration = if (nrow(bins)) bins, notes = paste0("Fit ", told$fit, ": ", told$note, recycle0 = TRUE),
              class = c("dpadapt_evaluation", "data.frame"))
}

# A fit with prediction intervals.
calibrate <- function(fit, rows, ...) {
    check_judged(list(fit), rows, "rows that the fit has not seen", "calibrate")
    made <- with_solution(fit, function(handle) with_unseen(rows, fit$coding, unseen_settings(rows, ...), function(options)
        native(R_swig_dpa_solution_calibrate, handle, rows$handle, options)))
    on.exit(native_close(R_swig_dpa_solution_destroy, made))
    fit$bytes <- native_filled(R_swig_dpa_solution_serialize, made, 0L)
    fit
}

unseen_settings <- function(rows, ...) {
    check_read(list(...), "evaluations", rows$private_domain)
    settings <- list(..., private_domain = rows$private_domain)
    for (price in c("epsilon", "delta", "neighbours")) if (is.null(settings[[price]])) settings[[price]] <- rows$budget[[price]]
    settings
}

# Calls `use` with the options; the rows are coded as the fits are.
with_unseen <- function(rows, coding, settings, use) {
    lend_validation(rows, coding)
    # The public source tells where to clip; a locked problem takes it once.
    has_source <- identical(rows$kept$codings$source, coding) || identical(rows$kept$reference, coding)
    if (rows$private_domain == "target" && !has_source) {
        rows$kept$source <- encode_labels(rows$source$y, coding)
        native(R_swig_dpa_problem_lend_sample, rows$handle, domains[["source"]], rows$source$x, rows$kept$source)
        rows$kept$codings$source <- NULL # without its row values
        rows$kept$reference <- coding
    }
    options <- make_options(settings)
    on.exit(native_close(R_swig_dpa_options_destroy, options))
    use(options)
}

# One line for each measure: its fit, the estimate and the interval, and the other members of a dpa_measure.
read_measures <- function(evaluation) {
    measures <- list()
    while (!is.null(attr(one <- native(R_swig_dpa_evaluation_measure, evaluation, length(measures)), "name", exact = TRUE)))
        measures <- c(measures, list(one))
    text <- function(what) vapply(measures, function(one) c(attr(one, what), NA_character_)[1], "")
    found <- data.frame(name = text("name"), note = text("note"), do.call(rbind, measures))
    found$fit <- found$solution + 1
    found
}

of_measures <- function(found, names, columns) `rownames<-`(found[found$name %in% names, columns], NULL)

print.dpadapt_evaluation <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    for (note in attr(x, "notes")) cat(strwrap(note), "", sep = "\n")
    print(as.data.frame(x), digits = digits, row.names = FALSE, ...)
    invisible(x)
}

as.data.frame.dpadapt_evaluation <- function(x, ...) {
    attr(x, "report") <- attr(x, "calibration") <- attr(x, "notes") <- NULL
    class(x) <- "data.frame"
    x
}

# Fits that the labels of those rows can judge together.
check_judged <- function(fits, rows, name, caller) {
    if (!inherits(rows, "dpadapt_problem")) refuse(caller, " needs a dpadapt_problem of ", name)
    if (!is.list(fits) || !all(vapply(fits, inherits, NA, "dpadapt"))) refuse("fits must be a list of fits")
    if (!length(fits)) raise(-9L, "DPA_E_EMPTY", "there are no fits")
    design <- bare(rows)
    for (fit in fits) {
        if (!identical(fit$features, feature_names(rows))) refuse("the rows must have the features of the fits")
        if (!same_coding(fit$coding, fits[[1]]$coding)) refuse("the fits must have the same classes")
        if (!is.null(rows$times) && fit$loss != "survival")
            refuse("censored times (Surv) are for fits with loss = \"survival\"")
    }
    for (fit in fits) {
        if (!same_design(design, fit$design)) refuse(other_design)
    }
}
