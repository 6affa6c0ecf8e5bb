# Names of glm(), its methods and results, and of broom, that mean nothing here: why, and what there is instead.
of_glm <- local({
    all_of <- function(names, why) stats::setNames(rep(why, length(names)), names)
    c(all_of(c("residuals", "fitted.values", "linear.predictors", "effects", "qr", "R", "rank", "data", "model", "x", "y", "offset",
               "type.residuals"), "a fit keeps no data: predict(fit, newdata) gives predictions for rows"),
      all_of(c("deviance", "null.deviance", "aic", "AIC", "BIC", "logLik", "df.residual", "df.null", "df", "dispersion", "sigma",
               "r.squared", "adj.r.squared", "fstatistic", "cov.scaled", "cov.unscaled", "correlation"),
             "a fit has no likelihood: evaluate(fit, rows) measures its errors"),
      all_of(c("std.error", "statistic", "p.value"), "confint(fit) gives intervals, and vcov(fit) the squares of standard errors"),
      all_of(c("se.fit", "se_fit"), "calibrate(fit, rows), and then interval = \"prediction\", give intervals"),
      all_of(c("start", "etastart", "mustart", "control", "maxit", "singular.ok"), "tolerance = and iterations = say when a fit ends"),
      all_of(c("converged", "iter", "boundary"), "summary(fit) says how the fit ended"),
      trace = "verbose = TRUE tells of the steps", weights = "weights(fit) gives those of the samples",
      prior.weights = "weights(fit) gives those of the samples", na.action = "rows with missing values have no prediction",
      family = "family(fit) gives it", formula = "formula(fit) gives it", terms = "terms(fit) gives it",
      xlevels = "fit$design$xlevels has them", contrasts = "fit$design$contrasts has them")
})

instead_of <- function(name) if (name %in% names(of_glm)) paste0(": ", of_glm[[name]])

# NULL would pass for no residuals, whose sum is 0.
`$.dpadapt` <- function(x, name) {
    value <- .subset2(x, name, exact = FALSE)
    if (is.null(value) && name %in% names(of_glm)) refuse("there is no ", name, instead_of(name))
    value
}
`$.summary.dpadapt` <- `$.dpadapt`
`$.dpadapt_terms` <- `$.dpadapt`
