# A formula as features that the library computes from columns, in the words of dpa_table_hint, so
# that its model is a file for all languages. What has no such words stays R's alone.

# The schema that computes what the design does, or the reason why there is none.
# @param outputs  How many classes there are.
schema_of_design <- function(design, loss, coding, outputs) {
    told <- design$computed
    if (!is.null(told$reason)) return(told)
    tryCatch({
        known <- told$known
        features <- told$features
        schema <- made_up_schema(known, features, as.character(attr(design$terms, "variables")[[2]]), loss, coding, outputs)
        check_computed(schema, design, known)
        # All but bases is the same arithmetic in R.
        list(schema = schema, columns = names(known), rounds = any(grepl("pieces(", features, fixed = TRUE)))
    }, error = function(e) list(reason = conditionMessage(e)))
}

# The words of the features and what they need of the public rows, or the reason why there are none.
computed_of_design <- function(design, data) tryCatch({
    label <- attr(design$terms, "variables")[[2]]
    if (is.null(data)) stop("it needs medians, and there are no public rows", call. = FALSE)
    if (!is.symbol(label)) no_words(label)
    known <- known_columns(design, data)
    list(known = known, features = computed_features(design, known))
}, error = function(e) list(reason = conditionMessage(e)))

# What the public rows say about the columns that the features read: levels, or the median and some
# numbers.
known_columns <- function(design, data) {
    read <- intersect(free_names(variables_of(stats::delete.response(design$terms)))$any, names(design$inputs))
    used <- as.data.frame(data)[read]
    if (nrow(used) != nrow(design$sample$x)) used <- used[rownames(design$sample$x), , drop = FALSE]
    for (name in read) if (!stats::.MFclass(used[[name]]) %in% c("numeric", "logical", "factor", "ordered", "character"))
        stop("column ", name, " is neither of numbers nor of texts", call. = FALSE)
    for (name in read) if (anyNA(used[[name]])) stop("column ", name, " has missing values in the public rows", call. = FALSE)
    lapply(used, function(column) {
        kind <- stats::.MFclass(column)
        if (kind == "numeric") {
            some <- column[unique(round(seq(1, length(column), length.out = 1000)))]
            few <- length(unique(some)) <= 50
            return(list(kind = kind, median = stats::median(column), distinct = if (few) sort(unique(column)),
                        numbers = unique(c(range(column), stats::quantile(some, 0:10 / 10, names = FALSE, type = 1)))))
        }
        list(kind = kind, levels = switch(kind, logical = c("FALSE", "TRUE"), character = sort(unique(column)), levels(column)))
    })
}

# A column as R would have it, of some of its levels.
as_kind <- function(known, levels) switch(known$kind, logical = as.logical(levels), character = levels,
                                          factor(levels, known$levels, ordered = known$kind == "ordered"))

# Texts for dpa_table_hint, named by the features.
computed_features <- function(design, columns) {
    terms <- stats::delete.response(design$terms)
    variables <- as.list(attr(terms, "predvars"))[-1]
    names <- rownames(attr(terms, "factors"))
    scope <- list(columns = columns, environment = environment(terms), depth = 0)
    values <- lapply(seq_along(variables), function(k) {
        value <- words_for(variables[[k]], scope)
        known <- design$xlevels[[names[k]]]
        if (is.null(known) && is.list(value)) known <- names(value)
        if (is.null(known)) return(value)
        if (!all(nzchar(known))) stop("a level is blank", call. = FALSE)
        if (!is.list(value)) value <- words_for_codes(value, known, known)
        if (!all(known %in% names(value))) no_words(variables[[k]])
        value[known]
    })
    uses <- coded_uses(terms, vapply(values, is.list, NA))
    features <- unlist(lapply(seq_len(ncol(uses)), function(term) {
        parts <- lapply(which(uses[, term] > 0), function(k) coded(values[[k]], uses[k, term], design$contrasts[[names[k]]]))
        Reduce(function(left, right) as.vector(outer(left, right, function(a, b) paste(a, "*", b))), parts)
    }))
    if (length(features) != length(design$columns)) stop("its features would be others outside R", call. = FALSE)
    stats::setNames(features, design$columns)
}

# How terms code their variables: 1 by contrasts, 2 by all levels. As in model.matrix(), without an
# intercept the first factor has all levels.
coded_uses <- function(terms, is_factor) {
    uses <- attr(terms, "factors")
    if (attr(terms, "intercept") || !any(is_factor)) return(uses)
    first <- which(uses > 0 & is_factor, arr.ind = TRUE)
    if (nrow(first)) uses[first[1, 1], first[1, 2]] <- 2
    uses
}

