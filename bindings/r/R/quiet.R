# What private records make a user's function say must not be seen.

# The value; NULL after an error or any other condition, of which nobody else hears. Interrupts go
# on, random numbers are what they were.
quiet <- function(value, failed = function(e) NULL) {
    seed <- get0(".Random.seed", globalenv(), inherits = FALSE)
    on.exit(if (!is.null(seed)) assign(".Random.seed", seed, globalenv()))
    refuse_others <- function(c) if (!inherits(c, c("error", "interrupt"))) stop("a condition of class ", class(c)[1])
    tryCatch(withCallingHandlers(value, warning = function(w) tryInvokeRestart("muffleWarning"),
                                 message = function(m) tryInvokeRestart("muffleMessage"), condition = refuse_others),
             error = failed)
}

# The value; what is printed on the way is lost, and options, random numbers and the last error
# message tell nothing of it.
sealed <- function(value) {
    if (!exists(".Random.seed", globalenv(), inherits = FALSE)) set.seed(NULL)
    before <- list(options = options(), output = sink.number(), messages = sink.number(type = "message"))
    nowhere <- NULL
    on.exit(suspendInterrupts(quiet(unseal(before, nowhere))))
    suspendInterrupts({
        nowhere <- file(nullfile(), "w")
        sink(nowhere)
        sink(nowhere, type = "message")
    })
    value
}

unseal <- function(before, nowhere) {
    while (sink.number() > before$output) sink()
    unsink_messages(before$messages)
    if (!is.null(nowhere)) try(close(nowhere), silent = TRUE)
    added <- setdiff(names(options()), names(before$options))
    options(c(before$options, stats::setNames(vector("list", length(added)), added)))
    try(stop("geterrmessage() tells nothing of private records"), silent = TRUE)
}

unsink_messages <- function(number) sink(if (number != 2) getConnection(number), type = "message")

# A function that is heard even so.
unsealed <- function(f) {
    outside <- sink.number(type = "message")
    function(...) {
        inside <- sink.number(type = "message")
        unsink_messages(outside)
        on.exit(if (inside != outside) unsink_messages(inside))
        f(...)
    }
}
