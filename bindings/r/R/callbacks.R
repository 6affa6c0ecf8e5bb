# What a running call does in R: it looks for interrupts, tells its progress, evaluates a loss
# function.
make_callbacks <- function(verbose, history = NULL, loss = NULL) {
    tell <- unsealed(message)
    told <- ""  # the library asks more often whether to go on than it has something new to tell
    progress <- if (verbose || !is.null(history)) function(phase, iteration, limit, objective, gap) {
        line <- progress_line(phase, iteration, limit, objective, gap)
        if (verbose && line != told) tell(line)
        told <<- line
        if (!is.null(history)) history$rows[[length(history$rows) + 1]] <- list(phase, iteration, objective, gap)
    }
    native(R_swig_glue_callbacks, progress, loss)
}

progress_line <- function(phase, iteration, limit, objective, gap) {
    paste0(phase, ": iteration ", iteration, if (limit > 0) paste(" of", limit),
           if (is.finite(objective)) paste(", objective", format(objective, digits = 8)),
           if (is.finite(gap)) paste(", gap", format(gap, digits = 3)))
}

# Evaluates a call of the library that may call back. An interrupt during it goes on here, when the
# library has returned.
with_callbacks <- function(callbacks, value) {
    result <- tryCatch(value, dpadapt_error = function(e) e)
    native(R_swig_glue_resume, callbacks)
    if (inherits(result, "dpadapt_error")) stop(result)
    result
}

history_frame <- function(rows) {
    if (!length(rows)) return(NULL)
    frame <- data.frame(phase = vapply(rows, `[[`, "", 1), iteration = vapply(rows, `[[`, 0, 2),
                        objective = vapply(rows, `[[`, 0, 3), gap = vapply(rows, `[[`, 0, 4))
    frame <- frame[is.finite(frame$objective), ]
    rownames(frame) <- NULL
    frame
}
