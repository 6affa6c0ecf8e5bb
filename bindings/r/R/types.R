# Which columns have an evident number, truth, text or category. What has none is refused by the
# names of column and class, or made a number in one place: the table of all languages is in
# docs/types.md.

# 64 bits in place of those of a double, in this column or in those of a data frame. Nothing else
# knows them where the package bit64 is not loaded.
without_integer64 <- function(values) {
    if (is.data.frame(values)) {
        large <- vapply(values, inherits, NA, "integer64")
        values[large] <- lapply(values[large], without_integer64)
        return(values)
    }
    if (!inherits(values, "integer64")) return(values)
    numbers <- integer64_numbers(values)
    dim(numbers) <- dim(values)
    names(numbers) <- names(values)
    numbers
}

# Is it a vector of numbers, truths, texts or categories, or a matrix of numbers, of any class of
# its own, as bases of splines are?
has_plain_class <- function(values) {
    if (length(dim(values)) > 1) return(typeof(values) %in% c("double", "integer", "logical"))
    typeof(values) %in% c("double", "integer", "logical", "character") &&
        (!is.object(values) || all(class(values) %in% c("factor", "ordered", "AsIs", "integer64", "numeric", "integer",
                                                        "logical", "character", "array")))
}

check_class <- function(values, name) {
    if (!has_plain_class(values)) refuse_class(values, name)
}

# Before R compares public texts, whose messages do not name the column.
check_utf8 <- function(values, name) {
    texts <- if (is.factor(values)) levels(values) else values
    if (is.character(texts) && !all(validUTF8(texts) | Encoding(texts) == "latin1"))
        refuse("column ", name, " of the public rows has texts that are not UTF-8: iconv(", name,
               ", \"latin1\", \"UTF-8\") makes such of those of Windows")
}

# The same of names, which R would not even print.
check_names <- function(names) {
    names <- as.character(names)
    odd <- names[!validUTF8(names) & Encoding(names) != "latin1"]
    if (length(odd))
        refuse("the name of column ", texts_of(odd[1]),
               " is not UTF-8: iconv(names(data), \"latin1\", \"UTF-8\") makes such of ",
               "those of Windows")
}

refuse_class <- function(values, name) {
    of <- function(...) inherits(values, c(...))
    first <- "(where a sample is private, in both samples before the fit)"
    seconds <- paste("makes seconds since 1970-01-01 UTC of it", first)
    way <- if (of("Date")) "as.numeric() makes days since 1970-01-01 of it"
           else if (of("POSIXct")) paste("as.numeric()", seconds)
           else if (of("POSIXlt")) paste("as.numeric(as.POSIXct())", seconds)
           else if (of("difftime")) paste("as.numeric(, units = \"days\") makes days of it", first)
           else if (of("haven_labelled")) "haven::as_factor() makes a category of it, as.numeric() the codes"
           else if (is.complex(values)) "Re() and Im() make numbers of it"
           else "make it numbers, texts or a factor"
    what <- if (length(dim(values)) > 1) paste("a", class(values)[1], "of type", typeof(values))
            else paste("of class", class(values)[1])
    refuse(name, " is ", what, ", which has no evident number: ", way)
}

# Before R looks at them, whose messages do not always name them.
check_variables <- function(terms, data) {
    for (variable in variables_of(terms)) {
        name <- if (is.symbol(variable)) as.character(variable)
        if (!is.null(name) && name %in% names(data)) check_class(data[[name]], paste("column", name))
    }
}

check_frame <- function(frame) for (name in names(frame)) check_class(frame[[name]], name)

# Readers choose these classes by the values of a column, so of a private one they decide nothing. No
# other class comes from values, and one may be refused by its name.
guessed_classes <- c("Date", "POSIXct", "POSIXlt", "POSIXt", "difftime", "hms", "ITime", "IDate", "vctrs_list_of",
                     "vctrs_vctr", "list", "complex")

check_private_class <- function(values, name) {
    if (has_plain_class(values) || is.list(values) && !is.object(values) || is.complex(values))
        return(invisible())
    if (!all(setdiff(class(values), c("AsIs", "oldClass")) %in% guessed_classes)) refuse_class(values, name)
}
