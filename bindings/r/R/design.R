# From a formula and public data frames: terms, factor levels, contrasts. They are what every other
# data frame is brought into form with.

# @param data  Public data; rows with missing values are treated by na.action, as in lm().
# @param rows     Of the smallest sample.
# @param made_up  Whether the data are made_up_data(), whose numbers mean nothing.
learn_design <- function(formula, data, contrasts, xlev, na.action, rows = nrow(data),
                         made_up = FALSE) {
    terms <- used_terms(formula, data)
    if (attr(terms, "response") == 0) refuse("the formula has no response")
    if (!is.null(attr(terms, "offset"))) refuse("offsets are not supported: ", no_offset)
    uses <- attr(terms, "factors")
    if (length(uses) && any(uses[1, ] > 0))
        refuse("the formula has its response among the features, ", deparse1(formula[[2]]))
    environment(terms) <- kept_environment(terms, names(data), rows)
    check_variables(terms, data)
    for (name in input_columns(terms, data)) check_utf8(data[[name]], name)
    check_bars(terms, data)
    rows_of_data <- nrow(data)
    data <- without_blank_labels(terms, data)
    frame <- if (made_up) stats::model.frame(terms, data, na.action = stats::na.pass)
             else stats::model.frame(terms, data, na.action = na.action, xlev = xlev,
                                     drop.unused.levels = TRUE)
    check_frame(frame)
    terms <- attr(frame, "terms")
    if (!nrow(frame)) no_rows(rows_of_data)
    if (is.matrix(stats::model.response(frame)))
        refuse("the response must be one variable, but is a matrix; successes and failures are a row for each trial")
    if (made_up) check_told_levels(terms, data, frame) else check_levels(frame)
    x <- stats::model.matrix(terms, frame, contrasts.arg = contrasts)
    design <- list(terms = terms, xlevels = stats::.getXlevels(terms, frame),
                   contrasts = kept_contrasts(attr(x, "contrasts")),
                   inputs = vapply(data[input_columns(terms, data)], stats::.MFclass, ""),
                   columns = setdiff(colnames(x), "(Intercept)"))
    design$levels <- Filter(Negate(is.null), lapply(data[names(design$inputs)], function(column) {
        if (is.character(column)) unique(column[!is.na(column)]) else levels(column)
    }))
    if (is.symbol(label <- attr(terms, "variables")[[2]])) design$levels[[as.character(label)]] <- NULL
    design$plain <- plain_columns(data)
    design$sample <- list(x = drop_intercept(x), y = stats::model.response(frame))
    design
}

# Without variables that no term uses, as those of y ~ . - id, which model.frame() would read. The
# others keep their order, by which lm() names interactions.
used_terms <- function(formula, data) {
    read <- all.vars(formula)
    check_names(if ("." %in% read) names(data) else intersect(names(data), read))
    terms <- stats::terms(formula, data = data)
    uses <- attr(terms, "factors")
    if (!length(uses)) return(terms)
    used <- rowSums(uses) > 0
    used[attr(terms, "response")] <- TRUE
    attr(terms, "factors") <- uses[used, , drop = FALSE]
    attr(terms, "variables") <- attr(terms, "variables")[c(TRUE, used)]
    terms
}

# A bar between logical values is "or".
check_bars <- function(terms, data) {
    for (variable in variables_of(terms)) if (is.call(variable) && deparse1(variable[[1]]) %in% c("|", "||")) {
        group <- if (is.symbol(variable[[3]])) data[[as.character(variable[[3]])]]
        if (is.numeric(variable[[2]]) || is.factor(group) || is.character(group))
            refuse("random effects, ", deparse1(variable), ", are not supported: groups = protects persons with several rows")
    }
}

# A factor of one level has no contrasts, which model.matrix() does not say of which column. Texts that
# tell rows apart, or that are numbers but for a slip, would be paid for as hundreds of features.
check_levels <- function(frame) {
    labels <- frame[-1]
    for (name in names(labels)) if (is.character(labels[[name]]) || is.factor(labels[[name]])) {
        values <- unique(as.character(labels[[name]]))
        texts <- is.na(suppressWarnings(as.numeric(values)))
        if (is.character(labels[[name]]) && any(texts) && 2 * sum(texts) < length(values))
            refuse("column ", name, " of the public rows is a text, because ", values[texts][1],
                   " is no number: make it numbers or missing")
        if (length(values) > max(20, nrow(frame) / 2))
            refuse("column ", name, " has ", length(values), " different values in ", nrow(frame),
                   " public rows: leave it out, as in y ~ . - ", name)
    }
    single <- vapply(labels, function(one) (is.factor(one) || is.character(one)) && length(unique(one)) < 2, NA)
    if (any(single))
        refuse("column ", names(labels)[single][1], " has one value in the public rows, ", labels[[which(single)[1]]][1],
               ": leave it out, as in y ~ . - ", names(labels)[single][1])
}

