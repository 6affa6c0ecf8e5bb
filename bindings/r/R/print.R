print.dpadapt <- function(x, digits = max(3, getOption("digits") - 3), ...) {
    cat("\nCall:\n", paste(deparse(x$call), collapse = "\n"), "\n\n", sep = "")
    cat("Loss ", x$loss, if (x$method != "dpadapt") paste0(", baseline ", x$method), "; ", x$rows[["source"]],
        " source and ", x$rows[["target"]], " target rows\n", sep = "")
    cat(privacy_line(x), "\n", x$used, x$usable, sep = "")
    if (!is.null(x$validation))
        cat("Chosen by ", x$validation$rows, " private validation rows, which paid epsilon = ",
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

# What became of the private rows where alpha was chosen by them, from alpha and the report, which
# are released.
# @param report  The text of the report.
use_line <- function(report, private_domain, alpha) {
    if (!(private_domain %in% c("source", "target")) || !grepl("\n  alpha: auto\n", report, fixed = TRUE)) return(NULL)
    share <- if (private_domain == "target") 1 - alpha else alpha
    public <- if (private_domain == "target") "source" else "target"
    chose <- grepl("mean losses of public predictors", report, fixed = TRUE)
    if (share >= 0.01)
        return(paste0("The private rows were used", if (share < 0.1) " a little, most is noise", ": the coefficients went ",
                      format(100 * share, digits = 3), " % of the way from the ", public, "'s predictor to what the noisy ",
                      "sums of private rows show\n"))
    paste0("The private rows were ", if (share == 0 && !chose) "not" else "hardly", " used for the coefficients: the noise ",
           "exceeded what they show; the result is ", if (share > 0) "nearly ", "the ", public, "'s predictor",
           if (chose) ", one of several with more or less ridge", "\n")
}
