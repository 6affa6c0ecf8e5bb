setting_names <- function() native_texts(R_swig_dpa_solution_setting_name)

summary.dpadapt <- function(object, ...) {
    nothing_else("summary", ...)
    facts <- with_solution(object, function(handle) {
        number <- function(name) if_released(solution_value(handle, name))
        list(settings = vapply(setting_names(), number, 0), objective = number("objective"),
             duality_gap = number("duality_gap"), gradient_mapping = number("gradient_mapping"),
             iterations = number("iterations"),
             termination = native_filled(R_swig_dpa_solution_text, handle, "termination"),
             promise = native_filled(R_swig_dpa_solution_text, handle, "calibration"))
    })
    values <- coef(object)
    structure(c(list(fit = object, coefficients = if (is.matrix(values)) values else cbind(Estimate = values),
                     inference = summarize_inference(object), weights = lapply(weights(object), summarize_weights)), facts),
              class = "summary.dpadapt")
}

# Their sum, and how many records would be as good as these if their weights were equal.
summarize_weights <- function(q) {
    if (!is.null(q)) c(sum = sum(q), effective = if (any(q > 0)) sum(q)^2 / sum(q^2) else 0, largest = max(q))
}

# Without those that are 0, as all are that mean nothing for this loss, and bounds that are none.
telling_settings <- function(settings) settings[is.finite(settings) & (settings != 0 | names(settings) == "alpha")]

print.summary.dpadapt <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    print(x$fit, digits = digits)
    print_inference(x$inference, digits)
    cat("\nSettings:\n")
    print(telling_settings(x$settings), digits = digits)
    cat("\n", x$termination, " after ", x$iterations, " iterations", sep = "")
    facts <- c(objective = x$objective, "duality gap" = x$duality_gap, "gradient mapping" = x$gradient_mapping)
    facts <- facts[!is.na(facts)]
    if (length(facts)) cat(";", paste(names(facts), format(facts, digits = digits), collapse = ", "))
    cat("\n")
    if (nzchar(x$promise)) cat(strwrap(x$promise), sep = "\n")
    for (domain in names(x$weights)) if (!is.null(x$weights[[domain]])) {
        cat("Weights of the ", domain, ": ", sep = "")
        cat(paste(names(x$weights[[domain]]), format(x$weights[[domain]], digits = digits), collapse = ", "), "\n")
    }
    invisible(x)
}
