dpadapt <- function(x, ...) {
    check_first(x, ...)
    UseMethod("dpadapt")
}

# `form` is named because it would match `formula` in part.
dpadapt.formula <- function(formula, source, target, loss = "squared", epsilon = NULL, delta = NULL, ...,
                            form = NULL, private_domain = "target", contrasts = NULL, xlev = NULL,
                            na.action = stats::na.omit, ledger = NULL, groups = NULL, weights = NULL, scores = NULL,
                            sources = NULL, source_map = NULL) {
    problem <- dpadapt_problem(formula, source, target, private_domain, contrasts = contrasts, xlev = xlev,
                               na.action = na.action, ledger = ledger, groups = groups, weights = weights,
                               scores = scores, sources = sources, source_map = source_map)
    fit <- dpadapt(problem, loss = loss, epsilon = epsilon, delta = delta, form = form, ...)
    fit$call <- user_call(match.call())
    count_fit(fit, ledger)
}

dpadapt.default <- function(x, y, target_x, target_y, loss = "squared", epsilon = NULL, delta = NULL, ...,
                            private_domain = "target", ledger = NULL, groups = NULL, weights = NULL, scores = NULL,
                            sources = NULL, source_map = NULL) {
    problem <- dpadapt_problem(x, y, target_x, target_y, private_domain, ledger = ledger, groups = groups, weights = weights,
                               scores = scores, sources = sources, source_map = source_map)
    fit <- dpadapt(problem, loss = loss, epsilon = epsilon, delta = delta, ...)
    fit$call <- user_call(match.call())
    count_fit(fit, ledger)
}

dpadapt.dpadapt_problem <- function(x, loss = "squared", epsilon = NULL, delta = NULL, ..., discrepancy = NULL,
                                    verbose = FALSE) {
    no_model_arguments(...)
    given <- if (inherits(discrepancy, "dpadapt_discrepancy")) discrepancy$handle
    settings <- list(..., epsilon = epsilon, delta = delta, discrepancy = if (is.null(given)) discrepancy)
    made <- run(x, settings, if (missing(loss)) not_given else loss, verbose,
                function(problem, options) native(R_swig_dpa_solve, problem, given, options))
    new_fit(x, made, "dpadapt", user_call(match.call()))
}

# A fit is data only: the library's bytes of the solution, and what R needs to go with them. So it
# can be saved, and has nothing to release.
new_fit <- function(problem, made, method, call) {
    on.exit(native_close(R_swig_dpa_solution_destroy, made$handle))
    promise <- native(R_swig_dpa_solution_privacy, made$handle)
    shape <- native(R_swig_dpa_solution_shape, made$handle) # of persons their number: that of their rows is private
    fit <- list(call = call, method = method, loss = made$loss, private_domain = problem$private_domain,
                protection = c("none", "guaranteed", "seeded", "in part")[promise[["protection"]] + 1],
                epsilon = promise[["epsilon"]], delta = promise[["delta"]],
                neighbours = c("replace", "zero_out")[solution_value(made$handle, "neighbours") + 1],
                rows = c(source = as.integer(shape[["source_rows"]]), target = as.integer(shape[["target_rows"]])), features = feature_names(problem),
                columns = colnames(problem$source$x), coding = made$coding, history = made$history,
                bytes = native_filled(R_swig_dpa_solution_serialize, made$handle, 1))
    fit$intercept <- made$intercept
    fit$linear <- has_coefficients(made$handle)
    fit$coefficients <- read_coefficients(made$handle, fit)
    fit$predict <- made$predict
    fit$schema <- problem$schema
    fit$unused <- problem$unused
    fit$response <- problem$times$response
    fit$persons <- !is.null(problem$groups)
    if (!is.null(problem$design)) {
        fit$design <- problem$design$bare
        fit$design$file <- schema_of_design(problem$design, made$loss, made$coding, shape[["outputs"]])
    }
    fit$findings <- named_columns(
        native_filled(R_swig_dpa_solution_findings, made$handle, label_words(problem, made$coding)), fit$features)
    codes <- strsplit(native_filled(R_swig_dpa_solution_text, made$handle, "finding_codes"), "\n", fixed = TRUE)[[1]]
    fit$finding_codes <- stats::setNames(sub(" .*", "", codes), sub(".* ", "", codes))
    if (problem$private_domain != "none") fit$usable <- usable_line(problem)
    structure(fit, class = c(if (made$loss == "survival") "dpadapt_survival", "dpadapt"))
}

# The library numbers the columns in which public cells are codes.
named_columns <- function(text, features) {
    for (k in seq_along(features))
        text <- gsub(paste0(", column ", k - 1, ": "), paste0(", ", features[[k]], ": "), text, fixed = TRUE)
    text
}

# The labels that count, as the user writes them; empty where they are the library's own.
label_words <- function(problem, coding) {
    if (!is.null(problem$schema)) return(problem$schema$known)
    levels <- as.character(coding$levels)
    if (length(levels) > 20) return(paste("one of the", length(levels), "classes of the public rows"))
    paste(levels, collapse = " or ")
}

# Other fits have parameters.
has_coefficients <- function(handle) {
    tryCatch({
        solution_value(handle, "parameters")
        FALSE
    }, dpadapt_error_unsupported = function(e) TRUE)
}

feature_names <- function(problem) {
    if (!is.null(problem$design)) return(problem$design$columns)
    features <- colnames(problem$source$x)
    if (is.null(features)) paste0("x", seq_len(ncol(problem$source$x))) else features
}

# Evaluates use(handle) with the solution of a fit.
with_solution <- function(fit, use) {
    handle <- native(R_swig_dpa_solution_deserialize, fit$bytes)
    on.exit(native_close(R_swig_dpa_solution_destroy, handle))
    use(handle)
}
