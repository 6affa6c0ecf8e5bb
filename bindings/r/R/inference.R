# The target's own coefficients, which adaptation does not move, in the order of coef(): intervals
# lie around these.
read_inference <- function(fit) {
    with_solution(fit, function(handle) {
        size <- solution_value(handle, "dimension")
        estimate <- solution_array(handle, "target_estimate", size)
        covariance <- matrix(solution_array(handle, "covariance", size^2), size)
        names <- c(fit$features, if (size > length(fit$features)) "(Intercept)")
        order <- order(names != "(Intercept)")
        dimnames(covariance) <- list(names, names)
        list(estimate = stats::setNames(estimate, names)[order], covariance = covariance[order, order, drop = FALSE],
             order = order)
    })
}

vcov.dpadapt <- function(object, complete = TRUE, ...) {
    nothing_else("vcov", ...)
    read_inference(object)$covariance
}

confint.dpadapt <- function(object, parm, level = 0.95, ...) {
    nothing_else("confint", ...)
    check_level(level, "level")
    known <- read_inference(object)
    size <- length(known$estimate)
    ends <- with_solution(object, function(handle) native(R_swig_dpa_solution_intervals, handle, level, 2 * size))
    ends <- matrix(ends, size)[known$order, , drop = FALSE]
    outside <- c(1 - level, 1 + level) / 2
    dimnames(ends) <- list(names(known$estimate), paste(format(100 * outside, trim = TRUE, digits = 3), "%"))
    if (missing(parm)) return(ends)
    rows <- if (is.character(parm)) match(parm, rownames(ends)) else seq_len(size)[parm]
    if (anyNA(rows))
        refuse("parm must be names or numbers of coefficients, ",
               paste(rownames(ends), collapse = ", "))
    ends[rows, , drop = FALSE]
}

# For summaries: NULL where there are no standard errors, with the reason beside it.
summarize_inference <- function(fit) {
    tryCatch({
        known <- read_inference(fit)
        errors <- sqrt(diag(known$covariance))
        p_value <- with_solution(fit, function(handle) {
            if_released(solution_value(handle, "domain_p_value"))
        })
        list(coefficients = cbind(Estimate = known$estimate, "Std. Error" = errors, confint(fit)), p_value = p_value)
    }, dpadapt_error_not_releasable = function(e) list(reason = conditionMessage(e)),
       dpadapt_error_unsupported = function(e) list(reason = conditionMessage(e)))
}

print_inference <- function(inference, digits) {
    if (!is.null(inference$reason)) return(cat("\nNo standard errors:", inference$reason, "\n"))
    cat("\nThe target's own coefficients, which adaptation does not move:\n")
    print(inference$coefficients, digits = digits)
    if (!is.na(inference$p_value))
        cat("p-value of equal domains:", format.pval(inference$p_value, digits = digits), "\n")
}
