# Methods of the package generics, which broom and tidymodels read; registered when it is there (see
# NAMESPACE).

tidy.dpadapt <- function(x, ...) {
    if (!x$linear) refuse("only fits with linear scores have coefficients to tidy")
    values <- x$coefficients
    if (!is.matrix(values)) return(data.frame(term = names(values), estimate = unname(values)))
    data.frame(class = rep(colnames(values), each = nrow(values)), term = rep(rownames(values), ncol(values)),
               estimate = c(values))
}

glance.dpadapt <- function(x, ...) {
    settings <- summary(x)$settings
    data.frame(loss = x$loss, method = x$method, private = x$protection == "guaranteed", epsilon = x$epsilon,
               delta = x$delta, alpha = settings[["alpha"]], source_rows = x$rows[["source"]],
               target_rows = x$rows[["target"]], features = length(x$features))
}

augment.dpadapt <- function(x, newdata, ...) {
    if (missing(newdata)) refuse("newdata is needed: a fit keeps no data")
    rows <- as.data.frame(newdata)
    rows[[".fitted"]] <- unname(predict(x, newdata))
    if (x$coding$kind %in% c("binary", "classes")) {
        shares <- predict(x, newdata, type = "prob")
        for (class in colnames(shares)) rows[[paste0(".prob_", class)]] <- unname(shares[, class])
    }
    rows
}
