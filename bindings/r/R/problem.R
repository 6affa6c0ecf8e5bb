dpadapt_problem <- function(x, ...) {
    check_first(x, ...)
    UseMethod("dpadapt_problem")
}

dpadapt_problem.formula <- function(formula, source, target, private_domain = "target", epsilon = NULL, delta = NULL,
                                    discrepancy_share = NULL, contrasts = NULL, xlev = NULL,
                                    na.action = stats::na.omit, selection_epsilon = NULL, ledger = NULL,
                                    groups = NULL, weights = NULL, scores = NULL, sources = NULL, source_map = NULL, ...,
                                    neighbours = NULL) {
    no_more(...)
    if (missing(source) || missing(target))
        refuse("a fit needs two data frames, source = and target =: the rows that teach, and those that it is for")
    private_domain <- one_of(private_domain, private_domains)
    if (!(is.null(na.action) || is.function(na.action) ||
          is_text(na.action) && exists(na.action, mode = "function")))
        refuse("na.action must be a function, such as na.omit")
    if (!is.null(xlev) && (!is.list(xlev) || length(xlev) && is.null(names(xlev))))
        refuse("xlev must be a list of levels by names of factors, as in list(g = c(\"u\", \"v\"))")
    bound <- bind_sources(source, sources)
    source <- bound$source
    if (!is.data.frame(source) || !is.data.frame(target)) refuse("a formula needs data frames as source and target")
    for (named in list(names(source), names(target)))
        if (anyDuplicated(named)) refuse("a sample has two columns ", named[duplicated(named)][1])
    check_rows(source, target)
    target <- without_integer64(target)
    ids <- read_groups(groups, private_domain, target)
    values <- list(weights = public_only(read_row_values(weights, source, target, "weights", private_domain), weights,
                                         private_domain),
                   scores = read_row_values(scores, source, target, "scores", private_domain), sources = list(source = bound$ids))
    unread <- unread_weights(weights, private_domain, list(source = source, target = target))
    times <- if (has_times(formula))
        times_of(formula, list(source = source, target = target), private_domain)
    if (!is.null(times)) {
        source <- timed_rows(times, source, if (private_domain %in% c("target", "none")) "source")
        target <- timed_rows(times, target, if (private_domain %in% c("source", "none")) "target")
        formula[[2]] <- as.name(times$name)
    }
    named <- list(groups, weights, scores, sources)
    source <- map_source(without_columns(source, formula, named), source_map,
                         private_domain %in% c("source", "both"))
    target <- without_columns(target, formula, named)
    public <- switch(private_domain, source = target, both = made_up_data(formula, source, xlev), source)
    made_up <- private_domain == "both"
    design <- (if (made_up) suppressWarnings else identity)(
        learn_design(formula, public, contrasts, xlev, na.action,
                     min(nrow(source), if (is.null(ids)) nrow(target) else max(ids)), made_up))
    if (private_domain != "none") design <- private_design(design, public)
    if (private_domain == "both" && has_basis(design))
        refuse("with both samples private there are no public rows to fix a basis such as poly() or scale() on")
    design$computed <- computed_of_design(design, if (private_domain != "both") public)
    design$bare <- bare_design(design) # before anything is paid
    design$left_out <- if (private_domain != "both") nrow(public) - nrow(design$sample$x)
    other <- function(data) if (private_domain == "none") apply_design(design, data, na.action)
                            else private_sample(design, data)
    samples <- switch(private_domain, source = list(other(source), design$sample),
                      both = list(other(source), other(target)), list(design$sample, other(target)))
    for (name in names(values)) {
        values[[name]]$source <- of_kept_rows(values[[name]]$source, samples[[1]]$x, source)
        values[[name]]$target <- of_kept_rows(values[[name]]$target, samples[[2]]$x, target)
    }
    problem <- new_problem(samples[[1]], samples[[2]], private_domain, design$sample$y, design,
                           list(epsilon = epsilon, delta = delta, discrepancy_share = discrepancy_share,
                                selection_epsilon = selection_epsilon, neighbours = neighbours), ledger, ids, values)
    sides <- if (private_domain == "source") c("target", "source") else c("source", "target")
    data <- list(source = source, target = target)[sides]
    problem$unused <- paste0(unused_line(formula, names(data[[1]]), names(data[[2]]), sides[2]), unread)
    problem$times <- times
    problem
}

# Columns that a formula with a dot would mean, had the other sample them.
unused_line <- function(formula, known, given, side) {
    unused <- setdiff(given, c(known, all.vars(formula)))
    if (!("." %in% all.vars(formula)) || !length(unused)) return("")
    paste0("Not used, because only the ", side, " has them: ", paste(unused, collapse = ", "), "\n")
}