no_rows <- function(rows)
    raise(-9L, "DPA_E_EMPTY", if (rows) "no public row is without missing values" else "a sample has no rows")

# Columns of the data that the terms read.
input_columns <- function(terms, data) intersect(free_names(variables_of(terms))$any, names(data))

kept_contrasts <- function(contrasts) {
    functions <- vapply(contrasts, is.function, NA)
    if (any(functions)) contrasts[functions] <- lapply(contrasts[functions], kept_function, new_copies(Inf))
    contrasts
}

drop_intercept <- function(x) {
    x <- x[, colnames(x) != "(Intercept)", drop = FALSE]
    attr(x, "assign") <- attr(x, "contrasts") <- NULL
    storage.mode(x) <- "double"
    if (!ncol(x)) refuse("the formula has no features")
    x
}

# Another public sample: a column of another type and a level that the design does not know are
# errors, as in predict.lm().
apply_design <- function(design, data, na.action, response = TRUE, other_levels = FALSE) {
    terms <- if (response) design$terms else stats::delete.response(design$terms)
    if (!is.data.frame(data)) refuse("rows for a formula must be a data frame")
    absent <- setdiff(intersect(free_names(variables_of(terms))$any, names(design$inputs)), names(data))
    if (length(absent)) refuse("the data have no column ", absent[1])
    data <- missing_as_public_kinds(design, without_integer64(data))
    check_variables(terms, data)
    rows <- nrow(data)
    if (response) data <- without_blank_labels(terms, data)
    data <- on_public_levels(design, terms, data)
    if (other_levels) data <- as_public_kinds(design, data)
    warned <- list()
    levels <- if (!other_levels) design$xlevels
    explain <- function(e) check_inputs(design, data, e, response)
    frame <- withCallingHandlers(stats::model.frame(terms, data, na.action = na.action, xlev = levels),
                                 error = explain, warning = function(w) {
        warned <<- c(warned, list(w))
        tryInvokeRestart("muffleWarning")
    })
    check_frame(frame)
    check_types(design, frame, response)
    for (w in warned) warning(w)
    if (response && !nrow(frame)) no_rows(rows)
    x <- if (other_levels) encoded_frame(design, terms, frame, function(one) is.na(one))
         else drop_intercept(stats::model.matrix(terms, frame, contrasts.arg = design$contrasts))
    list(x = x, y = if (response) stats::model.response(frame))
}

# Texts in the spelling of the public rows, by the rule of private ones. Codes of a factor, as in
# as.numeric(g), are those of the public rows too; a level that these do not have has none there, and
# is a new level where the factor is a variable itself.
on_public_levels <- function(design, terms, data) {
    alone <- vapply(Filter(is.symbol, variables_of(terms)), as.character, "")
    for (name in intersect(names(design$levels), names(data))) {
        column <- data[[name]]
        if (!is.factor(column) && !is.character(column)) next
        known <- design$levels[[name]]
        text <- as.character(column)
        given <- unique(text)
        at <- match_words(words_of(given), known)
        text <- ifelse(is.na(at), given, known[at])[match(text, given)]
        if (is.factor(column)) {
            levels <- if (name %in% alone) union(known, levels(column)[levels(column) %in% text]) else known
            text <- factor(text, levels, ordered = is.ordered(column))
        }
        data[[name]] <- text
    }
    data
}

# A column of nothing but NA is a logical one in R, whatever it would hold.
missing_as_public_kinds <- function(design, data) {
    for (name in intersect(names(design$inputs), names(data))) {
        mode <- switch(design$inputs[[name]], numeric = "double",
                       character = , factor = , ordered = "character")
        if (!is.null(mode) && is.logical(data[[name]]) && all(is.na(data[[name]])))
            storage.mode(data[[name]]) <- mode
    }
    data
}

# Texts for factors, and factors for texts, as readers of files make them: with xlev
# model.frame() takes both.
as_public_kinds <- function(design, data) {
    for (name in intersect(names(design$inputs), names(data))) {
        column <- data[[name]]
        kind <- design$inputs[[name]]
        if (is.character(column) && kind %in% c("factor", "ordered"))
            data[[name]] <- factor(column, ordered = kind == "ordered")
        else if (is.factor(column) && kind == "character") data[[name]] <- as.character(column)
    }
    data
}

# A blank is no class, as it is none in a private sample.
without_blank_labels <- function(terms, data) {
    label <- attr(terms, "variables")[[2]]
    column <- if (is.symbol(label)) data[[as.character(label)]]
    if (!is.character(column) && !is.factor(column)) return(data)
    blank <- grepl("^[[:space:]]*$", as.character(column))
    if (!any(blank)) return(data)
    column[blank] <- NA
    data[[as.character(label)]] <- if (is.factor(column)) droplevels(column) else column
    data
}

