# The source's rows in the target's columns: sums of the numbers of a row by public factors.

# @param map  A row for each column of the target that is made, by its name; a column for each of the
# source that is read, and "(constant)" for what is added.
map_source <- function(source, map, is_private) {
    if (is.null(map)) return(source)
    if (!is.matrix(map) || !is.numeric(map) || !all(is.finite(map)) || !nrow(map))
        refuse("source_map must be a matrix of finite numbers, a row for each column of the target")
    constant <- colnames(map) == "(constant)"
    if (!length(constant)) constant <- rep(FALSE, ncol(map))
    offset <- if (any(constant)) map[, constant] else rep(0, nrow(map))
    factors <- map[, !constant, drop = FALSE]
    if (is.data.frame(source)) mapped_frame(source, factors, offset, is_private)
    else mapped_matrix(numeric_matrix(source, is_private), factors, offset)
}

# The columns that are read are gone, unless they are made anew.
mapped_frame <- function(source, factors, offset, is_private) {
    inputs <- colnames(factors)
    if (is.null(inputs) || is.null(rownames(factors))) refuse("source_map needs the names of columns: its dimnames")
    absent <- setdiff(inputs, names(source))
    if (length(absent)) refuse("source_map reads the column ", absent[1], ", which the source has not")
    twice <- setdiff(intersect(rownames(factors), names(source)), inputs)
    if (length(twice)) refuse("the source has the column ", twice[1], ", and source_map makes it of others")
    columns <- lapply(source[inputs], function(column) {
        if (!is_private && !is.numeric(column)) refuse("source_map needs columns of numbers")
        numbers_of(column)
    })
    made <- mapped_columns(columns, factors, offset, nrow(source))
    kept <- source[setdiff(names(source), inputs)]
    kept[rownames(factors)] <- made
    kept
}

mapped_matrix <- function(x, factors, offset) {
    if (ncol(x) != ncol(factors))
        raise(-2L, "DPA_E_DIMENSION", paste0("source_map reads ", ncol(factors), " columns, but the source has ", ncol(x)))
    if (!is.null(colnames(x)) && !is.null(colnames(factors))) {
        if (!setequal(colnames(x), colnames(factors))) refuse("source_map and the source have columns of other names")
        factors <- factors[, colnames(x), drop = FALSE]
    }
    columns <- lapply(seq_len(ncol(x)), function(k) x[, k])
    made <- mapped_columns(columns, factors, offset, nrow(x))
    matrix(unlist(made, use.names = FALSE), nrow(x), dimnames = list(rownames(x), rownames(factors)))
}

# In the order of the columns, as dpa_problem_set_source_map has it; a factor of 0 reads nothing.
mapped_columns <- function(columns, factors, offset, rows) {
    lapply(seq_len(nrow(factors)), function(j) {
        value <- rep(offset[[j]], rows)
        for (k in which(factors[j, ] != 0)) value <- value + factors[j, k] * columns[[k]]
        value
    })
}
