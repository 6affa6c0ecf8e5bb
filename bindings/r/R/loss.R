custom_loss <- function(loss, parameters = NULL, loss_bound = Inf, gradient_bound = Inf, smoothness = Inf,
                        predict = NULL) {
    if (!is.function(loss)) refuse("a loss must be a function (x, y, theta)")
    if (!is.null(predict)) predict <- kept_function(predict, new_copies(Inf))
    structure(list(loss = loss, parameters = parameters, loss_bound = loss_bound, gradient_bound = gradient_bound,
                   smoothness = smoothness, predict = predict), class = "dpadapt_loss")
}

# The function as the library calls it. What it does wrong on a record must not be seen, because
# that record may be private: the failure is kept, and told only if the library says that it was on
# public ones.
guarded_loss <- function(loss, failure, private) {
    evaluate <- function(x, y, theta) {
        result <- loss(x, y, theta)
        if (length(result$loss) != length(y) || length(result$gradient) != length(y) * length(theta))
            stop("it must return list(loss, gradient): a number and a row of length(theta) for each row of x")
        list(as.double(result$loss), as.double(result$gradient))
    }
    failed <- function(e) {
        failure$message <- conditionMessage(e)
        NULL
    }
    if (private) function(x, y, theta) quiet(evaluate(x, y, theta), failed)
    else function(x, y, theta) tryCatch(evaluate(x, y, theta), error = failed)
}

with_failure <- function(failure, value) {
    tryCatch(value, dpadapt_error_callback = function(e) {
        if (!is.null(failure$message)) e$message <- paste0(e$message, ": ", failure$message)
        stop(e)
    })
}
