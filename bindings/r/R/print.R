print.dpadapt <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    cat("Loss ", x$loss, if (x$method != "dpadapt") paste0(", baseline ", x$method), "; ", x$rows[["source"]],
        " source and ", x$rows[["target"]], " target rows\n", sep = "")
    cat(privacy_line(x), "\n", sep = "")
    if (!is.null(x$validation))
        cat("Chosen by ", x$validation$rows, " private validation rows, which paid epsilon = ",
            format(x$validation$epsilon), " from their own budget\n", sep = "")
    cat("\n")
    if (!x$linear) {
        cat(length(x$coefficients), "parameters\n")
    } else {
        cat("Coefficients:\n")
        print(x$coefficients, digits = digits)
    }
    invisible(x)
}

privacy_line <- function(fit) {
    switch(fit$protection, none = "Fitted without privacy",
           seeded = "NOT PRIVATE: the noise was seeded by unsafe_seed",
           guaranteed = paste0("Differentially private (", fit$private_domain, "): epsilon = ", format(fit$epsilon),
                               ", delta = ", format(fit$delta), ", with all else of its problem"))
}
