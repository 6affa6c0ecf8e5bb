# Columns as the command, C and Java read them, beside R's formulas: for models that all of them
# share.

dpadapt_schema <- function(data, label, loss = "squared", ..., missing = NULL, positive = NULL, ignore = NULL,
                           categories = NULL, compute = NULL) {
    loss <- chosen_loss(loss, list(...)$family)
    settings <- list(loss = loss, ...)
    order <- settings$classes_in_order
    settings$family <- settings$classes_in_order <- NULL
    if (!is.data.frame(data)) refuse("a schema needs data frames")
    if (!is_text(label)) refuse("label must be the name of a column")
    named <- list(label = label, ignore = ignore, categories = categories)
    for (name in names(named)) {
        absent <- setdiff(named[[name]], names(data))
        if (length(absent)) refuse(name, " has \"", absent[1], "\", but data has no such column")
    }
    if (!is.null(names(compute))) compute <- ifelse(nzchar(names(compute)), paste(name_words(names(compute)), "=", compute), compute)
    check_names(names(data))
    for (name in setdiff(names(data), ignore)) {
        check_column(data[[name]], name)
        check_utf8(data[[name]], name)
    }
    handle <- with_table(data, function(table) {
        hint(table, "missing", missing)
        hint(table, "positive", positive)
        hint(table, "ignore", ignore)
        hint(table, "category", categories)
        hint(table, "compute", compute)
        hint(table, "class", order)
        options <- make_options(settings)
        on.exit(native_close(R_swig_dpa_options_destroy, options))
        learn <- function() native(R_swig_dpa_schema_learn, table, label, options)
        tryCatch(learn(), dpadapt_error_label = function(e) {
            e$message <- sub("^row 1, .*: (\".*\" is not among)", "positive: \\1", e$message)
            stop(e)
        })
    })
    on.exit(native_close(R_swig_dpa_schema_destroy, handle))
    schema <- new_schema(handle, label_kind(loss, settings$perceptron_output), label)
    schema$settings <- settings
    if (schema$kind == "classes") {
        codes <- apply_schema(handle, schema, data, TRUE)$y
        schema$levels <- label_texts(handle, seq_len(max(codes, 1, na.rm = TRUE) + 1) - 1)
    }
    schema
}

# A date is a text in a file, but here a class says that it is none.
check_column <- function(values, name, check = check_class) {
    if (length(dim(values)) > 1) refuse("column ", name, " is a matrix, which a schema does not read: make it columns")
    check(values, paste("column", name))
}

# Of columns that the schema does not read the class does not matter.
check_read_columns <- function(schema, data, labelled, is_private) {
    if (!is.data.frame(data)) refuse("a schema needs data frames")
    check <- if (is_private) check_private_class else check_class
    is_label <- function(name) labelled && identical(name, schema$label)
    for (name in names(data))
        tryCatch(check_column(data[[name]], name, check), dpadapt_error = function(e) {
            if (is_label(name) || reads_feature(schema, name, names(data))) stop(e)
        })
}

# Does a row lack a feature without that column?
reads_feature <- function(schema, name, names) {
    lacks <- function(columns) {
        cells <- stats::setNames(rep(list(NA), length(columns)), columns)
        row <- as.data.frame(cells, optional = TRUE)
        tryCatch({
            schema_rows(schema, row, FALSE)
            FALSE
        }, dpadapt_error = function(e) TRUE)
    }
    lacks(setdiff(names, name)) && !lacks(names)
}

hint <- function(table, what, values) {
    if (anyNA(values) || what == "positive" && !all(nzchar(values)))
        refuse(what, " cannot be NA or blank")
    for (value in as.character(values)) native(R_swig_dpa_table_hint, table, what, value)
}

print.dpadapt_schema <- function(x, ...) {
    cat(x$text)
    invisible(x)
}

dpadapt.dpadapt_schema <- function(x, source, target, ...) {
    settings <- list(...)
    of_problem <- names(settings) %in% c("private_domain", "ledger", "groups", "weights", "scores", "sources")
    problem <- do.call(dpadapt_problem.dpadapt_schema, c(list(x, source, target), settings[of_problem]))
    fit <- do.call(dpadapt.dpadapt_problem, c(list(problem), settings[!of_problem]))
    fit$call <- user_call(match.call())
    count_fit(fit, settings$ledger)
}

