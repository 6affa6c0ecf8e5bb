# Types are those of predict.glm(), with "class", "prob" and "numeric" of other packages.
predict.dpadapt <- function(object, newdata, type = c("link", "response", "class", "prob", "probability", "features", "numeric"),
                            ..., interval = c("none", "prediction"), level = 0.9, levels = c("known", "other")) {
    interval <- one_of(interval)
    type <- usual_type(object, if (missing(type)) NULL else one_of(type))
    levels <- one_of(levels)
    nothing_else("predict", ...)
    if (missing(newdata)) refuse("newdata is needed: a fit keeps no data")
    x <- new_rows(object, newdata, levels == "other")
    if (interval == "prediction") return(name_rows(predict_interval(object, x, level), rownames(x)))
    name_rows(with_solution(object, function(handle) {
        rows <- nrow(x)
        outputs <- native(R_swig_dpa_solution_shape, handle)[["outputs"]]
        values <- function(kind) by_output(predict_rows(handle, kind, x, rows * outputs), outputs, object)
        switch(type,
            labels = if (!is.null(object$predict)) own_predictions(object, transformed(handle, x))
                     else decode_labels(predict_rows(handle, "labels", x, rows), object$coding),
            link = values("scores"), probability = values("probabilities"),
            prob = of_each_class(object, values("probabilities")), features = transformed(handle, x))
    }), rownames(x))
}

# As predict.lm() has them; of classes, whether each is in the row's set.
predict_interval <- function(fit, x, level) with_solution(fit, function(handle) {
    classes <- has_classes(fit)
    width <- if (classes) max(native(R_swig_dpa_solution_shape, handle)[["outputs"]], 2) else 2
    ends <- matrix(native(R_swig_dpa_solution_predict_interval, handle, level, x, nrow(x) * width), nrow(x))
    ends[is.nan(ends)] <- NA
    structure(if (classes) ends > 0 else cbind(predict_rows(handle, "labels", x, nrow(x)), ends),
              dimnames = list(NULL, if (!classes) c("fit", "lwr", "upr") else class_names(fit, width)),
              promise = native_filled(R_swig_dpa_solution_text, handle, "calibration"))
})

# Without a type it is that of predict.glm(): scores, which of numbers without a log link are the predictions.
usual_type <- function(fit, type) {
    classes <- has_classes(fit)
    if (is.null(type)) type <- if (classes || fit$loss %in% c("poisson", "gamma")) "link" else "response"
    if (type == "class" && !classes) refuse("type = \"class\" is for classes, but labels of this fit are numbers")
    if (type == "numeric" && classes) refuse("type = \"numeric\" is for numbers, but labels of this fit are classes")
    switch(type, response = if (classes) "probability" else "labels", class = , numeric = "labels", type)
}

has_classes <- function(fit) fit$coding$kind %in% c("binary", "classes")

# Classes, or numbers.
predicted_labels <- function(fit, rows) stats::predict(fit, rows, type = if (has_classes(fit)) "class" else "response")

# Both columns of two classes.
of_each_class <- function(fit, yes) {
    if (is.matrix(yes)) return(yes)
    matrix(c(1 - yes, yes), ncol = 2, dimnames = list(NULL, class_names(fit, 2)))
}

class_names <- function(fit, outputs) {
    if (is.null(fit$coding$levels) && outputs == 2 && fit$coding$kind == "binary") c("-1", "1") else output_names(fit, outputs)
}

own_predictions <- function(fit, x) {
    values <- fit$predict(x, fit$coefficients)
    if (NROW(values) != nrow(x))
        refuse("predict of custom_loss must return a prediction for each row")
    values
}

transformed <- function(handle, x) {
    size <- nrow(x) * solution_value(handle, "dimension")
    matrix(predict_rows(handle, "coordinates", x, size), nrow(x), byrow = TRUE)
}

name_rows <- function(values, names) {
    if (is.matrix(values)) rownames(values) <- names else names(values) <- names
    values
}

# Rows with missing values get missing predictions, as in predict.lm().
new_rows <- function(fit, newdata, other_levels = FALSE) {
    if (!is.null(fit$schema)) {
        check_read_columns(fit$schema, newdata, FALSE, FALSE)
        rows <- schema_rows(fit$schema, newdata, FALSE)$x
        warn_unfit(fit$schema, newdata, "newdata", "^\\(label\\) ")
        return(rows)
    }
    if (!is.null(fit$design))
        return(as_in_file(fit$design$file, newdata, apply_design(fit$design, newdata, stats::na.pass, response = FALSE, other_levels)$x))
    if (is.data.frame(newdata) && !is.null(fit$columns) && all(fit$columns %in% names(newdata)))
        newdata <- newdata[fit$columns]
    x <- numeric_matrix(newdata, FALSE)
    check_columns(x, length(fit$features), fit$columns, "newdata", "the fit")
    x
}

by_output <- function(values, outputs, fit) {
    values[is.nan(values)] <- NA
    if (outputs == 1) return(values)
    matrix(values, ncol = outputs, dimnames = list(NULL, output_names(fit, outputs)))
}
