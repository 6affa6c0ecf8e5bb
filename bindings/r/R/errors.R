# Raises a failure of the library, or of the package, as a classed condition:
# dpadapt_error_dimension for DPA_E_DIMENSION, and dpadapt_error; the C wrappers call it too.
raise <- function(code, name, message) {
    if (startsWith(message, "dpa_")) {
        message <- counted_from_one(sub("^dpa_[a-z0-9_]+: ", "", message))
        for (words in names(words_of_r))
            message <- sub(words, words_of_r[[words]], message, fixed = TRUE)
    }
    kind <- tolower(sub("^DPA_E_", "dpadapt_error_", name))
    stop(structure(class = c(kind, "dpadapt_error", "error", "condition"),
                   list(message = printable(message), call = NULL, code = code)))
}

# A terminal would obey control characters, which a level or a name of any file can have.
printable <- function(text) {
    codes <- utf8ToInt(iconv(enc2utf8(text), "UTF-8", "UTF-8", sub = "byte"))
    letters <- intToUtf8(codes, multiple = TRUE)
    control <- (codes < 32 & !codes %in% 9:10) | (codes >= 127 & codes < 160)
    letters[control] <- sprintf("\\x%02x", codes[control])
    paste(letters, collapse = "")
}

# What the library calls by the names of its functions and of the command.
words_of_r <- c("dpa_solution_calibrate" = "calibrate(fit, rows)", "dpa_select" = "dpadapt_select",
                "call dpa_problem_set_weights" = "give weights =",
                "dpa_ledger_create" = "privacy_ledger",
                ", in the command --budget EPSILON,DELTA" = "",
                "dpa_problem_set_budget" = "dpadapt_problem(epsilon = , delta = )")

# The library counts rows and columns from 0. What it quotes, such as names, stays.
counted_from_one <- function(message) {
    places <- gregexpr("\"[^\"]*\"(*SKIP)(*FAIL)|\\b(row|column) [0-9]+\\b", message, perl = TRUE)
    regmatches(message, places) <- lapply(regmatches(message, places), function(found) {
        sprintf("%s %.0f", sub(" .*", "", found), as.numeric(sub(".* ", "", found)) + 1)
    })
    message
}

refuse <- function(...) raise(-1L, "DPA_E_INVALID_ARGUMENT", paste0(...))

is_flag <- function(value) isTRUE(value) || isFALSE(value)

is_number <- function(value) is.numeric(value) && length(value) == 1 && !is.na(value)

is_text <- function(value) is.character(value) && length(value) == 1 && !is.na(value)

# As match.arg(), but no part of a word stands for it: "n" as private_domain would give up privacy.
one_of <- function(value, choices = NULL) {
    name <- deparse1(substitute(value))
    if (is.null(choices)) choices <- eval(formals(sys.function(sys.parent()))[[name]])
    if (is.null(value) || identical(value, choices)) return(choices[1])
    if (!is_text(value) || !(value %in% choices))
        refuse(name, " must be one of ", paste0("\"", choices, "\"", collapse = ", "))
    value
}

check_count <- function(value, name) {
    if (!is_number(value) || !is_whole(value) || value < 1)
        refuse(name, " must be a whole number, at least 1")
}

check_level <- function(value, name) {
    if (!is_number(value) || value <= 0 || value >= 1) refuse(name, " must be a number in (0, 1)")
}

check_file <- function(file) {
    if (!is_text(file) || !nzchar(file)) refuse("file must be the name of a file")
}

# Other names would not be those of the files that R opens.
library_path <- function(file) {
    check_file(file)
    encoding <- switch(Encoding(file), latin1 = "latin1", "UTF-8" = "UTF-8", "")
    if (is.na(iconv(file, encoding, "")))
        refuse("the name of the file, ", texts_of(file), ", is no text of this locale: ",
               "give it in UTF-8, in a locale of UTF-8")
    path.expand(file)
}

# Before R looks for the arguments of the method, whose messages would be about matrices.
check_first <- function(x, ...) {
    if (missing(x)) x <- if (...length()) ...elt(1)
    if (is_text(x) && grepl("~", x, fixed = TRUE))
        refuse("a formula is given without quotes, or as as.formula(\"", x, "\")")
    if (inherits(x, "dpadapt_problem") && "target" %in% ...names()) refuse("a problem has its samples: leave out target")
    of_frames <- inherits(x, c("formula", "dpadapt_schema"))
    if (is.null(x) || "target" %in% ...names() && !of_frames) refuse(first_argument)
}

first_argument <- paste("the first argument must be a formula, a schema or a problem, or there",
                        "must be x, y, target_x and target_y")

# For methods whose generics have a `...`: what is there would be ignored in silence.
nothing_else <- function(method, ...) {
    if (!...length()) return(invisible())
    name <- c(setdiff(...names(), ""), "without a name")[1]
    refuse(method, " has no argument ", name, instead_of(name))
}

# The value, or NA where it is not released or does not exist.
if_released <- function(value) {
    tryCatch(value, dpadapt_error_not_releasable = function(e) NA_real_,
             dpadapt_error_unsupported = function(e) NA_real_)
}
