# Private rows in the form of a public design. Each row of the result depends on its own record alone, to the last bit,
# whatever the formula computes; nothing is dropped, and no error, warning or message depends on a value. Rows that
# cannot be used become NaN, which the library neutralises.

private_sample <- function(design, data) {
    data <- as.data.frame(data)
    columns <- intersect(all.vars(design$terms), names(design$example))
    absent <- setdiff(columns, names(data))
    if (length(absent)) refuse("a private sample has no column ", absent[1])
    example <- design$example[columns]
    data <- data[columns]
    if (any(lengths(lapply(c(data, example), dim)) > 0)) refuse("columns of a private sample must be vectors")
    kept <- Map(like, data, example)
    broken <- Reduce(`|`, Map(is_broken, data, kept))
    for (name in columns) kept[[name]][broken] <- example[[name]]
    kept <- as.data.frame(kept, optional = TRUE)

    sample <- if (all(recordwise_variables(design))) quiet(private_rows(design, kept))
    if (is.null(sample)) sample <- row_by_row(design, kept)
    sample$x[broken, ] <- NaN
    sample$y[broken] <- NA
    sample
}

# A private column as the kind of the public one; what is not of that kind is missing.
like <- function(column, example) {
    if (!is.atomic(column)) rep(example[NA_integer_], length(column))
    else if (is.factor(example)) factor(as.character(column), levels(example), ordered = is.ordered(example))
    else if (is.character(example)) as.character(column)
    else if (is.logical(example)) as.logical(if (is.factor(column)) as.character(column) else column)
    else if (is.numeric(example)) as_number(column)
    else if (identical(class(column), class(example))) column
    else rep(example[NA_integer_], length(column))
}

# A level that the public rows do not have is not missing; it counts as zeros.
is_broken <- function(given, kept) {
    if (is.factor(kept)) is.na(given) else if (is.numeric(kept)) !is.finite(kept) else is.na(kept)
}

# The value, or NULL after an error, without a word.
quiet <- function(value) {
    tryCatch(suppressMessages(suppressWarnings(value)), error = function(e) NULL)
}

# Features and labels. Levels that the design does not know count as zeros.
private_rows <- function(design, data) {
    frame <- stats::model.frame(design$terms, data, na.action = stats::na.pass)
    terms <- stats::delete.response(design$terms)
    unknown <- list()
    for (name in names(design$xlevels)) {
        frame[[name]] <- factor(as.character(frame[[name]]), design$xlevels[[name]])
        unknown[[name]] <- is.na(frame[[name]])
    }
    classes <- attr(design$terms, "dataClasses")
    classes <- classes[setdiff(names(classes), names(design$xlevels))]
    if (!identical(vapply(frame[names(classes)], stats::.MFclass, ""), classes)) stop("columns of another kind")
    x <- stats::model.matrix(terms, frame, contrasts.arg = design$contrasts)
    involved <- attr(terms, "factors")[, attr(x, "assign")[colnames(x) != "(Intercept)"], drop = FALSE] > 0
    x <- drop_intercept(x)
    for (name in names(unknown)) x[unknown[[name]], involved[name, ]] <- 0
    list(x = unname(x), y = unname(stats::model.response(frame)))
}

row_by_row <- function(design, data) {
    rows <- lapply(seq_len(nrow(data)), function(i) quiet(private_rows(design, data[i, , drop = FALSE])))
    width <- length(design$columns)
    usable <- vapply(rows, function(row) length(row$x) == width && length(row$y) == 1, NA)
    numbers <- is.numeric(design$sample$y)
    x <- matrix(NaN, nrow(data), width)
    y <- rep(if (numbers) NA_real_ else NA_character_, nrow(data))
    for (i in which(usable)) {
        x[i, ] <- rows[[i]]$x
        y[i] <- if (numbers) as_number(rows[[i]]$y) else as.character(rows[[i]]$y)
    }
    list(x = x, y = y)
}