dpadapt_problem.default <- function(x, y, target_x, target_y, private_domain = "target", epsilon = NULL, delta = NULL,
                                    discrepancy_share = NULL, selection_epsilon = NULL, ledger = NULL, groups = NULL,
                                    weights = NULL, scores = NULL, sources = NULL, source_map = NULL, ...,
                                    neighbours = NULL) {
    no_more(...)
    if (missing(y) || missing(target_x)) refuse(first_argument)
    private_domain <- one_of(private_domain, private_domains)
    from_private <- private_domain %in% c("source", "both")
    check_rows(x, target_x)
    source <- matrix_sample(map_source(x, source_map, from_private), y, from_private)
    if (!ncol(source$x)) refuse("x has no columns")
    target <- matrix_sample(target_x, target_y, private_domain %in% c("target", "both"))
    public_y <- switch(private_domain, source = target$y, both = NaN, source$y)
    new_problem(source, target, private_domain, public_y, NULL,
                list(epsilon = epsilon, delta = delta, discrepancy_share = discrepancy_share,
                     selection_epsilon = selection_epsilon, neighbours = neighbours), ledger, read_groups(groups, private_domain, target_x),
                list(weights = read_row_values(weights, x, target_x, "weights", private_domain),
                     scores = read_row_values(scores, x, target_x, "scores", private_domain),
                     sources = list(source = if (!is.null(sources)) bind_sources(as.data.frame(x), sources)$ids)))
}

# Whose the rows of the target are, as numbers: a column of it by its name, or a value for each row.
# Rows without one are one person's, and so are those of ids that differ in spelling alone, by
# blanks at their ends, capitals A to Z or the notation of a number: of two persons that are taken for
# one, both are protected.
read_groups <- function(groups, private_domain, target) {
    if (is.null(groups)) return(NULL)
    if (private_domain != "target") refuse("groups protect persons of the target: private_domain must be target")
    if (is.character(groups) && length(groups) == 1 && is.data.frame(target) && groups %in% names(target))
        groups <- target[[groups]]
    groups <- without_list(groups, "groups")
    if (!is.atomic(groups) || length(groups) != nrow(target))
        raise(-2L, "DPA_E_DIMENSION", "groups must be the name of a column of the target, or have a value for each of its rows")
    words <- person_words(groups)
    match(words, unique(words))
}

person_words <- function(groups) {
    words <- words_of(groups)
    words <- trimws(ifelse(is.na(words), as.character(groups), words), whitespace = "[ \t\r\n]")
    words <- chartr(paste(LETTERS, collapse = ""), paste(letters, collapse = ""), words)
    ifelse(words %in% c("", "na", "n/a", "nan", "null", ".", "?"), NA, words)
}

dpadapt_problem.dpadapt_problem <- function(x, ...) {
    no_more(...)
    x
}

print.dpadapt_problem <- function(x, ...) {
    cat("Domain adaptation problem: ", nrow(x$source$x), " source rows, ",
        if (is.null(x$groups)) paste(nrow(x$target$x), "target rows") else paste("target rows of", max(x$groups), "persons"), ", ",
        ncol(x$source$x), " features; private: ", x$private_domain, "\n", sep = "")
    cat(x$unused)
    if (x$private_domain != "none") cat(usable_line(x), if (is.null(x$ledger) || isTRUE(x$kept$pays)) budget_line(x$handle),
                                        "\n", sep = "")
    if (!is.null(x$ledger)) cat("It pays from a ledger", if (!is.null(x$ledger$file)) paste0(", ", x$ledger$file), "\n", sep = "")
    invisible(x)
}

# Private rows are never counted aloud; public ones tell what to expect of them.
usable_line <- function(problem) {
    if (any(problem$unlabelled > 0)) return(paste(problem$unlabelled, "public rows have no label and were left out\n"))
    left_out <- problem$design$left_out
    if (is.null(left_out) || left_out == 0) return("")
    rows <- nrow(problem$design$sample$x) + left_out
    paste0(left_out, " of ", rows, " public rows (", format(100 * left_out / rows, digits = 2), " %) have missing values and ",
           "were left out; if private rows are alike, as many of a hundred of them count as zeros\n")
}

budget_line <- function(handle) {
    number <- function(name) native(R_swig_dpa_problem_budget, handle, name)[["value"]]
    tryCatch(paste0("Budget: epsilon = ", format(number("epsilon")), ", delta = ", format(number("delta")),
                    relation_in_words(c("replace", "zero_out")[number("neighbours") + 1]),
                    "; spent: epsilon = ", format(signif(number("spent_epsilon"), 6)), " at this delta",
                    " (a guarantee for calls fixed in advance; the budget is one for all)"),
             dpadapt_error_state = function(e) "No budget yet: the first private call fixes and spends it")
}