# Features of a frame whose factors may have levels that the design does not know. These count as
# zeros.
# @param missing  Of the values before: which are not levels, but missing.
encoded_frame <- function(design, terms, frame, missing = function(one) FALSE) {
    unknown <- list()
    for (name in names(design$xlevels)) {
        before <- frame[[name]]
        frame[[name]] <- factor(as.character(before), design$xlevels[[name]])
        unknown[[name]] <- is.na(frame[[name]]) & !missing(before)
        if (any(unknown[[name]])) frame[[name]][unknown[[name]]] <- design$xlevels[[name]][1]
    }
    x <- stats::model.matrix(terms, frame, contrasts.arg = design$contrasts)
    involved <- attr(terms, "factors")[, attr(x, "assign")[colnames(x) != "(Intercept)"], drop = FALSE] > 0
    x <- drop_intercept(x)
    for (name in names(unknown)) x[unknown[[name]], involved[name, ]] <- 0
    x
}

# Why a variable could not be computed, if that is a word where there was a number, or the like.
check_inputs <- function(design, data, error, response) {
    types <- design$inputs[intersect(names(design$inputs), names(data))]
    given <- vapply(data[names(types)], stats::.MFclass, "")
    wrong <- which(xor(types == "numeric", given == "numeric"))
    if (length(wrong)) refuse_type(names(types)[wrong[1]], types[wrong[1]], given[wrong[1]])
    if (grepl("new level", conditionMessage(error), fixed = TRUE))
        refuse(conditionMessage(error), if (response) ", which the source has not"
               else "; in predict, levels = \"other\" counts such a level as none")
}

refuse_type <- function(name, type, given) {
    refuse("variable '", name, "' was of type \"", type, "\" but type \"", given, "\" was supplied")
}

# Labels may be classes of any type, or numbers.
check_types <- function(design, frame, response) {
    types <- attr(stats::delete.response(design$terms), "dataClasses")
    tryCatch(stats::.checkMFClasses(types, frame), error = function(e) refuse(conditionMessage(e)))
    if (!response) return(invisible())
    label <- names(frame)[1]
    types <- c(attr(design$terms, "dataClasses")[[1]], stats::.MFclass(frame[[1]]))
    if (any(types == "numeric") && types[1] != types[2]) refuse_type(label, types[1], types[2])
}

# Where both samples are private there is nothing to learn from: a data frame made up from the names
# of the columns and the levels that the caller gives; what has none is a number.
made_up_data <- function(formula, data, xlev) {
    count <- max(8, lengths(xlev))
    columns <- lapply(names(data), function(name) {
        if (!is.null(xlev[[name]])) factor(rep_len(xlev[[name]], count), xlev[[name]])
        else seq_len(count) / count
    })
    as.data.frame(stats::setNames(columns, names(data)), optional = TRUE)
}

# Levels that other made-up numbers change were told by nobody.
check_told_levels <- function(terms, data, frame) {
    numbers <- vapply(data, is.numeric, NA)
    data[numbers] <- lapply(data[numbers], `/`, 3)
    levels_of <- function(frame) lapply(frame[-1], function(one) {
        if (is.character(one)) sort(unique(one)) else levels(one)
    })
    known <- levels_of(frame)
    other <- levels_of(stats::model.frame(terms, data, na.action = stats::na.pass))
    told <- function(k) length(known[[k]]) != 1 && identical(known[[k]], other[[k]])
    untold <- !vapply(seq_along(known), told, NA)
    if (any(untold))
        refuse("with both samples private there are no public rows to fix the levels of ",
               names(known)[untold][1], " on: give the levels of columns by xlev =, two at least")
}

# What a fit keeps: no data. The environment of the terms has been made for them, see keep.R.
bare_design <- function(design) {
    terms <- design$terms
    variables <- attr(terms, "predvars")
    for (i in seq_along(variables)[-1])
        if (is.call(variables[[i]])) variables[[i]] <- with_packages(variables[[i]], environment(terms))
    attr(terms, "predvars") <- variables
    list(terms = terms, xlevels = design$xlevels, contrasts = design$contrasts, inputs = design$inputs,
         levels = design$levels, columns = design$columns)
}

# Do both mean the same columns, or are there none? Bases such as poly(x, 2) depend on the rows that
# they were fixed on.
same_design <- function(one, other) {
    if (is.null(one) || is.null(other)) return(is.null(one) && is.null(other))
    identical(attr(one$terms, "predvars"), attr(other$terms, "predvars")) &&
        identical(one[c("xlevels", "columns")], other[c("xlevels", "columns")]) &&
        isTRUE(all.equal(one$contrasts, other$contrasts, tolerance = 0)) &&
        isTRUE(all.equal(environment(one$terms), environment(other$terms), tolerance = 0))
}
