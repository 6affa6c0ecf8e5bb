# @param complete  As coef() has it: no coefficient is missing.
coef.dpadapt <- function(object, complete = TRUE, ...) {
    nothing_else("coef", ...)
    object$coefficients
}

# A named vector, a matrix with a column for each class, or the parameters of a loss whose scores
# are not linear.
read_coefficients <- function(handle, fit) {
    if (!fit$linear) {
        return(solution_array(handle, "parameters", solution_value(handle, "parameters")))
    }
    shape <- native(R_swig_dpa_solution_shape, handle)
    outputs <- shape[["outputs"]]
    slopes <- solution_array(handle, "coefficients", shape[["features"]] * outputs)
    intercepts <- solution_array(handle, "intercept", outputs)
    both <- rbind(intercepts, matrix(slopes, ncol = outputs), deparse.level = 0)
    rownames(both) <- c("(Intercept)", fit$features)
    if (!fit$intercept) both <- both[-1, , drop = FALSE]
    if (outputs > 1) colnames(both) <- output_names(fit, outputs)
    if (outputs == 1) both[, 1] else both
}

output_names <- function(fit, outputs) {
    levels <- fit$coding$levels
    if (length(levels) == outputs) as.character(levels) else as.character(seq_len(outputs) - 1)
}
