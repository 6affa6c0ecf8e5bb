# A private column as the kind of the public one, value by value. What a reader of files makes of a
# column depends on all its values: one odd entry turns numbers into text, and dates into factors.
# So 1, "1", " 1.0" and a factor's level "1" are the same here, as are TRUE, "TRUE" and "T", and
# blanks are missing, or that level if the public rows have a blank one.

# @param known  Levels of the public column, its distinct texts, or the two numbers that its classes are.
# @return values, in which a level that the public rows do not have is NA, and missing, which says
# where there is none.
private_column <- function(column, example, known) {
    if (is.factor(example) || is.character(example)) {
        values <- words_of(column)
        at <- match_words(values, known)
        blank <- grep("^[[:space:]]*$", known)
        if (length(blank)) at[is.na(values)] <- blank[1]
        if (is.factor(example))
            return(list(values = factor(known[at], known, ordered = is.ordered(example)),
                        missing = is.na(values) & is.na(at)))
        values[!is.na(at)] <- known[at[!is.na(at)]] # in the public rows' spelling
    } else if (is.logical(example)) values <- truths_of(column)
    else if (inherits(example, "Date")) values <- dates_of(column)
    else values <- numbers_or_signs(column, if (is.numeric(known)) known)
    list(values = values, missing = if (is.numeric(values)) !is.finite(values) else is.na(values))
}

check_kind <- function(example, known, name) {
    kinds <- c("numeric", "integer", "logical", "character", "factor", "ordered", "Date")
    if (!is.null(dim(example)) || !all(class(example) %in% kinds))
        refuse("column ", name, " is of class ", class(example)[1],
               ", which a private sample cannot have: ",
               "make it numbers in both samples before the fit")
    check_spelling(known, name)
}

check_spelling <- function(levels, name) {
    if (any(is_time(texts_of(levels))))
        refuse(name, " has times, which a private sample cannot have; make them other texts, as by paste0(\"at \", ...)")
    words <- words_of(levels)
    twin <- anyDuplicated(words, incomparables = NA)
    if (twin)
        refuse("levels of ", name, " differ in spelling only: ", levels[match(words[twin], words)], ", ", levels[twin],
               "; make them texts that are no numbers in both samples, as by paste0(\"c\", ...)")
}

# No number is -0, as none that is read as an integer can be.
numbers_of <- function(column) {
    column <- plain_values(column)
    if (is.numeric(column)) as.double(column) + 0 else by_text(column, parsed_numbers, NA_real_)
}

truths_of <- function(column) match_levels(column, c(FALSE, TRUE)) == 2

# Of labels that are two classes in numbers a usual word is its number.
numbers_or_signs <- function(column, codes) {
    numbers <- numbers_of(column)
    if (is.null(codes)) return(numbers)
    as.double(ifelse(is.na(numbers), codes[match_levels(column, codes)], numbers))
}

dates_of <- function(column) {
    if (inherits(column, "Date")) return(.Date(as.double(column)))
    column <- plain_values(column)
    if (is.numeric(column)) .Date(rep(NA_real_, length(column))) else .Date(by_text(column, parsed_dates, NA_real_))
}

# One text for all spellings of a number, a logical or a date; NA for blanks and NaN.
words_of <- function(column) {
    column <- plain_values(column)
    if (is.numeric(column)) return(ifelse(is.na(column), NA_character_, sprintf("%.17g", as.double(column) + 0)))
    by_text(column, function(text) {
        number <- parsed_numbers(text, NA)
        truth <- as.logical(text)
        date <- as.character(.Date(parsed_dates(text)))
        word <- ifelse(!is.na(truth), truth, ifelse(!is.na(date), date, spell_complex(text)))
        word <- ifelse(is.na(number), word, sprintf("%.17g", number))
        ifelse(is.nan(number) | grepl("^[[:space:]]*$", text) | is_time(text), NA_character_, word)
    }, NA_character_)
}

# A vector without a class whose methods could look at all values, or that a reader chooses by all
# values.
plain_values <- function(column) {
    if (inherits(column, c("POSIXt", "difftime", "ITime"))) rep(NA_character_, length(column))
    # Unclassed, because elements of some classes are lists of that class again.
    else if (is.list(column)) vapply(unclass(column), text_of_element, "", USE.NAMES = FALSE)
    else if (!is.atomic(column)) rep(NA_character_, length(column))
    else if (inherits(column, "integer64")) integer64_numbers(column)
    else if (is.factor(column)) levels(column)[as.integer(unclass(column))]
    else if (inherits(column, "Date")) as.character(column)
    else as.vector(unclass(column))
}

