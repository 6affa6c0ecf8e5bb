dpadapt_options <- function(name = NULL) {
    texts <- function(what) native_texts(R_swig_dpa_option_text, what)
    table <- data.frame(name = texts("name"), tier = texts("tier"), type = texts("type"), default = texts("default"),
                        values = texts("values"), readers = texts("readers"), doc = texts("meaning"))
    if (!is.null(name)) {
        if (!is.character(name) || anyNA(name)) refuse("name must be names of options")
        unknown <- setdiff(name, table$name)
        if (length(unknown))
            raise(-12L, "DPA_E_OPTION_NAME", paste0("no option of the name ", unknown[1], near_name(unknown[1], table$name)))
        table <- table[match(name, table$name), ]
    }
    structure(table, class = c("dpadapt_options", "data.frame"))
}

print.dpadapt_options <- function(x, ...) {
    if (!all(c("name", "type", "default", "values", "readers", "doc") %in% names(x))) return(print(as.data.frame(x), ...))
    for (i in seq_len(nrow(x))) {
        cat(x$name[i], " (", x$type[i], "; ", x$values[i], "; default ", x$default[i], "; read by ",
            x$readers[i], ")\n", sep = "")
        writeLines(strwrap(x$doc[i], indent = 4, exdent = 4))
    }
    invisible(x)
}

# A handle of options with these values, a list by name; NULL leaves an option at its default.
make_options <- function(values) {
    if (length(values) && (is.null(names(values)) || any(names(values) == "")))
        refuse("options must be given by name, as in alpha = 0.5")
    values <- values[!duplicated(Map(list, names(values), values))]
    twice <- anyDuplicated(names(values))
    if (twice) refuse(names(values)[twice], " is given twice")
    table <- dpadapt_options()
    handle <- native(R_swig_dpa_options_create)
    for (name in names(values)) {
        value <- values[[name]]
        unknown <- function(e)
            raise(-12L, "DPA_E_OPTION_NAME", paste0("there is no option \"", name, "\"", near_name(name, table$name)))
        if (!is.null(value)) tryCatch(set_option(handle, name, value, table$type[match(name, table$name)]),
                                      dpadapt_error_option_name = unknown)
    }
    handle
}

# Refuses options that calls of a kind do not read, by the rule of the command; fits tell of them.
# @param given  The options of a user, by name.
# @param calls  The kind, as the readers of options name it, and others that the call is of, too.
check_read <- function(given, calls, private_domain) {
    privacy <- if (private_domain == "none") "public" else "private"
    words <- c("every call", calls, paste(privacy, c("calls", calls)))
    table <- dpadapt_options()
    table <- table[table$name %in% names(Filter(Negate(is.null), given)), ]
    unread <- !vapply(strsplit(table$readers, ", "), function(readers) any(words %in% readers), NA)
    if (any(unread))
        refuse("the option ", table$name[unread][1], " is for ", table$readers[unread][1],
               ", not for ", privacy, " ", calls[1])
}

# As the readers of options name those calls.
calls_of <- function(baseline) if (is.null(baseline)) "fits" else c("baselines", baseline)

# A suggestion, for options and other arguments.
near_name <- function(name, options) {
    name <- texts_of(name)
    if (name %in% names(of_glm)) return(instead_of(name))
    known <- c(options, names(formals(dpadapt.formula)), "family", "discrepancy", "verbose")
    of_problem <- name %in% names(formals(dpadapt_problem.formula))
    if (name %in% known)
        return(paste0(", but an argument of other functions",
                      if (of_problem) ": use dpadapt_problem()"))
    distance <- utils::adist(name, known, ignore.case = TRUE)
    if (min(distance) <= max(1, nchar(name) / 3)) paste0("; did you mean \"", known[which.min(distance)], "\"?")
}

set_option <- function(handle, name, value, type) {
    if (is_text(value)) {
        native(R_swig_dpa_options_parse, handle, name, value)
    } else if (is.logical(value) && length(value) == 1 && !is.na(value)) {
        native(R_swig_dpa_options_parse, handle, name, tolower(value)) # a number is no word of other types
    } else if (is.numeric(value) && (length(value) > 1 || type %in% "vector")) {
        native(R_swig_dpa_options_parse, handle, name, paste(sprintf("%.17g", value), collapse = ","))
    } else if (is.numeric(value) && length(value) == 1) {
        native(R_swig_dpa_options_set, handle, name, value)
    } else {
        if (is.na(type)) raise(-12L, "DPA_E_OPTION_NAME", "") # whose message the caller makes
        raise(-13L, "DPA_E_OPTION_TYPE",
              paste0("option ", name, " cannot be ", if (length(value) == 1 && anyNA(value)) "NA"
                     else paste("a", class(value)[1], "of length", length(value))))
    }
}

is_whole <- function(value) is.finite(value) && value == floor(value) && abs(value) <= 2^53
