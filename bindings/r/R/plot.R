plot.dpadapt <- function(x, type = c("coefficients", "weights", "history", "search"), ..., compare = list()) {
    type <- one_of(type)
    only_graphical(...)
    switch(type, coefficients = plot_coefficients(x, compare, ...), weights = plot_weights(x, ...),
           history = plot_history(x, ...), search = plot_search(x, ...))
    invisible(x)
}

# What plot() would warn of several times.
only_graphical <- function(...) {
    known <- c(names(graphics::par()), names(formals(graphics::plot.default)))
    unknown <- setdiff(...names(), known)
    if (length(unknown)) refuse("plot has no argument ", unknown[1])
}

# A line of dots for each coefficient: of this fit, and of others of the same features, such as that
# of the source alone or one without privacy.
plot_coefficients <- function(fit, compare, xlab = "coefficient", pch = c(19, 1, 2, 0, 5, 6), ...) {
    if (inherits(compare, "dpadapt") || !all(vapply(compare, inherits, NA, "dpadapt")))
        refuse("compare must be a list of fits by name, as in list(source = fit)")
    fits <- c(list(fit), compare)
    values <- lapply(fits, function(one) if (one$linear) slopes(one$coefficients))
    if (any(vapply(values, is.null, NA))) refuse("only fits with linear scores have coefficients to plot")
    if (length(unique(lapply(values, names))) > 1) refuse("fits in compare must have the features of the fit")
    rows <- rev(seq_along(values[[1]]))
    old <- graphics::par(mar = c(4, 1 + max(4, 0.55 * max(nchar(names(values[[1]])))), 2, 1))
    on.exit(graphics::par(old))
    graphics::plot(range(0, unlist(values), finite = TRUE), range(rows, rows + 0.5), type = "n", yaxt = "n", ylab = "",
                   xlab = xlab, ...)
    graphics::abline(v = 0, h = rows, col = "grey85")
    graphics::axis(2, rows, names(values[[1]]), las = 1, tick = FALSE)
    kinds <- rep_len(pch, length(fits))
    for (i in rev(seq_along(values))) graphics::points(values[[i]], rows, pch = kinds[i])
    if (length(fits) > 1)
        graphics::legend("topright", legend = c(if (fit$protection == "none") "fit" else "private fit", names(compare)),
                         pch = kinds, bty = "n", horiz = TRUE, inset = c(0, -0.06), xpd = NA)
}

# Without the intercept; of several classes each with its name.
slopes <- function(coefficients) {
    if (!is.matrix(coefficients)) return(coefficients[names(coefficients) != "(Intercept)"])
    kept <- coefficients[rownames(coefficients) != "(Intercept)", , drop = FALSE]
    stats::setNames(c(kept), paste(rep(rownames(kept), ncol(kept)), rep(colnames(kept), each = nrow(kept)), sep = ": "))
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
        raise(-60L, "DPA_E_NOT_RELEASABLE",
              paste("there is no history of the objective: private fits, searches, model files and",
                    "baselines without steps have none"))
    old <- graphics::par(mfrow = c(1, 2))
    on.exit(graphics::par(old))
    steps <- seq_len(nrow(rows))
    graphics::plot(steps, rows$objective, type = "b", xlab = "iteration", ylab = "objective", ...)
    positive <- is.finite(rows$gap) & rows$gap > 0
    if (any(positive)) graphics::plot(steps[positive], rows$gap[positive], type = "b", log = "y", xlab = "iteration",
                                      ylab = "duality gap", ...)
}
