discrepancy <- function(x, ...) {
    check_first(x, ...)
    UseMethod("discrepancy")
}

discrepancy.formula <- function(formula, source, target, loss = "squared", epsilon = NULL, delta = NULL, ...,
                                form = NULL, private_domain = "target", contrasts = NULL, xlev = NULL,
                                na.action = stats::na.omit) {
    problem <- dpadapt_problem(formula, source, target, private_domain, contrasts = contrasts, xlev = xlev,
                               na.action = na.action)
    discrepancy(problem, loss = loss, epsilon = epsilon, delta = delta, form = form, ...)
}

discrepancy.default <- function(x, y, target_x, target_y, loss = "squared", epsilon = NULL, delta = NULL, ...,
                                private_domain = "target") {
    problem <- dpadapt_problem(x, y, target_x, target_y, private_domain)
    discrepancy(problem, loss = loss, epsilon = epsilon, delta = delta, ...)
}

discrepancy.dpadapt_problem <- function(x, loss = "squared", epsilon = NULL, delta = NULL, ..., verbose = FALSE) {
    no_model_arguments(...)
    check_read(list(...), "discrepancies", x$private_domain)
    settings <- list(..., epsilon = epsilon, delta = delta)
    made <- run(x, settings, if (missing(loss)) not_given else loss, verbose,
                function(problem, options) native(R_swig_dpa_discrepancy_estimate, problem, options))
    value <- function(name) native(R_swig_dpa_discrepancy_value, made$handle, name)[["value"]]
    structure(list(value = value("value"), lower = released_or_null(value("lower")),
                   upper = released_or_null(value("upper")), deviation = value("deviation"), loss = made$loss,
                   labelled_bound = if (!is.null(settings$labelling_disagreement)) value("labelled_bound"),
                   handle = made$handle), class = "dpadapt_discrepancy")
}

print.dpadapt_discrepancy <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("Discrepancy of source and target:", format(x$value, digits = digits), "\n")
    if (is.null(x$lower)) cat("released with noise of standard deviation", format(x$deviation, digits = digits), "\n")
    else cat("between", format(x$lower, digits = digits), "and", format(x$upper, digits = digits), "\n")
    if (!is.null(x$labelled_bound)) cat("labelled: at most", format(x$labelled_bound, digits = digits), "\n")
    invisible(x)
}
