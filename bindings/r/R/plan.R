privacy_plan <- function(x, ...) {
    check_first(x, ...)
    UseMethod("privacy_plan")
}

# Where no private rows may take the place of public ones.
check_forecast <- function(private_domain) {
    if (one_of(private_domain, private_domains) != "target") refuse("a forecast is of a private target: private_domain must be target")
}

# With `target_rows` the target is not looked at: the source takes its place.
privacy_plan.formula <- function(formula, source, target, loss = "squared", ..., target_rows = NULL, form = NULL,
                                 private_domain = "target", contrasts = NULL, xlev = NULL, na.action = stats::na.omit) {
    if (!is.null(target_rows)) {
        check_forecast(private_domain)
        target <- source
    }
    problem <- dpadapt_problem(formula, source, target, private_domain, contrasts = contrasts, xlev = xlev,
                               na.action = na.action)
    privacy_plan(problem, loss = loss, form = form, target_rows = target_rows, ...)
}

# Sizes alone: c(source_rows, target_rows, features), where matrices have not been read yet.
privacy_plan.numeric <- function(x, ...) if (is.matrix(x)) privacy_plan.default(x, ...) else plan_of_sizes(x, ...)

plan_of_sizes <- function(x, loss = "squared", ...) {
    if (length(x) != 3) refuse("give three sizes: source rows, target rows, features")
    domain <- list(...)$private_domain
    if (is.null(domain)) domain <- "target"
    check_read(list(...), "fits", one_of(domain, private_domains))
    settings <- list(..., loss = chosen_loss(loss, list(...)$family))
    options <- make_options(settings[names(settings) != "family"])
    new_plan(native(R_swig_dpa_plan_create, x[[1]], x[[2]], x[[3]], options), list(...)$delta)
}

privacy_plan.default <- function(x, y, target_x, target_y, loss = "squared", ..., target_rows = NULL,
                                 private_domain = "target") {
    if (!is.null(target_rows)) {
        check_forecast(private_domain)
        target_x <- x
        target_y <- y
    }
    privacy_plan(dpadapt_problem(x, y, target_x, target_y, private_domain), loss = loss, target_rows = target_rows, ...)
}

# `baseline`, because `method` is an option.
privacy_plan.dpadapt_problem <- function(x, loss = "squared", ..., baseline = NULL, target_rows = NULL) {
    no_model_arguments(...)
    if (!is.null(target_rows) && !is.null(baseline)) refuse("a forecast is of dpadapt, not of a baseline")
    check_read(list(...), c(calls_of(baseline), if (!is.null(target_rows)) "forecasts"),
               x$private_domain)
    made <- run(x, list(...), if (missing(loss)) not_given else loss, FALSE, function(problem, options) {
        if (!is.null(target_rows)) native(R_swig_dpa_plan_forecast, problem, target_rows, options)
        else if (is.null(baseline)) native(R_swig_dpa_plan_for_problem, problem, options)
        else native(R_swig_dpa_baseline_plan, problem, baseline, options)
    })
    new_plan(made$handle, c(list(...)$delta, x$budget$delta)[1])
}

plan_names <- c("mu", "laplace_epsilon", "pure_epsilon", "failure", "steps", "passes", "bytes", "noise_multiplier",
                "sigma", "sensitivity", "laplace_scale", "discrepancy_deviation", "discrepancy_sensitivity", "tau", "theorem", "theorem_steps",
                "theorem_error", "theorem_error_by_predictor", "theorem_error_by_private_weights",
                "theorem_error_by_rest", "theorem_trivial_error")

# NA where a number depends on public data that the plan was made without.
new_plan <- function(handle, promised_delta = NULL) {
    force(handle) # once: what fails is not to be tried again for every value
    on.exit(native_close(R_swig_dpa_plan_destroy, handle))
    value <- function(name) tryCatch(native(R_swig_dpa_plan_value, handle, name)[["value"]],
                                     dpadapt_error_state = function(e) NA_real_)
    values <- vapply(plan_names, value, 0)
    text <- read_report(R_swig_dpa_plan_report, handle)
    epsilons <- function(delta) data.frame(delta = delta, epsilon = vapply(delta, plan_epsilon, 0, handle))
    structure(list(values = values, seconds = value("seconds"), promise = epsilons(as.double(promised_delta))[c("epsilon", "delta")],
                   curve = epsilons(10^seq(-12, -1, by = 0.25)),
                   forecast = read_forecast(handle), text = text),
              class = "dpadapt_plan")
}

