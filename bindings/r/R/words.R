# Expressions of R in the words of dpa_table_hint, which C, Java and the command compute with.

no_words <- function(expression) stop(deparse1(expression), " has no words outside R", call. = FALSE)

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

name_words <- function(name) paste0("`", gsub("`", "``", enc2utf8(name), fixed = TRUE), "`")

text_words <- function(text) paste0("\"", gsub("\"", "\"\"", enc2utf8(text), fixed = TRUE), "\"")

# The words for an expression: one for each column of its value, or a list of one for each level.
# @param scope  The columns and arguments by name, and where everything else is looked up.
words_for <- function(e, scope) {
    scope$depth <- scope$depth + 1
    words <- if (scope$depth <= 30) words_within(e, scope)
    if (is.null(words) || sum(nchar(unlist(words))) > 20000) stop("a variable is too long", call. = FALSE)
    words
}

words_within <- function(e, scope) {
    if (is.symbol(e)) return(words_for_name(as.character(e), scope))
    if (!is.call(e)) return(words_for_constant(e, e))
    read <- intersect(free_names(list(e))$any, c(names(scope$columns), names(scope$arguments)))
    if (!length(read)) return(words_for_constant(eval(e, NULL, scope$environment), e))
    by_level <- if (length(read) == 1) words_by_level(e, read, scope)
    if (!is.null(by_level)) return(by_level)
    name <- known_function(e[[1]], scope$environment)
    if (is.null(name)) return(words_for_own_function(e, scope))
    tell <- words_of_functions[[name]]
    if (is.null(tell)) no_words(e)
    tell(e, scope)
}

# The name of a function of base, stats or splines, if it is the one that R calls here.
known_function <- function(head, environment) {
    homes <- list(base = baseenv(), stats = asNamespace("stats"))
    if (requireNamespace("splines", quietly = TRUE)) homes$splines <- asNamespace("splines")
    if (is.call(head) && as.character(head[[1]]) %in% c("::", ":::"))
        return(if (as.character(head[[2]]) %in% names(homes)) as.character(head[[3]]))
    if (is.symbol(head)) for (home in homes) if (is_original(head, environment, home)) return(as.character(head))
}

words_for_constant <- function(value, e) {
    if (!(is.numeric(value) || is.logical(value)) || length(value) != 1) no_words(e)
    number_words(as.double(value))
}

words_for_name <- function(name, scope) {
    if (name %in% names(scope$arguments)) return(scope$arguments[[name]]())
    known <- scope$columns[[name]]
    if (is.null(known)) return(words_for_constant(get0(name, scope$environment), as.name(name)))
    if (is.null(known$levels)) return(name_words(name))
    as.list(stats::setNames(is_level(name, known$levels), known$levels))
}

is_level <- function(name, levels) sprintf("(%s == %s)", name_words(name), text_words(levels))

# What is made of one factor is a table over its levels; of a column of texts others may come.
words_by_level <- function(e, name, scope) {
    known <- scope$columns[[name]]
    if (is.null(known$levels) || known$kind == "character" || length(known$levels) > 40) return(NULL)
    value <- function(levels) tryCatch(eval(e, stats::setNames(list(as_kind(known, levels)), name), scope$environment),
                                       error = function(e) NULL)
    result <- value(c(known$levels, NA))
    alone <- lapply(known$levels, value)
    if (!all(lengths(alone) == 1)) return(NULL)
    same <- vapply(seq_along(alone), function(k) identical(as.character(alone[[k]]), as.character(result[k])), NA)
    if (!all(same)) stop(deparse1(e), " depends on other rows", call. = FALSE)
    count <- length(known$levels)
    if (length(result) != count + 1 || !is.null(dim(result)) || anyNA(result[seq_len(count)])) return(NULL)
    missing <- result[count + 1]
    result <- result[seq_len(count)]
    here <- is_level(name, known$levels)
    if (is.numeric(result)) { # what is no level counts as the reference
        words <- number_words(as.double(result[1]))
        for (k in rev(seq_len(count)[-1])) words <- paste0("ifelse(", here[k], ", ", number_words(as.double(result[k])), ", ", words, ")")
        return(if (is.na(missing)) words)
    }
    if (is.logical(result) && (is.na(missing) || !missing)) {
        if (all(result) || !any(result)) return(NULL)
        return(truth(paste0("(", paste(here[result], collapse = " | "), ")")))
    }
    if ((is.factor(result) || is.character(result)) && is.na(missing)) merged_levels(as.character(result), here)
}

