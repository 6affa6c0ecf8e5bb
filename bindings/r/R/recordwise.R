# Privacy counts what one record changes, so a formula must compute each row from its own record:
# log(x), but not x - mean(x). What is known to do so is evaluated for all rows at once. Anything
# else is evaluated row by row, after public rows have shown that this gives the same.

# ifelse is not among them: the type of its result depends on all rows. Nor are functions of
# anything with a class, whose methods could do whatever they like.
elementwise <- c("(", "+", "-", "*", "/", "^", "%%", "%/%", "<", ">", "<=", ">=", "==", "!=", "&", "|", "!", "log",
                 "log2", "log10", "log1p", "exp", "expm1", "sqrt", "abs", "sign", "sin", "cos", "tan", "asin", "acos",
                 "atan", "sinh", "cosh", "tanh", "floor", "ceiling", "round", "trunc", "pmin", "pmax",
                 "as.numeric", "as.character")

# For each variable of the design (the response is the first): is it known to be computed record by
# record?
recordwise_variables <- function(design) {
    terms <- design$terms
    variables <- as.list(attr(terms, "variables"))[-1]
    fixed <- as.list(attr(terms, "predvars"))[-1]
    known <- design$plain
    mapply(function(variable, fixed) {
        if (is.call(variable) && identical(variable[[1]], quote(I)) && is_original(quote(I), environment(terms), baseenv()))
            variable <- variable[[2]]
        if (is.symbol(variable) && as.character(variable) %in% attr(known, "alone")) return(TRUE)
        if (is_elementwise(variable, known, environment(terms))) return(TRUE)
        # The levels of factor(x) are the design's; as part of something else they would be those of
        # the sample.
        if (is_factor_of(variable, environment(terms)))
            return(is.symbol(variable[[2]]) && as.character(variable[[2]]) %in% attr(known, "alone") ||
                       is_elementwise(variable[[2]], known, environment(terms)))
        # A basis such as poly(x, 2), whose constants R has fixed on the public rows.
        is.call(variable) && !identical(variable, fixed) && is_basis(variable, known, environment(terms)) &&
            is_elementwise(variable[[2]], known, environment(terms))
    }, variables, fixed)
}

is_elementwise <- function(expression, known, environment) {
    if (is.symbol(expression)) {
        name <- as.character(expression)
        return(name %in% known || !(name %in% attr(known, "columns")) && is_scalar(name, environment))
    }
    if (!is.call(expression)) return(length(expression) == 1)
    is.symbol(expression[[1]]) && as.character(expression[[1]]) %in% elementwise &&
        is_original(expression[[1]], environment, baseenv()) &&
        all(vapply(as.list(expression)[-1], is_elementwise, NA, known, environment))
}

# Columns without a class, those that are known as a variable but not as part of one, and all
# columns.
plain_columns <- function(data) {
    plain <- !vapply(data, is.object, NA)
    alone <- vapply(data, function(column) is.factor(column) || identical(class(column), "Date"), NA)
    structure(names(data)[plain], alone = names(data)[alone], columns = names(data))
}

is_scalar <- function(name, environment) {
    value <- get0(name, environment)
    is.atomic(value) && !is.object(value) && length(value) == 1
}

# Not a function of the same name that someone has put before it.
is_original <- function(name, environment, home) {
    name <- as.character(name)
    identical(get0(name, environment, mode = "function"), get0(name, home, mode = "function"))
}

is_factor_of <- function(call, environment) {
    is.call(call) && is.symbol(call[[1]]) && as.character(call[[1]]) %in% c("factor", "as.factor") &&
        length(call) == 2 && is_original(call[[1]], environment, baseenv())
}

# A function of its first argument, the others being numbers: not poly(x, y), nor poly(x, degree =
# max(y)).
is_basis <- function(call, known, environment) {
    if (!is.symbol(call[[1]])) return(FALSE)
    # Not ns() and bs(): they multiply matrices, and the last bit of a row may depend on the others.
    home <- switch(as.character(call[[1]]), poly = "stats", scale = "base", return(FALSE))
    is_number <- function(argument) {
        if (is.symbol(argument)) return(!as.character(argument) %in% attr(known, "columns") &&
                                        is_scalar(as.character(argument), environment))
        !is.call(argument) && length(argument) == 1
    }
    length(call) >= 2 && all(names(call)[2] %in% c("", "x")) && is_original(call[[1]], environment, asNamespace(home)) &&
        all(vapply(as.list(call)[-(1:2)], is_number, NA))
}

# Refuses a formula that public rows show to depend on several records.
check_recordwise <- function(design, data) {
    doubtful <- !recordwise_variables(design)
    if (!any(doubtful)) return(invisible())
    some <- unique(round(seq(1, nrow(design$sample$x), length.out = 10))) # neighbours may be alike
    # Made-up rows may have no value.
    some <- some[is.finite(rowSums(design$sample$x[some, , drop = FALSE]))]
    rows <- as.data.frame(data)[rownames(design$sample$x)[some], , drop = FALSE]
    alone <- row_by_row(design, rows)
    together <- design$sample$x[some, , drop = FALSE]
    labels <- design$sample$y[some]
    same <- isTRUE(all.equal(alone$x, together, check.attributes = FALSE)) &&
        isTRUE(all.equal(as.character(alone$y), as.character(labels)))
    if (!same)
        refuse("the formula does not compute each row from its own record: ",
               paste(vapply(as.list(attr(design$terms, "variables"))[-1][doubtful], deparse1, ""), collapse = ", "))
}

# Has R fixed constants of a variable, as of poly(x, 2), on data?
has_basis <- function(design) {
    fixed <- attr(design$terms, "predvars")
    !is.null(fixed) && !identical(as.list(fixed)[-1], as.list(attr(design$terms, "variables"))[-1])
}
