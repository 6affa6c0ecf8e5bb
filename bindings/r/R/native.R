# The wrappers that SWIG generated, R_swig_dpa_*, are called here and nowhere by users.

# The last argument asks for copies of C structs, of which there are none.
native <- function(...) .Call(..., FALSE)

# Wrappers of functions that return a text or nothing have no such argument.
native_text <- function(...) .Call(...)
native_close <- function(...) invisible(.Call(...))

# For wrappers that fill a text or bytes: the first call tells the size.
native_filled <- function(wrapper, ...) {
    size <- native(wrapper, ..., 0)
    native(wrapper, ..., size)
}

# Texts of a table with a count, such as the names of the options.
native_texts <- function(wrapper, count) {
    vapply(seq_len(count) - 1, function(i) native_text(wrapper, i), "")
}