check_rows <- function(source, target) {
    for (sample in list(list(source, "source"), list(target, "target")))
        if (identical(NROW(sample[[1]]), 0L)) raise(-9L, "DPA_E_EMPTY", paste("the", sample[[2]], "has no rows"))
}

no_more <- function(...) {
    no_model_arguments(...)
    if (any(c("loss", "family") %in% ...names()))
        refuse("a problem has no loss: give it to what is made of the problem, as in dpadapt(problem, loss = ) or ",
               "inspect_private(problem, loss = )")
    if (...length()) refuse("unknown argument of dpadapt_problem: ", paste(names(list(...)), collapse = ", "))
}

# Arguments of lm() that there are not, before R evaluates them.
no_model_arguments <- function(...) {
    given <- intersect(...names(), c("subset", "offset", "data", "weights"))
    if (length(given)) refuse(given[1], " is not supported: ", switch(given[1],
        subset = "take the rows first, as in source = subset(data, ...)", offset = no_offset,
        data = "source = and target = are the data", weights = "they belong to the problem, as in dpadapt_problem(..., weights = )"))
}

no_offset <- paste("scores = takes the scores of a model for numbers, of which a fit is the correction; of counts fit the rate,",
                   "count / time, by poisson with weights = time, which is offset(log(time))")

matrix_sample <- function(x, y, is_private) {
    x <- numeric_matrix(x, is_private)
    y <- without_integer64(if (is_private) without_list(y, "the label") else y)
    if (!is.null(y) && is.atomic(y)) if (is_private) check_private_class(y, "the label") else check_class(y, "the label")
    check_names(colnames(x))
    named <- colnames(x)[nzchar(colnames(x))]
    if (anyDuplicated(named)) refuse("the features have two columns ", named[duplicated(named)][1])
    list(x = x, y = if (is.null(y)) rep(NaN, nrow(x)) else y, unlabelled = is.null(y))
}

# A private value that is no number becomes missing, column by column and without a word.
numeric_matrix <- function(x, is_private) {
    x <- without_integer64(x)
    check <- if (is_private) check_private_class else check_class
    if (is.data.frame(x)) {
        for (name in names(x)) check(x[[name]], paste("column", name))
        numbers <- vapply(x, is.numeric, NA) | vapply(x, is.logical, NA)
        if (!all(numbers) && !is_private) refuse("features must be numbers; a formula takes factors too")
        columns <- lapply(x, numbers_of)
        return(matrix(unlist(columns, use.names = FALSE), nrow(x), dimnames = list(NULL, names(x))))
    }
    if (is.atomic(x) && is.object(x)) check(x, "the matrix of features")
    x <- as.matrix(x)
    if (is.numeric(x) || is.logical(x)) {
        if (!is.double(x)) storage.mode(x) <- "double"
        return(x)
    }
    if (!is_private || !is.atomic(x)) refuse("features must be a numeric matrix; a formula takes factors too")
    array(numbers_of(x), dim(x), dimnames(x))
}

# Rows go by their names: those of a data frame stay what they were when others are dropped. A row of
# the target may lack its label.
check_public <- function(sample, name) {
    if (name == "source" && isTRUE(sample$unlabelled)) refuse("y is NULL: the source needs labels")
    bad <- !is.finite(rowSums(sample$x))
    if (name == "source") bad <- bad | is.na(sample$y)
    if (is.numeric(sample$y)) bad <- bad | is.infinite(sample$y)
    if (!any(bad)) return(invisible())
    row <- which(bad)[1]
    if (!is.null(rownames(sample$x))) row <- rownames(sample$x)[row]
    raise(-3L, "DPA_E_NONFINITE", paste0("row ", row, " of the ", name, " is not finite"))
}

# Columns are matched by position; where both sides have names, these must agree.
check_columns <- function(x, width, names, what, other) {
    if (ncol(x) != width)
        raise(-2L, "DPA_E_DIMENSION", paste0(what, " must have ", width, " columns as ", other, ", but has ", ncol(x)))
    differs <- if (!is.null(names) && !is.null(colnames(x))) which(colnames(x) != names)
    if (length(differs))
        refuse("column ", differs[1], " of ", what, " is ", colnames(x)[differs[1]], ", but ", names[differs[1]], " of ",
               other, ": columns are matched by position and must have the same names")
}

