# The wrappers that SWIG generated, R_swig_dpa_*, are called here and nowhere by users.

# The last argument asks for copies of C structs, of which there are none.
native <- function(...) .Call(..., FALSE)

# Wrappers of functions that return a text or nothing have no such argument.
native_text <- function(...) .Call(...)
native_close <- function(...) invisible(.Call(...))

# For wrappers that fill a text or bytes, or tell the size; a ledger may grow between two calls.
native_filled <- function(wrapper, ...) {
    filled <- 0
    while (is.numeric(filled)) filled <- native(wrapper, ..., filled)
    filled
}

# All texts of a table, such as the names of the options; beyond the last one there is NULL.
native_texts <- function(wrapper, ...) {
    texts <- character()
    while (!is.null(text <- native_text(wrapper, length(texts), ...))) texts <- c(texts, text)
    texts
}

# As DPA_SOURCE and DPA_TARGET, and DPA_PREDICT_* in their order.
domains <- c(source = 0, target = 1)
private_domains <- c("target", "source", "both", "none")
kinds_of_prediction <- c(labels = 0, scores = 1, probabilities = 2, coordinates = 3)

solution_value <- function(handle, name) native(R_swig_dpa_solution_value, handle, name)[["value"]]

solution_array <- function(handle, name, length) native(R_swig_dpa_solution_array, handle, name, length)

predict_rows <- function(handle, kind, x, length)
    native(R_swig_dpa_solution_predict, handle, kinds_of_prediction[[kind]], x, length)
