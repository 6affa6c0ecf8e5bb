# Raises a failure of the library, or of the package, as a classed condition:
# dpadapt_error_dimension for DPA_E_DIMENSION, and dpadapt_error; the C wrappers call it too.
raise <- function(code, name, message) {
    message <- sub("^dpa_[a-z0-9_]+: ", "", message)
    kind <- tolower(sub("^DPA_E_", "dpadapt_error_", name))
    stop(structure(class = c(kind, "dpadapt_error", "error", "condition"),
                   list(message = message, call = NULL, code = code)))
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
