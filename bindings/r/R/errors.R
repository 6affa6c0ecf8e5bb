# Raises a failure of the library, or of the package, as a classed condition:
# dpadapt_error_dimension for DPA_E_DIMENSION, and dpadapt_error; the C wrappers call it too.
raise <- function(code, name, message) {
    if (startsWith(message, "dpa_")) message <- counted_from_one(sub("^dpa_[a-z0-9_]+: ", "", message))
    kind <- tolower(sub("^DPA_E_", "dpadapt_error_", name))
    stop(structure(class = c(kind, "dpadapt_error", "error", "condition"),
                   list(message = message, call = NULL, code = code)))
}

# The library counts rows and columns from 0. What it quotes, such as names, stays.
counted_from_one <- function(message) {
    places <- gregexpr("\"[^\"]*\"(*SKIP)(*FAIL)|\\b(row|column) [0-9]+\\b", message, perl = TRUE)
    regmatches(message, places) <- lapply(regmatches(message, places), function(found) {
        sprintf("%s %.0f", sub(" .*", "", found), as.numeric(sub(".* ", "", found)) + 1)
    })
    message
}

refuse <- function(...) raise(-1L, "DPA_E_INVALID_ARGUMENT", paste0(...))

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
