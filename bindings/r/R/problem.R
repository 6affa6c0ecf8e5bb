dpadapt_problem <- function(x, ...) UseMethod("dpadapt_problem")

dpadapt_problem.formula <- function(formula, source, target, private_domain = "target", epsilon = NULL, delta = NULL,
                                    discrepancy_share = NULL, contrasts = NULL, xlev = NULL,
                                    na.action = stats::na.omit, ...) {
    no_more(...)
    private_domain <- match.arg(private_domain, c("target", "source", "both", "none"))
    public <- switch(private_domain, source = target, both = made_up_data(formula, source, xlev), source)
    design <- learn_design(formula, public, contrasts, xlev, na.action)
    if (private_domain != "none") design <- private_design(design, public)
    if (private_domain == "both" && has_basis(design))
        refuse("with both samples private there are no public rows to fix a basis such as poly() or scale() on")
    other <- function(data) if (private_domain == "none") apply_design(design, data, na.action)
                            else private_sample(design, data)
    samples <- switch(private_domain, source = list(other(source), design$sample),
                      both = list(other(source), other(target)), list(design$sample, other(target)))
    new_problem(samples[[1]], samples[[2]], private_domain, design$sample$y, design,
                list(epsilon = epsilon, delta = delta, discrepancy_share = discrepancy_share))
}

dpadapt_problem.default <- function(x, y, target_x, target_y, private_domain = "target", epsilon = NULL, delta = NULL,
                                    discrepancy_share = NULL, ...) {
    no_more(...)
    private_domain <- match.arg(private_domain, c("target", "source", "both", "none"))
    source <- matrix_sample(x, y, private_domain %in% c("source", "both"))
    target <- matrix_sample(target_x, target_y, private_domain %in% c("target", "both"))
    public_y <- switch(private_domain, source = target$y, both = NaN, source$y)
    new_problem(source, target, private_domain, public_y, NULL,
                list(epsilon = epsilon, delta = delta, discrepancy_share = discrepancy_share))
}

dpadapt_problem.dpadapt_problem <- function(x, ...) {
    no_more(...)
    x
}

print.dpadapt_problem <- function(x, ...) {
    cat("Domain adaptation problem: ", nrow(x$source$x), " source rows, ", nrow(x$target$x), " target rows, ",
        ncol(x$source$x), " features; private: ", x$private_domain, "\n", sep = "")
    invisible(x)
}

no_more <- function(...) {
    if (...length()) refuse("unknown argument of dpadapt_problem: ", paste(names(list(...)), collapse = ", "))
}

matrix_sample <- function(x, y, is_private) list(x = numeric_matrix(x, is_private), y = y)

# A private value that is no number becomes missing, column by column and without a word.
numeric_matrix <- function(x, is_private) {
    if (is.data.frame(x)) {
        numbers <- vapply(x, is.numeric, NA) | vapply(x, is.logical, NA)
        if (!all(numbers) && !is_private) refuse("features must be numbers; a formula takes factors too")
        columns <- lapply(x, numbers_of)
        return(matrix(unlist(columns), nrow(x), dimnames = list(NULL, names(x))))
    }
    x <- as.matrix(x)
    if (is.numeric(x) || is.logical(x)) {
        if (!is.double(x)) storage.mode(x) <- "double"
        return(x)
    }
    if (!is_private || !is.atomic(x)) refuse("features must be a numeric matrix; a formula takes factors too")
    array(numbers_of(x), dim(x), dimnames(x))
}

# Rows are counted as R does; the library would count them from 0.
check_public <- function(sample, name) {
    bad <- is.na(sample$y) | !is.finite(rowSums(sample$x))
    if (is.numeric(sample$y)) bad <- bad | is.infinite(sample$y)
    if (any(bad)) raise(-3L, "DPA_E_NONFINITE", paste0("row ", which(bad)[1], " of the ", name, " is not finite"))
}

# @param kept  Holds the labels that the library reads while they are lent to it.
new_problem <- function(source, target, private_domain, public_y, design, budget) {
    for (side in list(source, target))
        if (nrow(side$x) != length(side$y)) raise(-2L, "DPA_E_DIMENSION", "there must be a label for each row")
    if (!(private_domain %in% c("source", "both"))) check_public(source, "source")
    if (!(private_domain %in% c("target", "both"))) check_public(target, "target")
    problem <- structure(list(handle = native(R_swig_dpa_problem_create), source = source, target = target,
                              private_domain = private_domain, public_y = public_y, design = design,
                              budget = budget, kept = new.env(parent = emptyenv())), class = "dpadapt_problem")
    if (!is.null(budget$epsilon)) {
        options <- make_options(c(budget, private_domain = private_domain))
        native(R_swig_dpa_problem_set_budget, problem$handle, options)
    }
    problem
}

# Lends the samples to the library, with labels for that loss, and tells how these are coded.
lend_samples <- function(problem, kind) {
    coding <- problem$kept$coding <- label_coding(problem$public_y, kind)
    for (name in c("source", "target")) problem$kept[[name]] <- encode_labels(problem[[name]]$y, coding)
    native(R_swig_dpa_problem_lend_source, problem$handle, problem$source$x, problem$kept$source)
    native(R_swig_dpa_problem_lend_target, problem$handle, problem$target$x, problem$kept$target)
    coding
}
