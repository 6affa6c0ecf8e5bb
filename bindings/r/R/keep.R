# What a formula refers to besides columns. A fit must predict the same when that has changed or
# gone, and hold no data: so constants and functions are copied into environments of their own,
# which hold nothing else.

# @param terms  Of a formula, with the environment that the caller gave it.
# @param rows   Of the smallest sample: what is as long could be data.
# @return the environment to evaluate the terms in.
kept_environment <- function(terms, columns, rows) {
    kept <- new.env(parent = globalenv())
    if ("<<-" %in% all.names(terms)) refuse("a formula cannot assign")
    found <- free_names(variables_of(terms))
    found$any <- setdiff(found$any, columns)
    copy_references(found, environment(terms), kept, new_copies(rows))
    if (!length(ls(kept, all.names = TRUE))) return(globalenv())
    lockEnvironment(kept, bindings = TRUE)
    kept
}

# Notes the functions that are copied already, and how many values a constant may have.
new_copies <- function(rows) list2env(list(most = max(1, min(100, rows - 1)), pairs = list()))

copy_references <- function(found, from, into, copies) {
    for (mode in names(found)) for (name in found[[mode]]) {
        home <- home_of(name, from, mode)
        if (is.null(home)) next
        value <- get(name, home, mode = mode)
        in_sight <- is_package(home) && identical(get0(name, into, mode = mode), value)
        if (!in_sight) assign(name, kept_value(name, value, copies), into)
    }
}

kept_value <- function(name, value, copies) {
    if (is.function(value)) return(kept_function(value, copies))
    if (is_constant(value) && length(unlist(value)) <= copies$most) return(value)
    refuse("the formula refers to ", name, ", which is neither a column of the data nor a constant that a fit could ",
           "keep (of ", copies$most, " values at most): make it a column")
}

is_constant <- function(value) {
    plain <- all(names(attributes(value)) %in% c("names", "dim", "dimnames", "levels", "class", "tzone", "units"))
    plain && (is.null(value) || is.atomic(value) || is.list(value) && all(vapply(value, is_constant, NA)))
}

# Functions of packages are references. Others get an environment with what they read, and nothing
# else of theirs; it is locked, so that no value of a record can be kept there.
kept_function <- function(f, copies) {
    if (is.primitive(f) || is_package(environment(f))) return(f)
    if ("UseMethod" %in% all.names(body(f)))
        refuse("the formula calls a generic function that is of no package: a fit could not keep its methods")
    for (pair in copies$pairs) if (identical(pair$original, f)) return(pair$copy)
    copy <- utils::removeSource(f)
    attributes(copy) <- NULL
    environment(copy) <- new.env(parent = topenv(environment(f)))
    for (name in assigned_names(body(f), "<<-")) assign(name, NULL, environment(copy)) # so that it fails there
    copies$pairs <- c(copies$pairs, list(list(original = f, copy = copy)))
    copy_references(free_names(list(call("function", formals(f), body(f)))), environment(f), environment(copy), copies)
    lockEnvironment(environment(copy), bindings = TRUE)
    copy
}

home_of <- function(name, environment, mode) {
    while (!identical(environment, emptyenv())) {
        if (exists(name, environment, mode = mode, inherits = FALSE)) return(environment)
        environment <- parent.env(environment)
    }
}

is_package <- function(environment) {
    isNamespace(environment) || identical(environment, baseenv()) ||
        grepl("^(package|imports|tools):|^Autoloads$", environmentName(environment))
}

variables_of <- function(terms) as.list(attr(terms, "variables"))[-1]

# Names that expressions read from outside, as functions and as anything.
free_names <- function(expressions) {
    found <- list("function" = character(), any = character())
    note <- function(mode, name, bound) found[[mode]] <<- union(found[[mode]], setdiff(name, c(bound, "...")))
    visit_all <- function(parts, bound) for (i in seq_along(parts)) {
        part <- parts[[i]]
        if (!missing(part)) visit(part, bound)
    }
    visit <- function(part, bound) {
        if (is.symbol(part)) return(note("any", as.character(part), bound))
        if (!is.call(part) && !is.pairlist(part) && !is_constant(part))
            refuse("the formula refers to a function with an object inside that a fit could not keep")
        if (!is.call(part)) return(invisible())
        name <- if (is.symbol(part[[1]])) as.character(part[[1]]) else ""
        if (name %in% c("::", ":::", "quote", "~")) return(invisible())
        if (name %in% c("$", "@")) return(visit(part[[2]], bound))
        if (name == "function") {
            bound <- c(bound, names(part[[2]]), assigned_names(part[[3]]))
            visit_all(part[[2]], bound)
            return(visit_all(part[3], bound))
        }
        if (name == "") visit(part[[1]], bound) else note("function", name, bound)
        visit_all(as.list(part)[-1], bound)
    }
    visit_all(expressions, character())
    found
}

# Variables that a function's body assigns, by default its own.
assigned_names <- function(body, operators = c("<-", "=", "for")) {
    if (!is.call(body)) return(character())
    found <- character()
    if (is.symbol(body[[1]]) && as.character(body[[1]]) %in% operators) {
        target <- body[[2]]
        while (is.call(target)) target <- target[[2]]
        found <- as.character(target)
    }
    for (i in seq_along(body)) {
        part <- body[[i]]
        if (!missing(part)) found <- c(found, assigned_names(part, operators))
    }
    found
}

# Functions of attached packages by the names of these: to be found where the package is not
# attached, and not mistaken for others of the name.
with_packages <- function(expression, environment) {
    if (!is.call(expression)) return(expression)
    head <- expression[[1]]
    if (is.symbol(head)) {
        name <- as.character(head)
        if (name %in% c("function", "::", ":::", "$", "@", "quote", "~")) return(expression)
        home <- home_of(name, environment, "function")
        package <- if (!is.null(home)) environmentName(home) else ""
        if (grepl("^package:|^base$", package))
            expression[[1]] <- call("::", as.name(sub("^package:", "", package)), head)
    }
    for (i in seq_along(expression)[-1]) {
        part <- expression[[i]]
        if (!missing(part) && is.call(part)) expression[[i]] <- with_packages(part, environment)
    }
    expression
}