forecast_names <- c("target_rows", "epsilon", "delta", "shift",
                    outer(c("", "_lower", "_upper"), c("source_only", "private", "target_only"),
                          function(end, method) paste0(method, end)), "rows_to_beat_source")

# NULL without a forecast; NA where no number of rows that was tried beats the source.
read_forecast <- function(handle) {
    cells <- native(R_swig_dpa_plan_value, handle, "forecasts")[["value"]]
    if (cells == 0) return(NULL)
    value <- function(cell, name) tryCatch(native(R_swig_dpa_plan_forecast_value, handle, cell, name)[["value"]],
                                           dpadapt_error_state = function(e) NA_real_)
    columns <- lapply(forecast_names, function(name) vapply(seq_len(cells) - 1, value, 0, name = name))
    as.data.frame(stats::setNames(columns, forecast_names))
}

# NA beyond the largest epsilon that is computed.
plan_epsilon <- function(delta, handle) {
    tryCatch(native(R_swig_dpa_plan_epsilon, handle, delta)[["epsilon"]],
             dpadapt_error_invalid_argument = function(e) NA_real_)
}

print.dpadapt_plan <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("Privacy plan (nothing is released yet)\n")
    for (i in seq_along(x$promise$delta))
        cat("epsilon = ", format(x$promise$epsilon[i], digits = digits), " at delta = ", format(x$promise$delta[i]), "\n",
            sep = "")
    print(x$values[!is.na(x$values) & x$values != 0], digits = digits)
    cat("Passes over private rows: about ", format(x$seconds, digits = 2), " s on one thread here\n", sep = "")
    if (!is.null(x$forecast)) {
        cat(strsplit(x$text[["text"]], "\n", fixed = TRUE)[[1]][1], "\nErrors to expect:\n", sep = "")
        print(x$forecast[c("epsilon", "shift", "source_only", "private", "private_lower", "private_upper", "target_only",
                           "rows_to_beat_source")], digits = digits, row.names = FALSE)
    }
    invisible(x)
}

plot.dpadapt_plan <- function(x, xlab = "delta", ylab = "epsilon", type = "l", log = "x",
                              what = c("curve", "forecast"), ...) {
    only_graphical(...)
    if (one_of(what) == "forecast") {
        plot_forecast(x$forecast, ...)
        return(invisible(x))
    }
    if (all(is.na(x$curve$epsilon))) refuse("there is too little noise for a curve: every epsilon is out of range")
    graphics::plot(x$curve$delta, x$curve$epsilon, xlab = xlab, ylab = ylab, type = type, log = log, ...)
    invisible(x)
}

# A panel for each assumed shift: the range of private errors, and what the source and the target alone would do.
plot_forecast <- function(forecast, xlab = "epsilon", ylab = "error to expect", ...) {
    if (is.null(forecast)) refuse("the plan has no forecast: give target_rows")
    shifts <- unique(forecast$shift)
    old <- graphics::par(mfrow = grDevices::n2mfrow(length(shifts)))
    on.exit(graphics::par(old))
    for (shift in shifts) {
        own <- forecast[forecast$shift == shift, ]
        own <- own[order(own$epsilon), ]
        errors <- own[grep("source_only|private|target_only", names(own))]
        graphics::plot(own$epsilon, own$private, type = "b", pch = 19, log = "x", ylim = range(0, errors, na.rm = TRUE),
                       xlab = xlab, ylab = ylab, main = paste("shift", format(shift)), ...)
        draw_intervals(own$epsilon, own$private_lower, own$private_upper)
        graphics::lines(own$epsilon, own$source_only, type = "b", pch = 1, lty = 2)
        graphics::lines(own$epsilon, own$target_only, type = "b", pch = 2, lty = 3)
    }
    graphics::legend("topright", c("private", "source only", "target only"), pch = c(19, 1, 2), lty = 1:3, bty = "n")
}
