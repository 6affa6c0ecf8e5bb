# A formula as features that the library computes from columns, in the words of dpa_table_hint, so
# that its model is a file for all languages. What has no such words stays R's alone.

# The schema that computes what the design does, or the reason why there is none.
# @param known  Of known_columns().
# @param outputs  How many classes there are.
schema_of_design <- function(design, known, loss, coding, outputs) {
    found <- list(columns = names(known))
    tryCatch({
        label <- attr(design$terms, "variables")[[2]]
        if (is.null(known)) stop("it needs medians, and there are no public rows", call. = FALSE)
        if (!is.symbol(label)) no_words(label)
        if (is.character(known)) stop(known, call. = FALSE)
        found$schema <- made_up_schema(known, computed_features(design, known), as.character(label), loss, coding, outputs)
        check_computed(found$schema, design, known)
        found
    }, error = function(e) list(reason = conditionMessage(e)))
}

no_words <- function(expression) stop(deparse1(expression), " has no words outside R", call. = FALSE)

# What the public rows say about the columns that the features read: levels, or the median and some
# numbers; or why such a column is none of a file.
known_columns <- function(design, data) {
    read <- intersect(free_names(variables_of(stats::delete.response(design$terms)))$any, names(design$inputs))
    used <- as.data.frame(data)[rownames(design$sample$x), read, drop = FALSE]
    for (name in read) if (!stats::.MFclass(used[[name]]) %in% c("numeric", "logical", "factor", "ordered", "character"))
        return(paste("column", name, "is neither of numbers nor of texts"))
    lapply(used, function(column) {
        kind <- stats::.MFclass(column)
        if (kind == "numeric") {
            distinct <- unique(column)
            some <- column[unique(round(seq(1, length(column), length.out = 1000)))]
            return(list(kind = kind, median = stats::median(column), distinct = if (length(distinct) <= 50) sort(distinct), numbers = unique(stats::quantile(some, 0:10 / 10, names = FALSE, type = 1))))
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
    values <- lapply(seq_along(variables), function(k) {
        value <- words_for(variables[[k]], columns, environment(terms))
        known <- design$xlevels[[names[k]]]
        if (is.null(known) && is.list(value)) known <- names(value)
        if (is.null(known)) return(value)
        if (!is.list(value)) value <- words_for_codes(value, known, known)
        if (!all(known %in% names(value))) no_words(variables[[k]])
        value[known]
    })
    uses <- coded_uses(terms, vapply(values, is.list, NA))
    features <- unlist(lapply(seq_len(ncol(uses)), function(term) {
        parts <- lapply(which(uses[, term] > 0), function(k) coded(values[[k]], uses[k, term], design$contrasts[[names[k]]]))
        Reduce(function(left, right) as.vector(outer(left, right, function(a, b) paste(a, "*", b))), parts)
    }))
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
    if (!is.null(contrasts)) stats::contrasts(f) <- contrasts
    apply(stats::contrasts(f), 2, function(weights) {
        used <- which(weights != 0)
        plain <- length(used) == 1 && weights[used] == 1
        paste0("(", paste(if (plain) indicators[used] else paste(number_words(weights[used]), "*", indicators[used]),
                          collapse = " + "), ")")
    })
}

number_words <- function(number) {
    text <- plain_number(number)
    ifelse(number < 0, paste0("(", text, ")"), text)
}

# In as many digits as it needs.
plain_number <- function(number) {
    if (!all(is.finite(number))) stop("a constant is not finite", call. = FALSE)
    short <- sprintf("%.15g", number)
    ifelse(as.numeric(short) == number, short, sprintf("%.17g", number))
}

name_words <- function(name) paste0("`", gsub("`", "``", name, fixed = TRUE), "`")

text_words <- function(text) paste0("\"", gsub("\"", "\"\"", text, fixed = TRUE), "\"")

# The words for an expression: one for each column of its value, or a list of one for each level.
words_for <- function(e, columns, environment, depth = 0) {
    if (depth > 20) no_words(e)
    again <- function(part) words_for(part, columns, environment, depth + 1)
    single <- function(part) {
        words <- again(part)
        if (is.list(words) && identical(names(words), c("FALSE", "TRUE"))) return(words[["TRUE"]])
        if (is.list(words) || length(words) != 1) no_words(part)
        words
    }
    if (is.symbol(e)) return(words_for_name(as.character(e), columns, environment))
    if (is.numeric(e) || is.logical(e)) return(number_words(as.double(e)))
    if (!is.call(e)) no_words(e)
    read <- intersect(free_names(list(e))$any, names(columns))
    if (!length(read)) return(number_words(as.double(eval(e, NULL, environment))))
    if (is.symbol(e[[1]])) name <- as.character(e[[1]])
    else if (is.call(e[[1]]) && as.character(e[[1]][[1]]) %in% c("::", ":::")) name <- as.character(e[[1]][[3]])
    else no_words(e)
    by_level <- if (length(read) == 1 && !is.null(columns[[read]]$levels)) words_by_level(e, read, columns, environment)
    if (!is.null(by_level)) return(by_level)
    args <- as.list(e)[-1]
    if (name %in% c("(", "I", "as.numeric", "as.double", "as.integer", "identity", "c") && length(args) == 1) {
        if (name == "as.integer") no_words(e)
        return(again(args[[1]]))
    }
    if (name %in% c("+", "-") && length(args) == 1) return(paste0("(", name, single(args[[1]]), ")"))
    if (name %in% c("+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&", "|"))
        return(as_logical(name, paste0("(", single(args[[1]]), " ", name, " ", single(args[[2]]), ")")))
    if (name == "!") return(as_logical(name, paste0("(!", single(args[[1]]), ")")))
    if (name %in% c("abs", "sqrt", "exp", "expm1", "log1p", "log2", "log10", "sin", "cos", "tan", "floor", "ceiling"))
        return(paste0(name, "(", single(args[[1]]), ")"))
    switch(name,
        log = if (length(args) == 1) paste0("log(", single(args[[1]]), ")")
              else paste0("(log(", single(args[[1]]), ") / log(", single(args[[2]]), "))"),
        pmin = , pmax = Reduce(function(a, b) paste0(substring(name, 2), "(", a, ", ", b, ")"), lapply(args, single)),
        ifelse = paste0("ifelse(", single(args[[1]]), ", ", single(args[[2]]), ", ", single(args[[3]]), ")"),
        "%in%" = {
            known <- eval(args[[2]], NULL, environment)
            as_logical("|", paste0("(", paste(sprintf("%s == %s", single(args[[1]]), number_words(known)), collapse = " | "), ")"))
        },
        factor = , as.factor = , ordered = , as.ordered = words_for_factor(e, environment, again(args[[1]]), columns[[deparse1(args[[1]])]]$distinct),
        interaction = words_for_interaction(e, environment, lapply(args[!nzchar(argument_names(args))], again)),
        cut = words_for_cut(e, args, environment, single),
        scale = words_for_scale(e, environment, single(args[[1]])),
        poly = , ns = , bs = words_for_basis(e, name, environment, single(args[[1]])),
        words_for_own_function(e, columns, environment, depth))
}

# A truth is a factor to model.matrix().
as_logical <- function(name, words) {
    if (name %in% c("+", "-", "*", "/", "^")) return(words)
    list("FALSE" = paste0("!", words), "TRUE" = words)
}

words_for_name <- function(name, columns, environment) {
    known <- columns[[name]]
    if (is.null(known)) return(number_words(as.double(get(name, environment))))
    if (is.null(known$levels)) return(name_words(name))
    as.list(stats::setNames(sprintf("%s == %s", name_words(name), text_words(known$levels)), known$levels))
}

# Whatever is made of one column of levels is a table over them.
words_by_level <- function(e, name, columns, environment) {
    levels <- columns[[name]]$levels
    values <- as_kind(columns[[name]], levels)
    result <- tryCatch(eval(e, stats::setNames(list(values), name), environment), error = function(e) NULL)
    if (length(result) != length(levels) || !is.null(dim(result)) || anyNA(result)) return(NULL)
    is_level <- sprintf("(%s == %s)", name_words(name), text_words(levels))
    if (is.numeric(result)) return(paste0("(", paste(number_words(result), "*", is_level, collapse = " + "), ")"))
    if (!is.factor(result) && !is.character(result) && !is.logical(result)) return(NULL)
    result <- as.character(result)
    lapply(stats::setNames(nm = unique(result)), function(one)
        paste0("(", paste(is_level[result == one], collapse = " | "), ")"))
}

# A factor of whole numbers.
words_for_codes <- function(words, codes, labels) {
    codes <- suppressWarnings(as.double(codes))
    if (length(words) != 1 || anyNA(codes) || any(codes != round(codes))) stop("a factor is not of whole numbers", call. = FALSE)
    as.list(stats::setNames(sprintf("(%s) == %s", words, number_words(codes)), as.character(labels)))
}

# @param distinct  The numbers that a column has in the public rows, if they are few.
words_for_factor <- function(e, environment, words, distinct) {
    given <- lapply(as.list(match.call(factor, e))[-(1:2)], eval, NULL, environment)
    if (is.null(given$levels) && is.null(given$labels)) return(words)
    levels <- if (is.null(given$levels)) distinct else given$levels
    if (is.list(words) || is.null(levels)) no_words(e)
    words_for_codes(words, levels, if (is.null(given$labels)) levels else given$labels)
}

argument_names <- function(args) if (is.null(names(args))) character(length(args)) else names(args)

words_for_interaction <- function(e, environment, factors) {
    if (!all(vapply(factors, is.list, NA))) no_words(e)
    sep <- if (is.null(e$sep)) "." else eval(e$sep, NULL, environment)
    Reduce(function(left, right) {
        pairs <- expand.grid(a = seq_along(left), b = seq_along(right))
        words <- paste0("(", unlist(left)[pairs$a], ") & (", unlist(right)[pairs$b], ")")
        as.list(stats::setNames(words, paste(names(left)[pairs$a], names(right)[pairs$b], sep = sep)))
    }, factors)
}

words_for_cut <- function(e, args, environment, single) {
    given <- as.list(match.call(cut.default, e))[-1]
    breaks <- sort(as.double(eval(given$breaks, NULL, environment)))
    if (length(breaks) < 2) no_words(e) # the bounds would be those of the rows
    option <- function(name, otherwise) if (is.null(given[[name]])) otherwise else eval(given[[name]], NULL, environment)
    x <- single(args[[1]])
    right <- option("right", TRUE)
    lowest <- option("include.lowest", FALSE)
    given$x <- quote(numeric())
    labels <- levels(eval(as.call(c(quote(base::cut.default), given)), NULL, environment))
    count <- length(breaks) - 1
    bound <- function(sign, k) if (is.finite(breaks[k])) paste(x, sign, number_words(breaks[k]))
    words <- vapply(seq_len(count), function(k) {
        closed <- c(!right || lowest && k == 1, right || lowest && k == count)
        paste(c(bound(if (closed[1]) ">=" else ">", k), bound(if (closed[2]) "<=" else "<", k + 1)), collapse = " & ")
    }, "")
    inside <- c(bound(if (right && !lowest) ">" else ">=", 1), bound(if (right || lowest) "<=" else "<", count + 1))
    if (length(inside)) words <- paste0("ifelse(", paste(inside, collapse = " & "), ", ", words, ", 0 / 0)") # else NA
    as.list(stats::setNames(words, labels))
}

words_for_scale <- function(e, environment, x) {
    given <- as.list(match.call(scale.default, e))
    constant <- function(value) if (is.null(value)) no_words(e) else eval(value, NULL, environment)
    center <- constant(given$center)
    width <- constant(given$scale)
    if (is.numeric(center)) x <- paste0("(", x, " - ", number_words(center), ")")
    if (is.numeric(width)) paste0("(", x, " / ", number_words(width), ")") else if (isFALSE(width)) x else no_words(e)
}

# Bases are polynomials between their knots, which values at some points tell.
words_for_basis <- function(e, name, environment, x) {
    basis <- switch(name, poly = stats::poly, ns = splines::ns, bs = splines::bs)
    given <- lapply(as.list(match.call(basis, e))[-(1:2)], eval, NULL, environment)
    value <- function(at) suppressWarnings(matrix(do.call(basis, c(list(at), given)), length(at)))
    if (isTRUE(given$raw)) return(paste0(x, "^", seq_len(ncol(value(0:30 / 7)))))
    if (name == "poly") {
        if (is.null(given$coefs)) no_words(e)
        begins <- given$coefs$alpha[1]
        ends <- begins + 2 * sqrt(given$coefs$norm2[3] / given$coefs$norm2[2])
        degree <- length(given$coefs$alpha)
    } else {
        if (length(given$Boundary.knots) != 2) no_words(e)
        knots <- sort(unique(c(given$Boundary.knots, given$knots)))
        begins <- c(2 * knots[1] - knots[2], knots) # a piece before the first knot, and one behind the last
        ends <- c(knots, 2 * knots[length(knots)] - knots[length(knots) - 1])
        degree <- if (name == "bs" && !is.null(given$degree)) given$degree else 3
    }
    nodes <- (1 - cos(pi * (2 * seq_len(degree + 1) - 1) / (2 * degree + 2))) / 2
    pieces <- Map(function(begin, end) solve(outer(nodes, 0:degree, "^"), value(begin + (end - begin) * nodes)) / (end - begin)^(0:degree),
                  begins, ends)
    vapply(seq_len(ncol(pieces[[1]])), function(column) {
        numbers <- unlist(Map(function(begin, piece) c(begin, piece[, column]), begins, pieces))
        paste0("pieces(", x, ", ", degree, ", ", paste(plain_number(numbers), collapse = ", "), ")")
    }, "")
}

# A function of the caller's is its body.
words_for_own_function <- function(e, columns, environment, depth) {
    f <- if (is.symbol(e[[1]])) get0(as.character(e[[1]]), environment, mode = "function")
    if (is.null(f) || is.primitive(f) || is_package(environment(f))) no_words(e)
    given <- as.list(match.call(f, e))[-1]
    needed <- formals(f)
    for (name in setdiff(names(needed), names(given))) given[[name]] <- needed[[name]]
    body <- body(f)
    while (is.call(body) && identical(body[[1]], as.name("{")) && length(body) == 2) body <- body[[2]]
    # Its own constants first: its arguments are of the place where it is called.
    for (name in setdiff(all.vars(body), names(given))) {
        value <- get(name, environment(f))
        if (!is.numeric(value) || length(value) != 1) no_words(e)
        given[[name]] <- value
    }
    words_for(do.call(substitute, list(body, given)), columns, environment, depth + 1)
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
    dpadapt_schema(data, label, loss, perceptron_output = output, positive = if (coding$kind == "binary") classes[2],
                   ignore = names(known), compute = paste(name_words(names(features)), "=", features))
}

# It must give the design's features for rows of all kinds.
check_computed <- function(schema, design, known) {
    rows <- seq_len(200)
    data <- as.data.frame(Map(function(column, k) {
        values <- if (is.null(column$levels)) column$numbers else column$levels
        values <- values[(rows * (2 * k + 1) + rows %/% 7) %% length(values) + 1] # in no step with other columns
        if (is.null(column$levels)) values else as_kind(column, values)
    }, known, seq_along(known)), optional = TRUE)
    expected <- suppressWarnings(apply_design(design, data, stats::na.pass, response = FALSE, other_levels = TRUE)$x)
    given <- schema_rows(schema, data, FALSE)$x
    if (!all(same_features(expected, given))) stop("its features would be others outside R", call. = FALSE)
}

# Which rows differ by rounding alone.
same_features <- function(expected, given) {
    same <- abs(given - expected) <= 1e-9 * (1 + abs(expected))
    rowSums(!same | is.na(same)) == 0
}

# The features of new rows as a model file computes them, to the last bit; where cells are missing or
# unknown, as R does.
as_in_file <- function(file, data, x) {
    if (is.null(file$schema) || !nrow(x)) return(x)
    given <- schema_rows(file$schema, without_integer64(data)[file$columns], FALSE)$x
    same <- same_features(x, given)
    x[same, ] <- given[same, ]
    x
}
