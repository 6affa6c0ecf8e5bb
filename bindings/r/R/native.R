# The wrappers that SWIG generated, R_swig_dpa_*, are called here and nowhere by users.

# The last argument asks for copies of C structs, of which there are none.
native <- function(wrapper, ...) .Call(wrapper, ..., FALSE)

# For wrappers that fill a text or bytes: the first call tells the size.
native_filled <- function(wrapper, ...) {
    size <- native(wrapper, ..., 0)
    native(wrapper, ..., size)
}

# Texts of a table with a count, such as the names of the options.
native_texts <- function(wrapper, count) {
    vapply(seq_len(count) - 1, function(i) .Call(wrapper, i), "")
}