dpadapt_problem.dpadapt_schema <- function(x, source, target, private_domain = "target", groups = NULL, weights = NULL,
                                           scores = NULL, sources = NULL, ...) {
    private_domain <- one_of(private_domain, private_domains)
    check_rows(source, target)
    check_read_columns(x, source, TRUE, private_domain %in% c("source", "both"))
    check_read_columns(x, target, TRUE, private_domain %in% c("target", "both"))
    from <- schema_rows(x, source, TRUE)
    to <- schema_rows(x, target, TRUE)
    values <- list(weights = public_only(read_row_values(weights, source, target, "weights", private_domain), weights, private_domain),
                   scores = read_row_values(scores, source, target, "scores", private_domain))
    if (private_domain %in% c("target", "none")) from <- labelled_rows(from)
    if (private_domain %in% c("source", "none")) to <- labelled_rows(to)
    if (is.character(sources) && length(sources) == 1 && sources %in% names(source)) sources <- source[[sources]]
    if (is.atomic(sources) && length(sources) == nrow(source))
        sources <- numbered(sources)[from$keep]
    values <- lapply(values, function(one) Filter(length, list(source = one$source[from$keep], target = one$target[to$keep])))
    if (is.character(groups) && length(groups) == 1 && groups %in% names(target)) groups <- target[[groups]]
    problem <- dpadapt_problem.default(from$x, from$y, to$x, to$y, private_domain, groups = groups,
                                       weights = if (length(values$weights)) values$weights,
                                       scores = if (length(values$scores)) values$scores, sources = sources, ...)
    problem$unused <- unread_weights(weights, private_domain, list(source = source, target = target))
    if (private_domain == "none") warn_unfit(x, target, "the target", "( have| has) no label$")
    problem$schema <- x
    problem$unlabelled <- nrow(source) - nrow(from$x) + nrow(target) - nrow(to$x)
    problem$tables <- list(source = source, target = target)
    problem
}

# @param apart  Lines that are told elsewhere.
warn_unfit <- function(schema, data, name, apart) {
    unfit <- grep(apart, unfit_cells(schema, data), value = TRUE, invert = TRUE)
    if (length(unfit)) warning("cells of ", name, " that do not fit, of which numbers count as missing and levels as the reference: ",
                               paste(unfit, collapse = "; "), call. = FALSE)
}

# What of a table does not fit, a line each; of a private one for its custodian alone.
unfit_cells <- function(schema, data) {
    lines <- with_schema(schema, function(handle) with_table(data, function(table) {
        native_filled(R_swig_dpa_inspect_table, handle, table)
    }, handle))
    strsplit(lines, "\n", fixed = TRUE)[[1]]
}

write_model <- function(fit, file) {
    if (!inherits(fit, "dpadapt")) refuse("fit must be a fit of dpadapt")
    path <- library_path(file)
    if (fit$loss == "custom")
        refuse("no other language knows a loss of your own: saveRDS() keeps the fit for R")
    known <- model_schema(fit)
    if (is.null(known))
        refuse("this fit has no model file", if (!is.null(fit$design$file$reason)) paste0(" (", fit$design$file$reason, ")"),
               ": fit a formula of columns, or dpadapt(dpadapt_schema(...), source, target); saveRDS() keeps it for R")
    with_solution(fit, function(solution) with_schema(known, function(schema) {
        native(R_swig_dpa_solution_save, solution, schema, 0L, path)
    }))
    invisible(file)
}

model_schema <- function(fit) if (is.null(fit$schema)) fit$design$file$schema else fit$schema

read_model <- function(file) {
    check_file(file)
    unread <- function(e) refuse("cannot read \"", file, "\": ", conditionMessage(e))
    bytes <- tryCatch(readBin(file, "raw", file.size(file)), error = unread, warning = unread)
    schema <- native(R_swig_dpa_schema_deserialize, bytes)
    on.exit(native_close(R_swig_dpa_schema_destroy, schema))
    handle <- native(R_swig_dpa_solution_deserialize, bytes)
    loss <- native_filled(R_swig_dpa_solution_text, handle, "loss")
    shape <- native(R_swig_dpa_solution_shape, handle)
    known <- new_schema(schema, kind_of_labels(loss, shape[["outputs"]], schema))
    if (known$kind == "classes") known$levels <- label_texts(schema, seq_len(shape[["outputs"]]) - 1)
    if (!(loss %in% c("votes", "custom")))
        known$settings <- c(list(loss = loss), if (loss == "pinball") list(quantile_level = solution_value(handle, "quantile_level")))
    domains <- c("none", "source", "target", "both")
    problem <- list(private_domain = domains[solution_value(handle, "private_domain") + 1],
                    schema = known,
                    source = list(x = matrix(0, 0, length(known$features), dimnames = list(NULL, known$features))))
    made <- list(handle = handle, loss = loss, coding = list(kind = known$kind, levels = known$levels),
                 intercept = solution_value(handle, "dimension") > shape[["features"]])
    new_fit(problem, made, "model file", user_call(match.call()))
}

# A schema is data only, as a fit is.
new_schema <- function(handle, kind, label = NULL) {
    count <- native(R_swig_dpa_schema_feature_count, handle)[["count"]]
    features <- vapply(seq_len(count) - 1, function(k) native_filled(R_swig_dpa_schema_text, handle, "feature", k), "")
    structure(list(bytes = native_filled(R_swig_dpa_schema_serialize, handle), features = features, label = label,
                   kind = kind, known = native_filled(R_swig_dpa_schema_text, handle, "labels", 0), levels = if (kind == "binary") label_texts(handle, c(-1, 1)),
                   text = native_filled(R_swig_dpa_schema_text, handle, "description", 0)), class = "dpadapt_schema")
}

