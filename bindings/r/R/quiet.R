# What private records make a user's function say must not be seen.

# The value; NULL after an error or any other condition, of which nobody else hears. Interrupts go on.
quiet <- function(value, failed = function(e) NULL) {
    refuse_others <- function(c) if (!inherits(c, c("error", "interrupt"))) stop("a condition of class ", class(c)[1])
    tryCatch(withCallingHandlers(value, warning = function(w) tryInvokeRestart("muffleWarning"),
                                 message = function(m) tryInvokeRestart("muffleMessage"), condition = refuse_others),
             error = failed)
}

# The value; what is printed on the way is lost, and random numbers that are drawn leave no trace.
sealed <- function(value) {
    seed <- get0(".Random.seed", globalenv(), inherits = FALSE)
    nowhere <- file(nullfile(), "w")
    messages <- sink.number(type = "message")
    sink(nowhere)
    sink(nowhere, type = "message")
    on.exit({
        sink(if (messages != 2) getConnection(messages), type = "message")
        sink()
        close(nowhere)
        if (!is.null(seed)) assign(".Random.seed", seed, globalenv())
        else suppressWarnings(rm(".Random.seed", envir = globalenv()))
    })
    value
}