# A private vector that one odd record has made a list.
without_list <- function(column, name) {
    if (!is.list(column) || is.data.frame(column)) return(column)
    check_private_class(column, name)
    plain_values(column)
}

# As readers of JSON make lists of columns in which one entry is odd.
text_of_element <- function(value) {
    value <- plain_values(value)
    if (length(value) != 1 || is.na(value)) NA_character_
    else if (is.numeric(value)) sprintf("%.17g", value)
    else as.character(value)
}

# 64 bits in place of those of a double.
integer64_numbers <- function(column) {
    halves <- halves_of(column)
    number <- halves$high * 2^32 + halves$low
    ifelse(number == -2^63, NA, number)
}

halves_of <- function(column) {
    halves <- matrix(readBin(writeBin(as.double(unclass(column)), raw(), endian = "little"), "integer",
                             2 * length(unclass(column)), endian = "little"), 2)
    halves[is.na(halves)] <- -2^31
    list(high = halves[2, ], low = halves[1, ] %% 2^32)
}

# @param nothing  The value of a text that cannot be parsed.
by_text <- function(column, parse, nothing) {
    text <- without_blanks_around(texts_of(column))
    distinct <- unique(text)
    values <- quiet(parse(distinct))
    if (is.null(values)) values <- vapply(distinct, function(one) {
        value <- quiet(parse(one))
        if (is.null(value)) nothing else value
    }, nothing, USE.NAMES = FALSE)
    values[match(text, distinct)]
}

# In UTF-8, bytes that are none by their numbers.
texts_of <- function(column) {
    if (is.complex(column)) return(spell_complex(column))
    text <- as.character(column)
    bytes <- !is.na(text) & Encoding(text) == "bytes"
    text[!bytes] <- enc2utf8(text[!bytes])
    odd <- bytes | !is.na(text) & !validUTF8(text)
    text[odd] <- vapply(text[odd], function(one) {
        codes <- as.integer(charToRaw(one))
        paste0(ifelse(codes < 128, intToUtf8(codes %% 128, TRUE), sprintf("<%02x>", codes)), collapse = "")
    }, "", USE.NAMES = FALSE)
    text
}

# As the library trims cells: blanks of Unicode, and letters of no width.
without_blanks_around <- function(text) {
    blanks <- "[\t-\r \u0085\u00a0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]+"
    for (end in c(paste0("^", blanks), paste0(blanks, "\\z"))) text <- sub(end, "", text, perl = TRUE)
    text
}

# What as.double() and read.csv() take for a number; a logical is 1 or 0.
parsed_numbers <- function(text, of_truth = as.double(as.logical(text))) {
    comma <- grepl("^[[:space:]]*[-+]?[0-9]*,[0-9]+([eE][-+]?[0-9]+)?[[:space:]]*$", text)
    text[comma] <- sub(",", ".", text[comma], fixed = TRUE) # of read.csv2()
    number <- suppressWarnings(as.double(text))
    left <- is.na(number) & !is.nan(number)
    number <- ifelse(left, of_truth, number)
    real <- grep("\\+0i$", spelled <- spell_complex(text[left]))
    number[which(left)[real]] <- as.double(sub("\\+0i$", "", spelled[real]))
    as.double(number) + 0
}

# What readers make a class of if the whole column is like it, POSIXct or hms, which plain_values()
# cannot use.
is_time <- function(text) {
    day <- "[0-9]{4}[-/]?[0-9]{1,2}[-/]?[0-9]{1,2}"
    clock <- "[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?[[:space:]]*([AaPp][Mm])?"
    zone <- "([Zz]|[-+][0-9:]+)?[[:space:]]*$"
    grepl(paste0("^[[:space:]]*(", day, "[Tt[:space:]]+)?", clock, zone), text) |
        grepl(paste0("^[[:space:]]*", day, "T[0-9.,]+", zone), text)
}

parsed_dates <- function(text) {
    text[!grepl("^[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}$", text)] <- NA
    as.double(as.Date(chartr("/", "-", text), "%Y-%m-%d"))
}

# A complex number, which is what read.csv() makes of "2i" and of the numbers beside it, has one
# spelling too.
spell_complex <- function(values) {
    spell <- function(value) {
        if (is.character(value)) value <- utils::type.convert(value, as.is = TRUE, na.strings = character())
        if (is.complex(value)) sprintf("%.17g%+.17gi", Re(value) + 0, Im(value) + 0) else NA_character_
    }
    spelled <- vapply(values, spell, "", USE.NAMES = FALSE)
    ifelse(is.na(values) | is.na(spelled), as.character(values), spelled)
}
