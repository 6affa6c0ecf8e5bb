# Private rows in the form of a public design. Each row of the result depends on its own record
# alone, to the last bit, whatever the formula computes; nothing is dropped, and no error, warning
# or message depends on a value. Rows that cannot be used become NaN, which the library neutralises.

private_sample <- function(design, data) {
    if (!is.data.frame(data)) refuse("samples must be data frames where there is a formula")
    columns <- names(design$private)
    absent <- setdiff(columns, names(data))
    if (length(absent)) refuse("a private sample has no column ", absent[1],
                               if (absent[1] %in% all.vars(attr(design$terms, "variables")[[2]]))
                                   ": rows without labels need it, with NA in every row")
    data <- as.list(data)[columns]
    check_private_columns(data)
    sealed(private_values(design, data))
}

check_private_columns <- function(data) {
    if (any(lengths(lapply(data, dim)) > 0)) refuse("columns of a private sample must be vectors")
    for (name in names(data)) check_private_class(data[[name]], paste("column", name))
}

private_values <- function(design, data) {
    columns <- names(data)
    converted <- Map(function(column, public) private_column(column, public$example, public$known), data, design$private)
    kept <- lapply(converted, `[[`, "values")
    broken <- Reduce(`|`, lapply(converted, `[[`, "missing"))
    for (name in columns) kept[[name]][broken] <- design$private[[name]]$example
    kept <- as.data.frame(kept, optional = TRUE)

    sample <- if (all(recordwise_variables(design))) quiet(private_rows(design, kept))
    if (is.null(sample)) sample <- row_by_row(design, kept)
    sample$x[broken, ] <- NaN
    sample$y[broken] <- NA
    sample
}

# @param data  The public data frame.
private_design <- function(design, data) {
    design$private <- kinds_of_columns(design, data)
    check_recordwise(design, data)
    design
}

# What public rows tell about the columns that a private sample must have: an example without
# missing values, and the levels or texts.
kinds_of_columns <- function(design, data) {
    used <- as.data.frame(data)[rownames(design$sample$x), , drop = FALSE]
    columns <- intersect(all.vars(attr(design$terms, "variables")), names(used))
    label <- attr(design$terms, "variables")[[2]]
    lapply(stats::setNames(nm = columns), function(name)
        kind_of_column(used[[name]], name, identical(label, as.name(name))))
}

kind_of_column <- function(column, name, is_label = FALSE) {
    known <- if (is.factor(column)) levels(column)
             else if (is.character(column)) unique(column[!is.na(column)])
             else if (is_label && is.numeric(column)) sign_codes(column)
    check_kind(column, known, name)
    list(example = column[1], known = known)
}

# Features and labels. Levels that the design does not know count as zeros.
private_rows <- function(design, data) {
    frame <- stats::model.frame(design$terms, data, na.action = stats::na.pass)
    terms <- stats::delete.response(design$terms)
    classes <- attr(design$terms, "dataClasses")
    classes <- classes[setdiff(names(classes), names(design$xlevels))]
    if (!identical(vapply(frame[names(classes)], stats::.MFclass, ""), classes)) stop("columns of another kind")
    x <- encoded_frame(design, terms, frame)
    list(x = unname(x), y = unname(plain_values(stats::model.response(frame))))
}

# Variables that are not known to be computed record by record are evaluated for one record at a
# time, which is all that privacy asks; the matrix is then made of all rows at once.
row_by_row <- function(design, data) {
    sample <- quiet(variables_by_row(design, data))
    if (is.null(sample)) rows_by_row(design, data) else sample
}

variables_by_row <- function(design, data) {
    doubtful <- which(!recordwise_variables(design))
    expressions <- as.list(attr(design$terms, "predvars"))[-1][doubtful]
    names <- names(attr(design$terms, "dataClasses"))[doubtful]
    is_factor <- names %in% names(design$xlevels)
    kinds <- ifelse(is_factor, "levels", attr(design$terms, "dataClasses")[doubtful])
    if (any(kinds == "other")) return(NULL)
    value <- function(k, record) eval(expressions[[k]], record, environment(design$terms))
    # Of a public row, in the place of what is unusable.
    examples <- lapply(seq_along(doubtful), value, lapply(design$private[names(data)], `[[`, "example"))
    values <- lapply(doubtful, function(variable) vector("list", nrow(data)))
    usable <- rep(TRUE, nrow(data))
    for (i in seq_len(nrow(data))) {
        record <- lapply(data, `[`, i)
        for (k in seq_along(doubtful)) {
            one <- quiet(value(k, record))
            fits <- isTRUE(quiet(is_one_value(one, kinds[k])))
            values[[k]][[i]] <- if (fits) one else examples[[k]]
            usable[i] <- usable[i] && fits
        }
    }
    names(values) <- utils::tail(make.unique(c(names(data), paste0(".variable", seq_along(doubtful)))), length(doubtful))
    for (k in seq_along(doubtful)) {
        data[[names(values)[k]]] <- together(values[[k]], examples[[k]], kinds[k])
        attr(design$terms, "predvars")[[doubtful[k] + 1]] <- as.name(names(values)[k])
    }
    sample <- private_rows(design, data)
    if (ncol(sample$x) != length(design$columns) || nrow(sample$x) != nrow(data)) return(NULL)
    sample$x[!usable, ] <- NaN
    sample$y <- if (is.numeric(design$sample$y)) numbers_of(sample$y) else words_of(sample$y)
    sample$y[!usable] <- NA
    sample
}

is_one_value <- function(value, kind) {
    if (kind == "levels") is.atomic(value) && length(value) == 1 && is.null(dim(value))
    else NROW(value) == 1 && identical(stats::.MFclass(value), kind)
}

together <- function(values, example, kind) {
    if (kind %in% c("levels", "character")) vapply(values, as.character, "")
    else if (kind %in% c("factor", "ordered")) factor(vapply(values, as.character, ""))
    else if (is.matrix(example)) matrix(unlist(values), ncol = ncol(example), byrow = TRUE, dimnames = list(NULL, colnames(example)))
    else unlist(values)
}

rows_by_row <- function(design, data) {
    rows <- lapply(seq_len(nrow(data)), function(i) quiet(private_rows(design, data[i, , drop = FALSE])))
    width <- length(design$columns)
    usable <- vapply(rows, function(row) length(row$x) == width && length(row$y) == 1, NA)
    numbers <- is.numeric(design$sample$y)
    x <- matrix(NaN, nrow(data), width)
    y <- rep(if (numbers) NA_real_ else NA_character_, nrow(data))
    for (i in which(usable)) {
        x[i, ] <- rows[[i]]$x
        y[i] <- if (numbers) numbers_of(rows[[i]]$y) else words_of(rows[[i]]$y)
    }
    list(x = x, y = y)
}