# A public label that the coding does not know. Private ones are unusable without a word.
check_labels <- function(y, name, coding) {
    codes <- encode_labels(y, coding)
    unknown <- !is.na(y) & (is.na(codes) | coding$kind == "binary" & !(codes %in% c(-1, 1)) |
                            is.numeric(coding$levels) & !(numbers_of(y) %in% coding$levels))
    if (!any(unknown)) return(invisible())
    first <- y[unknown][order(y[unknown] %in% -1:1)[1]] # 10 is wrong of 0 and 10
    known <- if (!is.null(coding$levels)) as.character(coding$levels)
             else if (coding$kind == "binary") "0 and 1, or -1 and 1"
             else "numbers"
    raise(-14L, "DPA_E_LABEL",
          paste0("the ", name, " has the label ", first, ", but labels are ",
                 paste(utils::head(known, 5), collapse = ", "), if (length(known) > 5) ", ...",
                 if (coding$kind == "binary" && is.numeric(y) && any(y > 0 & y < 1, na.rm = TRUE))
                     "; successes and failures are a row for each trial"))
}

# @param kept  Holds the labels that the library reads while they are lent to it.
new_problem <- function(source, target, private_domain, public_y, design, budget, ledger = NULL, groups = NULL,
                        values = list()) {
    check_columns(target$x, ncol(source$x), colnames(source$x), "the target", "the source")
    for (side in list(source, target)) {
        if (is.list(side$y) || NCOL(side$y) != 1) refuse("labels must be a vector")
        if (nrow(side$x) != length(side$y)) raise(-2L, "DPA_E_DIMENSION", "there must be a label for each row")
    }
    if (!(private_domain %in% c("source", "both"))) check_public(source, "source")
    if (!(private_domain %in% c("target", "both"))) check_public(target, "target")
    problem <- structure(list(handle = native(R_swig_dpa_problem_create), source = source, target = target,
                              private_domain = private_domain, public_y = public_y, design = design,
                              budget = budget, ledger = ledger, groups = groups, values = values, process = Sys.getpid(),
                              kept = new.env(parent = emptyenv())),
                         class = "dpadapt_problem")
    if (!is.null(ledger)) {
        check_ledger(problem)
        if (!tells_of_rows(problem)) use_ledger(problem)
        return(problem)
    }
    if (!is.null(budget$selection_epsilon) && is.null(budget$epsilon))
        refuse("selection_epsilon is a part of the budget: give epsilon and delta too")
    if (!is.null(budget$epsilon)) {
        options <- make_options(c(budget, private_domain = private_domain))
        native(R_swig_dpa_problem_set_budget, problem$handle, options)
    }
    problem
}

# What is told of rows comes before a ledger that locks.
tells_of_rows <- function(problem) !is.null(problem$groups) || length(unlist(problem$values)) > 0

# Lends the samples to the library, with labels for that loss, and tells how these are coded.
lend_samples <- function(problem, kind, numbered = FALSE) {
    coding <- problem$kept$coding <- label_coding(problem$public_y, kind, numbered)
    public <- switch(problem$private_domain, target = "source", source = "target", none = c("source", "target"))
    for (name in public) check_labels(problem[[name]]$y, name, coding)
    for (name in names(domains)) lend_sample(problem, name, coding)
    use_ledger(problem)
    coding
}

# A sample that the library has with these labels stays: a locked problem takes no other.
lend_sample <- function(problem, name, coding) {
    if (identical(problem$kept$codings[[name]], coding)) return(invisible())
    check_process(problem, name)
    codes <- if (!isTRUE(problem[[name]]$unlabelled)) encode_labels(problem[[name]]$y, coding)
    native(R_swig_dpa_problem_lend_sample, problem$handle, domains[[name]], problem[[name]]$x, codes)
    set_row_values(problem, name)
    if (name == "target" && !is.null(problem$groups))
        native(R_swig_dpa_problem_set_groups, problem$handle, domains[["target"]], problem$groups)
    problem$kept[[name]] <- codes
    problem$kept$codings[[name]] <- coding
    if (name == "source") problem$kept$reference <- NULL
}

# A fork has copied the records, and each copy would fix a budget of its own.
check_process <- function(problem, name) {
    if (!(name %in% private_sides(problem$private_domain)) || problem$process == Sys.getpid() || !is.null(problem$ledger$file))
        return(invisible())
    # The handle of a saved problem is an error of its own.
    tryCatch(native(R_swig_dpa_problem_budget, problem$handle, "epsilon"),
             dpadapt_error_state = function(e) NULL)
    raise(-5L, "DPA_E_STATE",
          paste0("the ", name, " was given to dpadapt_problem in the process that this one was forked from, and each copy of it would ",
                 "have a budget of its own: what several processes pay from is a privacy_ledger with a file"))
}
