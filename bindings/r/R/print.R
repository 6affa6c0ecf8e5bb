print.dpadapt <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    cat("Loss ", x$loss, switch(x$method, dpadapt = "", "model file" = ", of a model file", paste0(", baseline ", x$method)), "; ", x$rows[["source"]],
        if (isTRUE(x$persons)) " source rows and " else " source and ", x$rows[["target"]], " target ",
        if (isTRUE(x$persons)) "persons" else "rows", "\n", sep = "")
    cat(privacy_line(x), "\n", x$findings, x$usable, x$unused, sep = "")
    if (!is.null(x$validation))
        cat("Chosen by ", x$validation$by, ", which paid epsilon = ",
            format(x$validation$epsilon), " from their own budget\n", sep = "")
    if (!is.null(x$search)) print_search(x$search, digits)
    cat("\n")
    if (!x$linear) {
        cat(length(x$coefficients), "parameters\n")
    } else {
        cat("Coefficients", if (identical(x$coding$kind, "binary")) paste(" of", modelled_class(x)), ":\n", sep = "")
        print(x$coefficients, digits = digits)
    }
    invisible(x)
}

privacy_line <- function(fit) {
    promise <- paste0("Differentially private (", fit$private_domain, "): epsilon = ", format(fit$epsilon),
                      ", delta = ", format(fit$delta), relation_in_words(fit$neighbours), ", with all else of its problem")
    switch(fit$protection, none = "Fitted without privacy",
           seeded = "NOT PRIVATE: the noise was seeded by unsafe_seed", guaranteed = promise,
           "in part" = paste0(promise, "; but NOT PRIVATE AS A WHOLE: the problem has given more without protection"))
}

# What epsilon is about is said where it is not the usual relation.
relation_in_words <- function(neighbours) {
    if (identical(neighbours, "zero_out")) " for records that are taken out (zero_out)" else ""
}

# Which class probabilities and coefficients are about.
modelled_class <- function(fit) if (is.null(fit$coding$levels)) "1" else as.character(fit$coding$levels[2])
