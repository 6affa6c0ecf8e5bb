# A private column as the kind of the public one, value by value. What a reader of files makes of a column depends on all
# its values: one odd entry turns numbers into text, and dates into factors. So 1, "1", " 1.0" and a factor's level "1" are
# the same here, as are TRUE, "TRUE" and "T", and blanks are missing.

# @param known  Levels of the public column, or its distinct texts.
# @return values, in which a level that the public rows do not have is NA, and missing, which says where there is none.
private_column <- function(column, example, known) {
    if (is.factor(example)) {
        words <- words_of(column)
        values <- factor(known[match(words, words_of(known), incomparables = NA)], known, ordered = is.ordered(example))
        return(list(values = values, missing = is.na(words)))
    }
    if (is.character(example)) {
        values <- words_of(column)
        at <- match(values, words_of(known), incomparables = NA)
        values[!is.na(at)] <- known[at[!is.na(at)]] # in the public rows' spelling
    } else if (is.logical(example)) values <- truths_of(column)
    else if (inherits(example, "Date")) values <- dates_of(column)
    else values <- numbers_of(column)
    list(values = values, missing = if (is.numeric(values)) !is.finite(values) else is.na(values))
}

check_kind <- function(example, known, name) {
    kinds <- c("numeric", "integer", "logical", "character", "factor", "ordered", "Date")
    if (!is.null(dim(example)) || !all(class(example) %in% kinds))
        refuse("column ", name, " is of class ", class(example)[1], ", which a private sample cannot have; make it numbers")
    check_spelling(known, name)
}

check_spelling <- function(levels, name) {
    words <- words_of(levels)
    twin <- anyDuplicated(words, incomparables = NA)
    if (twin)
        refuse("levels of ", name, " differ in spelling only: ", levels[match(words[twin], words)], ", ", levels[twin])
}

numbers_of <- function(column) {
    if (is.numeric(column)) as.double(column) else by_text(column, parsed_numbers)
}

truths_of <- function(column) if (is.logical(column)) as.logical(column) else numbers_of(column) != 0

dates_of <- function(column) {
    if (inherits(column, "Date")) .Date(as.double(column))
    else as.Date(if (is.numeric(column)) rep(NA_character_, length(column)) else texts_of(column), "%Y-%m-%d")
}

# One text for all spellings of a number or of a logical; NA for blanks and NaN.
words_of <- function(column) {
    if (is.numeric(column)) return(ifelse(is.na(column), NA_character_, sprintf("%.17g", as.double(column))))
    by_text(column, function(text) {
        number <- parsed_numbers(text, NA)
        truth <- as.logical(text)
        word <- ifelse(!is.na(number), sprintf("%.17g", number), ifelse(is.na(truth), spell_complex(text), truth))
        ifelse(is.nan(number) | !nzchar(trimws(text)), NA_character_, word)
    })
}

by_text <- function(column, parse) {
    text <- texts_of(column)
    distinct <- unique(text)
    parse(distinct)[match(text, distinct)]
}

# A list has no values.
texts_of <- function(column) {
    if (!is.atomic(column)) rep(NA_character_, length(column))
    else if (is.complex(column)) spell_complex(column)
    else as.character(column)
}

# What as.double() and read.csv() take for a number; a logical is 1 or 0.
parsed_numbers <- function(text, of_truth = as.double(as.logical(text))) {
    number <- suppressWarnings(as.double(text))
    left <- is.na(number) & !is.nan(number)
    number <- ifelse(left, of_truth, number)
    real <- grep("\\+0i$", spelled <- spell_complex(text[left]))
    number[which(left)[real]] <- as.double(sub("\\+0i$", "", spelled[real]))
    as.double(number)
}

# A complex number, which is what read.csv() makes of "2i" and of the numbers beside it, has one spelling too.
spell_complex <- function(values) {
    spell <- function(value) {
        if (is.character(value)) value <- utils::type.convert(value, as.is = TRUE, na.strings = character())
        if (is.complex(value)) sprintf("%.17g%+.17gi", Re(value), Im(value)) else NA_character_
    }
    spelled <- vapply(values, spell, "", USE.NAMES = FALSE)
    ifelse(is.na(values) | is.na(spelled), as.character(values), spelled)
}
