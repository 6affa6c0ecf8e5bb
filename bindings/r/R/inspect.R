inspect_private <- function(problem, loss = "squared", ...) {
    if (!inherits(problem, "dpadapt_problem")) refuse("inspect_private needs a dpadapt_problem")
    check_read(list(...), "fits", problem$private_domain)
    made <- run(problem, list(...), if (missing(loss)) not_given else loss, FALSE,
                function(problem, options) native_filled(R_swig_dpa_inspect_private, problem, options))
    private <- switch(problem$private_domain, both = c("source", "target"), none = character(), problem$private_domain)
    cells <- if (!is.null(problem$schema)) lapply(problem$tables[private], unfit_cells, schema = problem$schema)
    found <- named_columns(strsplit(made$handle, "\n", fixed = TRUE)[[1]], feature_names(problem))
    labels <- label_words(problem, made$coding)
    if (!nzchar(labels)) labels <- labels_of_loss(made$loss)
    structure(found, private = length(private) > 0, labels = labels, cells = cells,
              class = "dpadapt_inspection")
}

labels_of_loss <- function(loss) {
    switch(loss, logistic = "0 or 1, or -1 or 1", softmax = "the number of a class, from 0 on",
           poisson = "a number of at least 0", gamma = "a number above 0",
           survival = "a time, with a minus sign where there was no event", "a finite number")
}

print.dpadapt_inspection <- function(x, ...) {
    cat(if (attr(x, "private")) "NOT PRIVATE: for the custodian of the records alone\n", paste0(x, "\n", recycle0 = TRUE), sep = "")
    cat("The label must be ", attr(x, "labels"), "\n", sep = "")
    for (name in names(attr(x, "cells"))) {
        lines <- attr(x, "cells")[[name]]
        if (length(lines)) cat("Of the ", name, ":\n", paste0("  ", lines, "\n"), sep = "")
    }
    invisible(x)
}
