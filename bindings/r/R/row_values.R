# Numbers that go with the rows of the samples: weights, scores of a model, the source of each row.

# @param values  The name of a column, or a list with vectors, source and target; one may be NULL.
# Of a private sample each value is read by itself, and one that is no number is NaN.
# @return List of both.
read_row_values <- function(values, source, target, name, private_domain) {
    tryCatch(force(values), error = function(e)
        refuse(name, ": ", conditionMessage(e), " (the name of a column stands in quotes)"))
    if (is.null(values)) return(NULL)
    samples <- list(source = source, target = target)
    if (is.character(values) && length(values) == 1) {
        found <- lapply(samples, function(sample) if (is.data.frame(sample)) sample[[values]])
        if (!any(lengths(found))) refuse("no sample has the column '", values, "' of the ", name)
        values <- found
    }
    if (!is.list(values) || !length(names(values)) || !all(names(values) %in% names(samples)))
        refuse(name, " must be the name of a column, or list(source = , target = )")
    for (side in names(values)) {
        numbers <- values[[side]]
        if (is.null(numbers)) next
        numbers <- without_integer64(numbers)
        is_private <- side %in% private_sides(private_domain)
        if (is_private) check_private_class(numbers, name) else check_class(numbers, name)
        if (is_private) numbers <- numbers_of(numbers)
        if (!is.numeric(numbers) || length(numbers) != nrow(samples[[side]]))
            raise(-2L, "DPA_E_DIMENSION", paste0(name, " of the ", side, " must be numbers, one for each row"))
        values[[side]] <- as.double(numbers)
    }
    values[c("source", "target")]
}

# Columns named in a call are no features of a formula with a dot, but of one that names them.
without_columns <- function(data, formula, named) {
    named <- Filter(function(one) is.character(one) && length(one) == 1, named)
    data[setdiff(names(data), setdiff(unlist(named), all.vars(formula)))]
}

# Told, as glm() would weigh all rows.
unread_weights <- function(weights, private_domain, samples) {
    there <- Filter(function(side) is.character(weights) && weights %in% names(samples[[side]]), private_sides(private_domain))
    if (!length(there)) return("")
    paste0("Weights of the private ", there[1], " were not read: they need row_weight_bound = , and numbers in weights = list(source = , ",
           "target = )\n")
}

# Numbers of the rows that na.action has left.
of_kept_rows <- function(values, x, data) {
    if (is.null(values) || nrow(x) == length(values)) return(values)
    values[match(rownames(x), rownames(data))]
}

# Several sources as one, and of which each row is.
# @param source   A sample, or a list of data frames.
# @param sources  The name of a column of it, or a value for each row.
bind_sources <- function(source, sources) {
    if (is.list(source) && !is.data.frame(source)) {
        if (!is.null(sources)) refuse("sources are told by the list of data frames")
        if (!length(source) || !all(vapply(source, is.data.frame, NA))) refuse("source must be a data frame, or a list of data frames")
        if (length(unique(lapply(source, function(one) sort(names(one))))) > 1) refuse("the sources must have the same columns")
        source <- lapply(source, without_integer64) # before they mix with doubles
        ids <- rep(seq_along(source), vapply(source, nrow, 0L))
        return(list(source = do.call(rbind, unname(source)), ids = ids))
    }
    if (is.character(sources) && length(sources) == 1 && is.data.frame(source) && sources %in% names(source))
        sources <- source[[sources]]
    source <- without_integer64(source)
    if (is.null(sources)) return(list(source = source))
    if (!is.atomic(sources) || length(sources) != nrow(source))
        raise(-2L, "DPA_E_DIMENSION", "sources must be the name of a column of the source, or have a value for each of its rows")
    list(source = source, ids = numbered(sources))
}

# Equal values have one number, and others another, also where a double or a text would round them.
numbered <- function(values) {
    values <- if (inherits(values, "integer64")) do.call(paste, halves_of(values))
              else unclass(values)
    match(values, unique(values))
}

private_sides <- function(private_domain)
    switch(private_domain, none = character(), both = c("source", "target"), private_domain)

# Weights of a private sample are the library's to refuse or bound; those of a column are not read.
public_only <- function(weights, given, private_domain) {
    force(weights) # whose errors say more than those of `given`
    if (!is.character(given)) return(weights)
    weights[private_sides(private_domain)] <- list(NULL)
    weights
}

set_row_values <- function(problem, name) {
    setters <- list(scores = R_swig_dpa_problem_set_scores, weights = R_swig_dpa_problem_set_weights,
                    sources = R_swig_dpa_problem_set_groups)
    for (what in names(setters)) {
        values <- problem$values[[what]][[name]]
        if (!is.null(values)) native(setters[[what]], problem$handle, domains[[name]], values)
    }
}
