privacy_utility <- function(formula, source, target, test, epsilon = c(0.5, 1, 4, 10), delta, loss = "squared",
                            repeats = 1, ..., private_domain = "target") {
    told <- session$told
    session$told <- TRUE # of fits whose sum is told here
    on.exit(session$told <- told)
    check_read(list(...), "fits", one_of(private_domain, private_domains))
    loss <- chosen_loss(loss, list(...)$family)
    if (identical(loss, "survival")) refuse("times have no error of this curve: evaluate() a fit of dpadapt_survival()")
    test <- without_integer64(as.data.frame(test))
    frame <- stats::model.frame(used_terms(formula, if (is.data.frame(source)) source else source[[1]]), test,
                                na.action = stats::na.pass)
    if (!any(stats::complete.cases(frame))) refuse("every row of test has a missing value")
    truth <- stats::model.response(frame)
    prices <- list()
    error <- function(...) {
        fit <- dpadapt(formula, source, target, loss = loss, private_domain = private_domain, ...)
        prices[[length(prices) + 1]] <<- price_of(fit)
        prediction_error(predicted_labels(fit, test), truth)
    }
    check_count(repeats, "repeats")
    if (!length(epsilon)) refuse("epsilon has no value")
    mean_error <- function(e, ...) mean(vapply(seq_len(repeats), function(i) error(epsilon = e, delta = delta, ...), 0))
    private <- vapply(epsilon, mean_error, 0, ...)
    structure(list(curve = data.frame(epsilon = epsilon, error = private), delta = delta, repeats = repeats,
                   total = total_price(prices, length(prices) * delta),
                   source_only = if (private_domain == "target") error_of_source(formula, source, test, truth, loss)
                                 else NA_real_), class = "dpadapt_utility")
}

# mu and the epsilon of Laplace releases, as the report of a fit has them.
price_of <- function(fit)
    with_solution(fit, function(handle) c(solution_value(handle, "spent_mu"), solution_value(handle, "spent_laplace_epsilon")))

# The fits are fixed in advance, so their prices compose exactly.
total_price <- function(prices, delta) {
    sums <- Reduce(function(a, b) c(sqrt(a[1]^2 + b[1]^2), a[2] + b[2]), prices)
    epsilon <- tryCatch(privacy_epsilon(delta, sums[1], sums[2]), dpadapt_error = function(e) NA_real_)
    c(epsilon = epsilon, delta = delta)
}

# The target is not even looked at.
error_of_source <- function(formula, source, test, truth, loss) {
    fit <- dpadapt_baseline(formula, source, source, method = "source_only", loss = loss, private_domain = "none")
    prediction_error(predicted_labels(fit, test), truth)
}

# Mean squared error of numbers, share of wrong classes.
prediction_error <- function(predicted, truth) {
    if (is.numeric(truth) && is.numeric(predicted)) mean((predicted - truth)^2, na.rm = TRUE)
    else mean(as.character(predicted) != as.character(truth), na.rm = TRUE)
}

print.dpadapt_utility <- function(x, ...) {
    cat("Error on the test rows by epsilon, delta = ", format(x$delta), "\n", sep = "")
    print(x$curve, row.names = FALSE)
    if (!is.na(x$source_only)) cat("source only: ", format(x$source_only), "\n", sep = "")
    cat("All of these fits together cost epsilon = ", format(x$total[["epsilon"]], digits = 4), ", delta = ",
        format(x$total[["delta"]]), ".\nThe errors are exact: nothing protects the test rows.\n", sep = "")
    invisible(x)
}

plot.dpadapt_utility <- function(x, xlab = "epsilon", ylab = "error on the test rows", type = "b", log = "x", ...) {
    only_graphical(...)
    graphics::plot(x$curve$epsilon, x$curve$error, xlab = xlab, ylab = ylab, type = type, log = log,
                   ylim = range(x$curve$error, x$source_only, na.rm = TRUE), ...)
    graphics::abline(h = x$source_only, lty = 2)
    invisible(x)
}