# Equal labels are one level.
merged_levels <- function(labels, words) {
    lapply(stats::setNames(nm = unique(labels)), function(label) {
        of_it <- words[labels == label]
        if (length(of_it) == 1) of_it else paste0("(", paste0("(", of_it, ")", collapse = " | "), ")")
    })
}

# A truth is a factor to model.matrix().
truth <- function(words) list("FALSE" = paste0("(!", words, ")"), "TRUE" = words)

# Of one number, or of a truth as 0 or 1.
words_for_one <- function(e, scope) {
    words <- words_for(e, scope)
    if (is.list(words) && setequal(names(words), c("FALSE", "TRUE"))) return(words[["TRUE"]])
    if (is.list(words) || length(words) != 1) no_words(e)
    words
}

words_for_levels <- function(e, scope) {
    words <- words_for(e, scope)
    if (is.list(words)) words else no_words(e)
}

# Operands and arguments by position; those of a call with other names have no words.
operands <- function(e, count, names = "") {
    args <- as.list(e)[-1]
    if (!length(args) %in% count || !all(argument_names(args) %in% c("", names))) no_words(e)
    args
}

argument_names <- function(args) if (is.null(names(args))) character(length(args)) else names(args)

# Constants by name, without the argument of that name.
constants <- function(e, f, scope, but) {
    given <- as.list(match.call(f, e))[-1]
    if (is.null(given[[but]])) no_words(e)
    lapply(given[names(given) != but], constant, scope)
}

# The value of what reads no column and no argument.
constant <- function(e, scope) {
    if (any(free_names(list(e))$any %in% c(names(scope$columns), names(scope$arguments)))) no_words(e)
    eval(e, NULL, scope$environment)
}

argument <- function(e, f, name) match.call(f, e)[[name]]

between_two <- function(sign, is_truth = FALSE) function(e, scope) {
    args <- operands(e, if (sign %in% c("+", "-")) 1:2 else 2)
    if (length(args) == 1) return(paste0("(", sign, words_for_one(args[[1]], scope), ")"))
    text <- if (sign %in% c("==", "!=")) compared_with_text(args, scope)
    words <- if (!is.null(text)) paste0(if (sign == "!=") "(!", text, if (sign == "!=") ")")
             else paste0("(", words_for_one(args[[1]], scope), " ", sign, " ", words_for_one(args[[2]], scope), ")")
    if (is_truth) truth(words) else words
}

# column == "text", if it is that.
compared_with_text <- function(args, scope) {
    texts <- vapply(args, is.character, NA)
    if (sum(texts) != 1) return(NULL)
    words <- words_for_levels(args[!texts][[1]], scope)
    text <- args[texts][[1]]
    if (length(text) == 1 && text %in% names(words)) words[[text]]
    else stop("\"", text, "\" is no level of ", deparse1(args[!texts][[1]]), call. = FALSE)
}

of_one_number <- function(name) function(e, scope) paste0(name, "(", words_for_one(operands(e, 1, "x")[[1]], scope), ")")

of_pairs <- function(name) function(e, scope) {
    Reduce(function(a, b) paste0(name, "(", a, ", ", b, ")"), lapply(operands(e, 1:20), words_for_one, scope))
}

as_it_is <- function(e, scope) words_for(operands(e, 1, "x")[[1]], scope)

same_levels <- function(f) function(e, scope) words_for_levels(argument(e, f, names(formals(f))[1]), scope)

# A factor of whole numbers.
# @param is_all  Whether other numbers are no level, but missing.
words_for_codes <- function(words, codes, labels, is_all = FALSE) {
    codes <- suppressWarnings(as.double(codes))
    if (length(words) != 1 || anyNA(codes) || any(codes != round(codes))) stop("a factor is not of whole numbers", call. = FALSE)
    here <- sprintf("((%s) == %s)", words, number_words(codes))
    merged_levels(as.character(labels), if (is_all) inside(here, here) else here)
}

# Words without a value where none of the others holds.
inside <- function(words, others) paste0("ifelse(", paste0("(", others, ")", collapse = " | "), ", ", words, ", 0 / 0)")

