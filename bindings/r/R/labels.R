# Labels are numbers for the library: as they are for regression, -1 and +1 for two classes, 0 to K
# - 1 for several. Which class has which number is decided by public labels.

label_kind <- function(loss, output) {
    if (loss == "perceptron") loss <- if (is.null(output)) "softmax" else output
    switch(loss, logistic = "binary", softmax = "classes", custom = "custom", "number")
}

# How labels like these public ones are coded. Classes are the distinct public labels, also where
# they are numbers other than 0, 1, ...; a fraction is for the loss to refuse.
# @param numbered  Whether classes are 0, 1, ... because their number is an option.
label_coding <- function(y, kind, numbered = FALSE) {
    levels <- NULL
    if (is.logical(y)) levels <- c(FALSE, TRUE)
    else if (is.factor(y)) levels <- factor(levels(y), levels(y))
    else if (is.character(y)) levels <- sort(unique(y))
    else if (kind == "classes" && !numbered) levels <- class_codes(y)
    else if (kind == "binary") levels <- sign_codes(y)
    if (!is.null(levels) && kind == "number")
        raise(-14L, "DPA_E_LABEL", paste("this loss needs numbers as labels; loss = \"logistic\" (family = binomial)",
                                         "or \"softmax\" take classes"))
    if (!is.null(levels) && kind == "binary" && length(levels) != 2)
        raise(-14L, "DPA_E_LABEL", paste("loss = \"logistic\" needs two classes, but the labels have", length(levels)))
    check_spelling(levels, "the labels")
    list(kind = kind, levels = levels)
}

class_codes <- function(y) {
    codes <- sort(unique(numbers_of(y)))
    if (length(codes) && all(is.finite(codes) & codes == floor(codes)) && any(codes != seq_along(codes) - 1)) codes
}

# As two classes are coded in numbers, or NULL.
sign_codes <- function(y) Filter(function(codes) length(y) && all(y %in% codes), list(c(-1, 1), c(0, 1)))[1][[1]]

# NaN where a label is missing or no level.
encode_labels <- function(y, coding) {
    if (is.null(coding$levels)) return(numbers_of(y))
    at <- match_levels(y, coding$levels)
    code <- if (coding$kind == "binary") 2 * at - 3 else at - 1
    as.double(ifelse(is.na(code), NaN, code))
}

# The places of values among public levels, value by value, by the rule of all languages (Tables in
# docs/command.md): the same spelling; else the only level that differs in capitals alone; else, where
# two levels mean no and yes, a usual word for one of them.
match_levels <- function(values, levels) match_words(words_of(values), levels)

match_words <- function(words, levels) {
    spelled <- words_of(levels)
    at <- match(words, spelled, incomparables = NA)
    texts <- without_blanks_around(texts_of(plain_values(levels)))
    # T and TRUE are one word here, so t is no other spelling than true.
    names <- in_small_letters(c(spelled, texts, as.logical(toupper(texts))))
    place <- rep(seq_along(texts), 3)
    of_several <- names[place != place[match(names, names)]]
    folded <- in_small_letters(words)
    meant <- match(folded, names, incomparables = c(NA, of_several))
    sign <- usual_pair(in_small_letters(texts))[usual_sign(folded)]
    sign[folded %in% names] <- NA
    found <- ifelse(is.na(meant), sign, place[meant])
    as.integer(ifelse(is.na(at), found, at))
}

in_small_letters <- function(text) chartr(paste(LETTERS, collapse = ""), paste(letters, collapse = ""), text)

# 1 for a usual word for no, 2 for one for yes.
usual_sign <- function(word) {
    ifelse(word %in% c("-1", "0", "no", "n", "false", "f"), 1L, ifelse(word %in% c("1", "yes", "y", "true", "t"), 2L, NA))
}

# The places of no and yes; of more than two levels they must be whole words.
usual_pair <- function(texts) {
    sign <- usual_sign(texts)
    if (!setequal(sign[!is.na(sign)], 1:2) || sum(!is.na(sign)) != 2) return(c(NA, NA))
    if (length(texts) > 2 && !all(grepl("..", texts[!is.na(sign)]) & !grepl("^-", texts[!is.na(sign)]))) return(c(NA, NA))
    match(1:2, sign)
}

decode_labels <- function(codes, coding) {
    codes[is.nan(codes)] <- NA
    if (is.null(coding$levels)) return(codes)
    coding$levels[if (coding$kind == "binary") (codes + 3) / 2 else codes + 1]
}
