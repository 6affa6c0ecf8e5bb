plot.dpadapt_evaluation <- function(x, type = c("intervals", "calibration"), ...) {
    type <- one_of(type)
    only_graphical(...)
    if (type == "intervals") plot_intervals(x, ...) else plot_calibration(x, ...)
    invisible(x)
}

# A panel for each measure, a fit beside the other.
plot_intervals <- function(evaluation, xlab = "fit", ...) {
    panels <- split(as.data.frame(evaluation), factor(evaluation$name, unique(evaluation$name)))
    old <- graphics::par(mfrow = grDevices::n2mfrow(length(panels)))
    on.exit(graphics::par(old))
    for (name in names(panels)) {
        own <- panels[[name]]
        graphics::plot(own$fit, own$estimate, xlim = range(own$fit) + c(-0.5, 0.5), ylim = range(own$lower, own$estimate, own$upper, finite = TRUE),
                       xlab = xlab, ylab = gsub("_", " ", name), xaxt = "n", pch = 19, ...)
        graphics::axis(1, own$fit)
        draw_intervals(own$fit, own$lower, own$upper)
        if (grepl("difference", name)) graphics::abline(h = 0, lty = 3)
    }
}

# The share of positive labels by predicted probability; on the line both are the same.
plot_calibration <- function(evaluation, xlab = "predicted probability", ylab = "share of the label", ...) {
    bins <- attr(evaluation, "calibration")
    if (is.null(bins)) refuse("there is no calibration: it is of two classes")
    middle <- (bins$from + bins$to) / 2
    graphics::plot(middle, bins$estimate, xlim = 0:1, ylim = 0:1, xlab = xlab, ylab = ylab, pch = 18 + bins$fit, ...)
    draw_intervals(middle, bins$lower, bins$upper)
    graphics::abline(0, 1, lty = 3)
}

# An arrow without a head and without a length would warn. An open end goes to the edge.
draw_intervals <- function(at, lower, upper, ...) {
    edges <- graphics::par("usr")
    lower[lower == -Inf] <- edges[3]
    upper[upper == Inf] <- edges[4]
    graphics::segments(at, lower, at, upper, ...)
    graphics::points(c(at, at), c(lower, upper), pch = "-", ...)
}
