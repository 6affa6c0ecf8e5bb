# What R expects of models, and what a fit without data cannot give.

terms.dpadapt <- function(x, ...) {
    nothing_else("terms", ...)
    if (is.null(x$design)) refuse("a fit of matrices, a schema or a model file has no formula")
    x$design$terms
}

# @param env  As as.formula() and add1() give it; terms have their own.
formula.dpadapt <- function(x, env, ...) {
    nothing_else("formula", ...)
    formula <- stats::formula(terms.dpadapt(x))
    if (!is.null(x$response)) formula[[2]] <- x$response
    formula
}

family.dpadapt <- function(object, ...) {
    nothing_else("family", ...)
    switch(object$loss, squared = stats::gaussian(), logistic = stats::binomial(), poisson = stats::poisson(),
           gamma = stats::Gamma(link = "log"),
           refuse("loss = \"", object$loss, "\" is that of no family"))
}

# Those of the domain that the fit is for; of persons their number.
nobs.dpadapt <- function(object, use.fallback = FALSE, ...) {
    nothing_else("nobs", ...)
    object$rows[["target"]]
}

# A fit to the same rows once more.
update.dpadapt <- function(object, formula., ..., evaluate = TRUE) {
    if (!missing(formula.) && is.null(object$call$formula))
        refuse("update takes a formula for fits of dpadapt(formula, ...): ",
               "of a problem make another dpadapt_problem")
    lost <- names(Filter(function(part) is.symbol(part) && grepl("^<.*>$", part), as.list(object$call)))
    lost <- setdiff(lost, ...names())
    if (evaluate && length(lost)) refuse("a fit keeps no data: update(fit, ..., ", lost[1], " = ) needs them, as they had no name")
    NextMethod()
}

# With newdata in place of the data of the fit, which it does not keep.
model.matrix.dpadapt <- function(object, data, ...) {
    nothing_else("model.matrix", ...)
    if (missing(data)) refuse("a fit keeps no data: model.matrix(fit, data) gives the features of rows")
    x <- new_rows(object, data)
    if (object$intercept) cbind("(Intercept)" = 1, x) else x
}

fitted.dpadapt <- function(object, ...) refuse("a fit keeps no data: predict(fit, newdata) gives predictions for rows")
residuals.dpadapt <- fitted.dpadapt
deviance.dpadapt <- fitted.dpadapt
model.frame.dpadapt <- function(formula, ...) fitted.dpadapt(formula)

effects.dpadapt <- fitted.dpadapt
rstandard.dpadapt <- rstudent.dpadapt <- cooks.distance.dpadapt <- hatvalues.dpadapt <- influence.dpadapt <-
    dfbeta.dpadapt <- dfbetas.dpadapt <- function(model, ...) fitted.dpadapt(model)

logLik.dpadapt <- function(object, ...)
    refuse("a fit has no likelihood: it minimizes a bound of the target's loss; evaluate(fit, rows) measures errors of fits to compare")
df.residual.dpadapt <- logLik.dpadapt
extractAIC.dpadapt <- function(fit, scale, k, ...) logLik.dpadapt(fit)
anova.dpadapt <- logLik.dpadapt
profile.dpadapt <- function(fitted, ...) logLik.dpadapt(fitted)
simulate.dpadapt <- function(object, nsim = 1, seed = NULL, ...) logLik.dpadapt(object)
