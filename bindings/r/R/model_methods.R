# What R expects of models, and what a fit without data cannot give.

terms.dpadapt <- function(x, ...) {
    if (is.null(x$design)) refuse("a fit of matrices has no formula")
    x$design$terms
}

formula.dpadapt <- function(x, ...) stats::formula(terms.dpadapt(x))

nobs.dpadapt <- function(object, ...) sum(object$rows)

fitted.dpadapt <- function(object, ...) refuse("a fit keeps no data: predict(fit, newdata) gives predictions for rows")
residuals.dpadapt <- fitted.dpadapt
deviance.dpadapt <- fitted.dpadapt

logLik.dpadapt <- function(object, ...) refuse("a fit has no likelihood: it minimizes a bound of the target's loss")
df.residual.dpadapt <- logLik.dpadapt