# A perceptron's labels are told by what its schema calls them.
kind_of_labels <- function(loss, outputs, schema) {
    if (loss == "votes") return("binary")
    output <- if (outputs > 1) "softmax" else if (label_texts(schema, -1) != "-1") "logistic" else "squared"
    label_kind(loss, output)
}

# The labels as the public rows write them, a factor.
label_texts <- function(handle, labels) {
    texts <- vapply(labels, function(label) native_filled(R_swig_dpa_schema_label_text, handle, label), "")
    factor(texts, unique(texts))
}

with_schema <- function(schema, use) {
    handle <- native(R_swig_dpa_schema_deserialize, schema$bytes)
    on.exit(native_close(R_swig_dpa_schema_destroy, handle))
    use(handle)
}

# @param known  The schema whose spellings private columns take; without one the columns are public.
with_table <- function(data, use, known = NULL) {
    if (!is.data.frame(data)) refuse("a schema needs data frames")
    table <- native(R_swig_dpa_table_create, nrow(data))
    on.exit(native_close(R_swig_dpa_table_destroy, table))
    for (name in names(data)) {
        if (is.null(known)) add_public_column(table, name, data[[name]])
        else add_column(table, name, data[[name]], known, names(data))
    }
    use(table)
}

truths <- c("TRUE", "True", "true", "T")
untruths <- c("FALSE", "False", "false", "F")

# Of public columns factors keep their levels, and texts their spelling.
add_public_column <- function(table, name, values) {
    if (is.factor(values)) {
        levels <- public_words(levels(values))
        levels[is.na(levels)] <- ""
        return(native(R_swig_dpa_table_add_levels, table, name, as.integer(values) - 1L, levels))
    }
    plain <- plain_values(values)
    if (is.numeric(plain)) return(native(R_swig_dpa_table_add_numbers, table, name, numbers_of(plain)))
    native(R_swig_dpa_table_add_texts, table, name, public_words(plain))
}

public_words <- function(plain) {
    words <- table_words(plain)
    if (is.character(plain)) ifelse(plain %in% c(truths, untruths), plain, words) else words
}

# The class of a private column depends on all its values, so it decides nothing: a number and the
# word for it are the same to a table, and so are T, which readers make a logical if all values are
# like it, and TRUE. The word is that of the schema.
add_column <- function(table, name, values, known, names) {
    plain <- plain_values(values)
    if (is.numeric(plain)) return(native(R_swig_dpa_table_add_numbers, table, name, numbers_of(plain)))
    words <- table_words(plain)
    for (spellings in list(truths, untruths)) {
        here <- words %in% spellings[1]
        if (any(here)) words[here] <- known_spelling(known, names, name, spellings)
    }
    native(R_swig_dpa_table_add_texts, table, name, words)
}

table_words <- function(plain) {
    words <- as.character(words_of(plain)) # logical if all are missing
    words[words %in% c("Inf", "-Inf")] <- NA # as among numbers
    words
}

# The first of them that is no odd cell of that column.
known_spelling <- function(known, names, name, spellings) {
    findings <- function(text) {
        table <- native(R_swig_dpa_table_create, 1)
        on.exit(native_close(R_swig_dpa_table_destroy, table))
        for (other in names) {
            native(R_swig_dpa_table_add_texts, table, other, if (other == name) text else NA_character_)
        }
        native_filled(R_swig_dpa_inspect_table, known, table)
    }
    nothing <- findings(NA_character_)
    for (text in spellings) if (identical(findings(text), nothing)) return(text)
    spellings[1]
}

# Features and labels of the rows, which may be private: each is computed from its row alone.
schema_rows <- function(schema, data, labelled) {
    has_labels <- labelled && (is.null(schema$label) || schema$label %in% names(data))
    rows <- with_schema(schema, function(handle) apply_schema(handle, schema, data, has_labels))
    if (has_labels) {
        rows$y <- decode_labels(rows$y, list(kind = schema$kind, levels = schema$levels))
    }
    rows$keep <- TRUE
    rows
}

# Public rows without a label are left out, as the command does.
labelled_rows <- function(rows) {
    keep <- if (is.null(rows$y)) TRUE else !is.na(rows$y)
    list(x = rows$x[keep, , drop = FALSE], y = rows$y[keep], keep = keep)
}

apply_schema <- function(handle, schema, data, labelled) {
    rows <- as.double(nrow(data))
    filled <- with_table(data, function(table) {
        native(R_swig_dpa_schema_apply, handle, table, c(rows * length(schema$features), if (labelled) rows else 0))
    }, handle)
    x <- matrix(filled[[1]], nrow(data), byrow = TRUE, dimnames = list(rownames(data), schema$features))
    list(x = x, y = if (labelled) filled[[2]])
}
