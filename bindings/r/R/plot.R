plot.dpadapt <- function(x, type = c("weights", "history"), ...) {
    type <- match.arg(type)
    if (type == "weights") plot_weights(x, ...) else plot_history(x, ...)
    invisible(x)
}

# Relative to the mean weight, so that domains of different sizes share an axis.
plot_weights <- function(fit, ylab = "weight x number of records", ...) {
    weights <- Filter(Negate(is.null), weights(fit))
    if (!length(weights)) raise(-60L, "DPA_E_NOT_RELEASABLE", "no weights of this fit are released")
    graphics::boxplot(lapply(weights, function(q) q * length(q)), ylab = ylab, ...)
}

plot_history <- function(fit, ...) {
    rows <- fit$history
    if (is.null(rows) || !nrow(rows))
        raise(-60L, "DPA_E_NOT_RELEASABLE", "there is no history of the objective: private fits and searches have none")
    old <- graphics::par(mfrow = c(1, 2))
    on.exit(graphics::par(old))
    steps <- seq_len(nrow(rows))
    graphics::plot(steps, rows$objective, type = "b", xlab = "iteration", ylab = "objective", ...)
    positive <- is.finite(rows$gap) & rows$gap > 0
    if (any(positive)) graphics::plot(steps[positive], rows$gap[positive], type = "b", log = "y", xlab = "iteration",
                                      ylab = "duality gap", ...)
}
