# From a formula and public data frames: terms, factor levels, contrasts. They are what every other data frame is
# brought into form with.

# @param data  Public data; rows with missing values are treated by na.action, as in lm().
learn_design <- function(formula, data, contrasts, xlev, na.action) {
    data <- as.data.frame(data)
    frame <- stats::model.frame(formula, data, na.action = na.action, xlev = xlev, drop.unused.levels = TRUE)
    terms <- attr(frame, "terms")
    if (attr(terms, "response") == 0) refuse("the formula has no response")
    if (!is.null(attr(terms, "offset"))) refuse("offsets are not supported")
    if (!nrow(frame)) raise(-9L, "DPA_E_EMPTY", "no public row is without missing values")
    x <- stats::model.matrix(terms, frame, contrasts.arg = contrasts)
    design <- list(terms = terms, xlevels = stats::.getXlevels(terms, frame), contrasts = attr(x, "contrasts"),
                   columns = setdiff(colnames(x), "(Intercept)"))
    design$plain <- plain_columns(data)
    design$sample <- list(x = drop_intercept(x), y = stats::model.response(frame))
    design
}

drop_intercept <- function(x) {
    x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
    attr(x, "assign") <- attr(x, "contrasts") <- NULL
    storage.mode(x) <- "double"
    if (!ncol(x)) refuse("the formula has no features")
    x
}

# Another public sample: a level that the design does not know is an error, as in predict.lm().
apply_design <- function(design, data, na.action, response = TRUE) {
    terms <- if (response) design$terms else stats::delete.response(design$terms)
    frame <- stats::model.frame(terms, as.data.frame(data), na.action = na.action, xlev = design$xlevels)
    x <- stats::model.matrix(terms, frame, contrasts.arg = design$contrasts)
    list(x = drop_intercept(x), y = if (response) stats::model.response(frame))
}

# Where both samples are private there is nothing to learn from: a data frame made up from the names of the columns and
# the levels that the caller gives; what has none is a number.
made_up_data <- function(formula, data, xlev) {
    count <- max(8, lengths(xlev))
    columns <- lapply(names(data), function(name) {
        if (!is.null(xlev[[name]])) factor(rep_len(xlev[[name]], count), xlev[[name]])
        else seq_len(count) / count
    })
    as.data.frame(stats::setNames(columns, names(data)), optional = TRUE)
}

# What a fit keeps: no data, and no environment that could hold any.
bare_design <- function(design) {
    terms <- design$terms
    environment(terms) <- globalenv()
    list(terms = terms, xlevels = design$xlevels, contrasts = design$contrasts, columns = design$columns)
}
