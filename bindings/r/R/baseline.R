dpadapt_baseline <- function(x, ...) {
    check_first(x, ...)
    UseMethod("dpadapt_baseline")
}

dpadapt_baseline.formula <- function(formula, source, target, method, loss = "squared", epsilon = NULL, delta = NULL,
                                     ..., form = NULL, private_domain = "target", contrasts = NULL, xlev = NULL,
                                     na.action = stats::na.omit) {
    problem <- dpadapt_problem(formula, source, target, private_domain, contrasts = contrasts, xlev = xlev,
                               na.action = na.action)
    fit <- dpadapt_baseline(problem, method, loss = loss, epsilon = epsilon, delta = delta, form = form, ...)
    fit$call <- user_call(match.call())
    count_fit(fit, NULL)
}

dpadapt_baseline.default <- function(x, y, target_x, target_y, method, loss = "squared", epsilon = NULL,
                                     delta = NULL, ..., private_domain = "target") {
    problem <- dpadapt_problem(x, y, target_x, target_y, private_domain)
    fit <- dpadapt_baseline(problem, method, loss = loss, epsilon = epsilon, delta = delta, ...)
    fit$call <- user_call(match.call())
    count_fit(fit, NULL)
}

dpadapt_baseline.dpadapt_problem <- function(x, method, loss = "squared", epsilon = NULL, delta = NULL, ...,
                                             verbose = FALSE) {
    no_model_arguments(...)
    settings <- list(..., epsilon = epsilon, delta = delta)
    made <- run(x, settings, if (missing(loss)) not_given else loss, verbose,
                function(problem, options) native(R_swig_dpa_baseline_solve, problem, method, options))
    new_fit(x, made, method, user_call(match.call()))
}

dpadapt_baselines <- function() {
    data.frame(name = native_texts(R_swig_dpa_baseline_text, "name"),
               doc = native_texts(R_swig_dpa_baseline_text, "meaning"))
}