# @param value  An expression for each column of the variable, or a list of one for each level.
coded <- function(value, use, contrasts) {
    if (!is.list(value)) return(paste0("(", value, ")"))
    indicators <- paste0("(", unlist(value), ")")
    if (use == 2) return(indicators)
    f <- factor(names(value), names(value))
    if (is.matrix(contrasts)) stats::contrasts(f, ncol(contrasts)) <- contrasts
    else if (!is.null(contrasts)) stats::contrasts(f) <- contrasts
    apply(stats::contrasts(f), 2, function(weights) {
        used <- which(weights != 0)
        plain <- length(used) == 1 && weights[used] == 1
        paste0("(", paste(if (plain) indicators[used] else paste(number_words(weights[used]), "*", indicators[used]),
                          collapse = " + "), ")")
    })
}

# From rows that are made up of medians, all levels and all classes.
made_up_schema <- function(known, features, label, loss, coding, outputs) {
    classes <- as.character(coding$levels)
    if (!length(classes)) classes <- switch(coding$kind, binary = c("-1", "1"), classes = as.character(seq_len(outputs) - 1))
    rows <- max(2, length(classes), vapply(known, function(column) length(column$levels), 0))
    data <- lapply(known, function(column) {
        if (is.null(column$levels)) rep(column$median, rows) else factor(rep_len(column$levels, rows), column$levels)
    })
    data[[label]] <- if (length(classes)) factor(rep_len(classes, rows), classes) else seq_len(rows)
    data <- as.data.frame(data, optional = TRUE)
    output <- if (loss == "perceptron") switch(coding$kind, binary = "logistic", classes = "softmax", "squared")
    schema <- dpadapt_schema(data, label, loss, perceptron_output = output, positive = if (coding$kind == "binary") classes[2],
                             ignore = names(known), classes_in_order = if (coding$kind == "classes") classes,
                             compute = paste(name_words(names(features)), "=", features))
    if (length(classes) && !identical(as.character(schema$levels), classes)) stop("its classes would be others outside R", call. = FALSE)
    schema
}

# It must give the design's features for rows of all kinds: with the numbers of the formula, too.
check_computed <- function(schema, design, known) {
    constants <- unlist(lapply(attr(design$terms, "predvars"), numbers_in))
    values <- lapply(known, function(column) {
        if (column$kind == "character") return(c(column$levels, "\u2603 is no level"))
        if (!is.null(column$levels)) return(column$levels)
        range <- range(column$numbers)
        near <- constants[constants > range[1] - diff(range) & constants < range[2] + diff(range)]
        unique(c(column$numbers, column$distinct, utils::head(near, 100)))
    })
    rows <- seq_len(max(200, 2 * lengths(values)))
    data <- as.data.frame(Map(function(column, values, k) {
        values <- values[(rows + (rows %/% length(values)) * k) %% length(values) + 1] # in no step with other columns
        if (is.null(column$levels)) values else as_kind(column, values)
    }, known, values, seq_along(known)), optional = TRUE)
    expected <- suppressWarnings(apply_design(design, data, stats::na.pass, response = FALSE, other_levels = TRUE)$x)
    given <- schema_rows(schema, data, FALSE)$x
    wrong <- !same_features(expected, given) & is.finite(expected)
    if (any(wrong)) stop("feature ", colnames(expected)[colSums(wrong) > 0][1], " would be another outside R", call. = FALSE)
}

numbers_in <- function(e) {
    if (is.numeric(e)) return(as.double(e))
    if (is.call(e)) unlist(lapply(as.list(e)[-1], function(part) if (!missing(part)) numbers_in(part)))
}

# Which are the same but for rounding, in units of their column.
same_features <- function(expected, given) {
    size <- apply(abs(expected), 2, function(column) max(0, column[is.finite(column)]))
    same <- abs(given - expected) <= rep(1e-9 * size, each = nrow(expected))
    same & !is.na(same)
}

# The features of new rows as a model file computes them, to the last bit; where cells are missing or
# unknown, as R does.
as_in_file <- function(file, data, x) {
    if (!isTRUE(file$rounds) || !nrow(x)) return(x)
    given <- schema_rows(file$schema, without_integer64(data)[file$columns], FALSE)$x
    same <- same_features(x, given)
    x[same] <- given[same]
    x
}
