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
    else if (kind == "binary" && all(y %in% c(0, 1)) && any(y == 0)) levels <- c(0, 1)
    if (!is.null(levels) && kind == "number")
        raise(-14L, "DPA_E_LABEL", "this loss needs numbers as labels; loss = \"logistic\" or \"softmax\" take classes")
    if (!is.null(levels) && kind == "binary" && length(levels) != 2)
        raise(-14L, "DPA_E_LABEL", paste("loss = \"logistic\" needs two classes, but the labels have", length(levels)))
    check_spelling(levels, "the labels")
    list(kind = kind, levels = levels)
}

class_codes <- function(y) {
    codes <- sort(unique(numbers_of(y)))
    if (length(codes) && all(is.finite(codes) & codes == floor(codes)) && any(codes != seq_along(codes) - 1)) codes
}

# NaN where a label is missing or no level.
encode_labels <- function(y, coding) {
    if (is.null(coding$levels)) return(numbers_of(y))
    at <- match_levels(y, coding$levels)
    code <- if (coding$kind == "binary") 2 * at - 3 else at - 1
    as.double(ifelse(is.na(code), NaN, code))
}

# As columns are: value by value, in any spelling.
match_levels <- function(y, levels) {
    if (is.logical(levels)) match(truths_of(y), levels)
    else if (is.numeric(levels)) match(numbers_of(y), levels)
    else match(words_of(y), words_of(levels), incomparables = NA)
}

decode_labels <- function(codes, coding) {
    codes[is.nan(codes)] <- NA
    if (is.null(coding$levels)) return(codes)
    coding$levels[if (coding$kind == "binary") (codes + 3) / 2 else codes + 1]
}
