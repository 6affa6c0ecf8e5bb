# Methods of the package generics, which broom and tidymodels read; registered when it is there (see
# NAMESPACE).

tidy.dpadapt <- function(x, conf.int = FALSE, conf.level = 0.95, exponentiate = FALSE, ...) {
    nothing_else("tidy", ...)
    if (!is_flag(conf.int) || !is_flag(exponentiate)) refuse("conf.int and exponentiate must be TRUE or FALSE")
    if (conf.int) check_level(conf.level, "conf.level")
    if (!x$linear) refuse("only fits with linear scores have coefficients to tidy")
    values <- x$coefficients
    if (is.matrix(values)) {
        if (exponentiate) refuse("of several classes only differences of their coefficients are log odds ratios: exponentiate these")
        if (conf.int) confint(x) # which says why there are none
        return(as_terms(data.frame(class = rep(colnames(values), each = nrow(values)), term = rep(rownames(values), ncol(values)),
                                   estimate = c(values))))
    }
    if (exponentiate && !(x$loss %in% c("logistic", "poisson", "gamma", "survival")))
        warning("exponentiate: coefficients of loss = \"", x$loss, "\" are no logarithms of odds or rates", call. = FALSE)
    table <- data.frame(estimate = unname(values))
    if (conf.int) {
        ends <- confint(x, level = conf.level)
        table <- cbind(table, conf.low = ends[, 1], conf.high = ends[, 2], target.estimate = read_inference(x)$estimate)
    }
    if (exponentiate) table <- exp(table)
    as_terms(`rownames<-`(cbind(term = names(values), table), NULL))
}

as_terms <- function(table) structure(table, class = c("dpadapt_terms", "data.frame"))

glance.dpadapt <- function(x, ...) {
    nothing_else("glance", ...)
    settings <- summary(x)$settings
    as_terms(data.frame(loss = x$loss, method = x$method, private = x$protection == "guaranteed", epsilon = x$epsilon,
                        delta = x$delta, alpha = settings[["alpha"]], source_rows = x$rows[["source"]],
                        target_rows = x$rows[["target"]], features = length(x$features), nobs = nobs(x)))
}

# @param type.predict  As broom has it: `type` of predict.
augment.dpadapt <- function(x, newdata, type.predict, ...) {
    nothing_else("augment", ...)
    if (missing(newdata)) refuse("newdata is needed: a fit keeps no data")
    rows <- as.data.frame(newdata)
    fitted <- if (missing(type.predict)) predict(x, newdata) else predict(x, newdata, type = type.predict)
    add <- function(prefix, values) for (class in colnames(values)) rows[[paste0(prefix, class)]] <<- unname(values[, class])
    if (is.matrix(fitted)) add(".fitted_", fitted) else rows[[".fitted"]] <- unname(fitted)
    if (has_classes(x)) add(".prob_", predict(x, newdata, type = "prob"))
    rows
}