words_for_factor <- function(e, scope) {
    given <- constants(e, factor, scope, "x")
    x <- argument(e, factor, "x")
    words <- words_for(x, scope)
    if (!all(names(given) %in% c("levels", "labels", "ordered"))) no_words(e)
    if (is.null(given$levels) && is.null(given$labels)) return(words)
    levels <- given$levels
    if (is.null(levels)) levels <- if (is.list(words)) names(words) else if (is.symbol(x)) scope$columns[[as.character(x)]]$distinct
    if (is.null(levels) || anyDuplicated(levels)) no_words(e)
    labels <- if (is.null(given$labels)) levels else given$labels
    if (length(labels) != length(levels)) no_words(e)
    if (!is.list(words)) return(words_for_codes(words, levels, labels, is_all = TRUE))
    if (!all(levels %in% names(words))) no_words(e)
    here <- unlist(words[as.character(levels)])
    merged_levels(as.character(labels), if (length(levels) < length(words)) inside(here, here) else here)
}

words_for_interaction <- function(e, scope) {
    args <- as.list(e)[-1]
    factors <- lapply(args[!nzchar(argument_names(args))], words_for_levels, scope)
    sep <- if (is.null(e$sep)) "." else constant(e$sep, scope)
    Reduce(function(left, right) {
        pairs <- expand.grid(a = seq_along(left), b = seq_along(right))
        words <- paste0("(", unlist(left)[pairs$a], " & ", unlist(right)[pairs$b], ")")
        merged_levels(paste(names(left)[pairs$a], names(right)[pairs$b], sep = sep), words)
    }, factors)
}

words_for_cut <- function(e, scope) {
    given <- constants(e, cut.default, scope, "x")
    breaks <- sort(as.double(given$breaks))
    if (length(breaks) < 2 || isFALSE(given$labels)) no_words(e) # one break: the bounds would be those of the rows
    x <- words_for_one(argument(e, cut.default, "x"), scope)
    right <- !isFALSE(given$right)
    lowest <- isTRUE(given$include.lowest)
    labels <- levels(do.call(cut.default, c(list(numeric()), given)))
    if (length(given$labels) > 1) labels <- as.character(given$labels)
    count <- length(breaks) - 1
    bound <- function(sign, k) if (is.finite(breaks[k])) paste(x, sign, number_words(breaks[k]))
    words <- vapply(seq_len(count), function(k) {
        closed <- c(!right || lowest && k == 1, right || lowest && k == count)
        paste0("(", paste(c(bound(if (closed[1]) ">=" else ">", k), bound(if (closed[2]) "<=" else "<", k + 1)), collapse = " & "), ")")
    }, "")
    within <- c(bound(if (right && !lowest) ">" else ">=", 1), bound(if (right || lowest) "<=" else "<", count + 1))
    merged_levels(labels, if (length(within)) inside(words, paste(within, collapse = " & ")) else words)
}

words_for_scale <- function(e, scope) {
    given <- constants(e, scale.default, scope, "x")
    x <- words_for_one(argument(e, scale.default, "x"), scope)
    if (is.numeric(given$center)) x <- paste0("(", x, " - ", number_words(given$center), ")")
    else if (!isFALSE(given$center)) no_words(e)
    if (is.numeric(given$scale)) paste0("(", x, " / ", number_words(given$scale), ")") else if (isFALSE(given$scale)) x else no_words(e)
}

# Bases are polynomials between their knots, which values at some points tell.
words_for_basis <- function(name) function(e, scope) {
    basis <- switch(name, poly = stats::poly, ns = splines::ns, bs = splines::bs)
    given <- constants(e, basis, scope, "x")
    x <- words_for_one(argument(e, basis, "x"), scope)
    value <- function(at) suppressWarnings(matrix(do.call(basis, c(list(at), given)), length(at)))
    if (isTRUE(given$raw)) return(paste0(x, "^", seq_len(ncol(value(0:30 / 7)))))
    if (name == "poly") {
        if (is.null(given$coefs)) no_words(e)
        begins <- given$coefs$alpha[1]
        ends <- begins + 2 * sqrt(given$coefs$norm2[3] / given$coefs$norm2[2])
        degree <- length(given$coefs$alpha)
        exact <- degree
    } else {
        if (length(given$Boundary.knots) != 2) no_words(e)
        knots <- sort(unique(c(given$Boundary.knots, given$knots)))
        whole <- knots[length(knots)] - knots[1]
        begins <- c(knots[1] - whole, knots) # a piece before the first knot, and one behind the last
        ends <- c(knots, knots[length(knots)] + whole)
        degree <- if (name == "bs" && !is.null(given$degree)) given$degree else 3
        exact <- if (name == "ns") c(1, rep(degree, length(knots) - 1), 1) else degree # ns is straight outside
    }
    pieces <- Map(function(begin, end, exact) {
        at <- begin + (end - begin) * (1 - cos(pi * (2 * seq_len(exact + 1) - 1) / (2 * exact + 2))) / 2
        rbind(solve(outer((at - begin) / (end - begin), 0:exact, "^"), value(at)) / (end - begin)^(0:exact),
              matrix(0, degree - exact, ncol(value(at))))
    }, begins, ends, exact)
    vapply(seq_len(ncol(pieces[[1]])), function(column) {
        numbers <- unlist(Map(function(begin, piece) c(begin, piece[, column]), begins, pieces))
        paste0("pieces(", x, ", ", degree, ", ", paste(plain_number(numbers), collapse = ", "), ")")
    }, "")
}

words_of_functions <- c(
    list("(" = as_it_is, I = as_it_is, identity = as_it_is, as.factor = as_it_is, as.ordered = as_it_is,
         as.numeric = function(e, scope) words_for_one(operands(e, 1, "x")[[1]], scope),
         as.double = function(e, scope) words_for_one(operands(e, 1, "x")[[1]], scope),
         "!" = function(e, scope) truth(paste0("(!", words_for_one(operands(e, 1)[[1]], scope), ")")),
         log = function(e, scope) {
             given <- as.list(match.call(function(x, base) NULL, e))[-1]
             log_of <- function(part, name = "log") paste0(name, "(", words_for_one(part, scope), ")")
             if (is.null(given$base)) return(log_of(given$x))
             base <- constant(given$base, scope)
             if (base %in% c(2, 10)) log_of(given$x, paste0("log", base)) # as R does
             else paste0("(", log_of(given$x), " / ", log_of(base), ")")
         },
         pmin = of_pairs("min"), pmax = of_pairs("max"),
         ifelse = function(e, scope) {
             given <- as.list(match.call(ifelse, e))[-1]
             paste0("ifelse(", paste(vapply(given[c("test", "yes", "no")], words_for_one, "", scope), collapse = ", "), ")")
         },
         "%in%" = function(e, scope) {
             args <- operands(e, 2)
             among <- constant(args[[2]], scope)
             if (!length(among) || is.object(among) || !(is.numeric(among) || is.logical(among) || is.character(among))) no_words(e)
             if (!is.character(among)) {
                 words <- words_for_one(args[[1]], scope)
                 return(truth(paste0("(", paste(sprintf("%s == %s", words, number_words(as.double(among))), collapse = " | "), ")")))
             }
             parts <- vapply(among, function(text) compared_with_text(list(args[[1]], text), scope), "")
             truth(paste0("(", paste(parts, collapse = " | "), ")"))
         },
         factor = words_for_factor, ordered = words_for_factor, interaction = words_for_interaction,
         relevel = same_levels(stats::relevel), droplevels = same_levels(droplevels), C = same_levels(stats::C),
         cut = words_for_cut, scale = words_for_scale,
         poly = words_for_basis("poly"), ns = words_for_basis("ns"), bs = words_for_basis("bs")),
    lapply(stats::setNames(nm = c("+", "-", "*", "/", "^")), between_two),
    lapply(stats::setNames(nm = c("<", "<=", ">", ">=", "==", "!=", "&", "|")), between_two, is_truth = TRUE),
    lapply(stats::setNames(nm = c("abs", "sqrt", "exp", "expm1", "log1p", "log2", "log10", "sin", "cos", "tan", "floor",
                                  "ceiling")), of_one_number))

# A function of the caller's is its body, in which its arguments stand for what is given.
words_for_own_function <- function(e, scope) {
    f <- if (is.symbol(e[[1]])) get0(as.character(e[[1]]), scope$environment, mode = "function")
    if (is.null(f) || is.primitive(f) || is_package(environment(f)) || "..." %in% names(formals(f))) no_words(e)
    body <- body(f)
    while (is.call(body) && identical(body[[1]], as.name("{")) && length(body) == 2) body <- body[[2]]
    if (length(assigned_names(body)) || any(c("{", "return", "missing", "function") %in% all.names(body))) no_words(e)
    given <- as.list(match.call(f, e))[-1]
    inner <- list(columns = list(), environment = environment(f), depth = scope$depth)
    once <- function(part, scope) { # also where the body reads it often
        words <- NULL
        function() {
            if (is.null(words)) words <<- words_for(part, scope())
            words
        }
    }
    inner$arguments <- lapply(given, once, function() scope)
    for (name in setdiff(names(formals(f)), names(given))) inner$arguments[[name]] <- once(formals(f)[[name]], function() inner)
    words_for(body, inner)
}
