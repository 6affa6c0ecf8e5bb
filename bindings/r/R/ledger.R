# With a budget a new ledger, without one that of the file.
privacy_ledger <- function(file = NULL, epsilon = NULL, delta = NULL, discrepancy_share = NULL, selection_epsilon = NULL,
                           private_domain = "target", lock = FALSE, neighbours = NULL, unit = NULL) {
    if (!is.null(file)) file <- library_path(file)
    if (is.null(epsilon) && is.null(delta)) {
        if (is.null(file)) refuse("a new ledger needs epsilon and delta, an old one its file")
        given <- Filter(Negate(is.null), mget(setdiff(names(match.call())[-1], "file")))
        return(agreeing_ledger(new_ledger(native(R_swig_dpa_ledger_open, file), file), given))
    }
    if (!is_flag(lock)) refuse("lock must be TRUE or FALSE")
    options <- make_options(list(epsilon = epsilon, delta = delta, discrepancy_share = discrepancy_share,
                                 selection_epsilon = selection_epsilon, private_domain = private_domain,
                                 neighbours = neighbours, unit = unit))
    on.exit(native_close(R_swig_dpa_options_destroy, options))
    new_ledger(native(R_swig_dpa_ledger_create, file, options, as.integer(lock)), file)
}

# An old ledger stays what it was made as, whatever is given.
agreeing_ledger <- function(ledger, given) {
    says <- c(lock = "locks", private_domain = "locked private domain", neighbours = "neighbours",
              unit = "unit")
    numbers <- textConnection(native_filled(R_swig_dpa_ledger_report, ledger$handle, 2L))
    on.exit(close(numbers))
    report <- read.dcf(numbers)[1, ]
    for (name in names(given)) {
        known <- report[says[name]]
        if (known %in% "-" && identical(given[[name]], "target")) next # the default, of a ledger without a lock
        if (known %in% c(NA, "-"))
            refuse(name, " is for a new ledger, and an old one does not tell it: leave it out")
        if (!isTRUE(tolower(given[[name]]) == known))
            refuse(name, " is for a new ledger: that of this file has ", name, " = ", known)
    }
    ledger
}

new_ledger <- function(handle, file) structure(list(handle = handle, file = file), class = "dpadapt_ledger")

# The last hash, after the whole chain was read again.
verify_ledger <- function(ledger, head = NULL) {
    if (!inherits(ledger, "dpadapt_ledger")) ledger <- privacy_ledger(ledger)
    bytes <- native_filled(R_swig_dpa_ledger_serialize, ledger$handle)
    if (!is.null(head) && native(R_swig_dpa_ledger_contains, ledger$handle, head)[["contains"]] == 0)
        raise(-6L, "DPA_E_FORMAT", paste("no entry has the hash", head, "- entries were removed, or it is another ledger"))
    invisible(paste(utils::tail(bytes, 32), collapse = "")) # a block ends with its hash
}

print.dpadapt_ledger <- function(x, ...) {
    cat("Privacy ledger", if (is.null(x$file)) "in memory" else x$file, "\n")
    cat(strsplit(as.character(privacy_report(x)), "\n", fixed = TRUE)[[1]][1], "\n", sep = "")
    invisible(x)
}

check_is_ledger <- function(ledger) {
    if (!inherits(ledger, "dpadapt_ledger")) refuse("ledger must be a privacy_ledger")
}

check_ledger <- function(problem) {
    check_is_ledger(problem$ledger)
    if (problem$private_domain == "none") refuse("a ledger is for private records, but private_domain is none")
    given <- names(Filter(Negate(is.null), problem$budget))
    if (length(given))
        refuse("the budget is the ledger's: give ", given[1], " to privacy_ledger, and to each call as its price")
}

# Whose budget is the problem's, from now on. What is told about rows comes before: of a locked
# problem it stays as it is.
use_ledger <- function(problem) {
    if (is.null(problem$ledger) || isTRUE(problem$kept$pays)) return(invisible())
    native(R_swig_dpa_problem_use_ledger, problem$handle, problem$ledger$handle)
    problem$kept$pays <- TRUE
}

# What is known of this session: private fits without a ledger, by the names of their rows.
session <- new.env(parent = emptyenv())
session$told <- FALSE

# Says once that a second fit to the rows of the same name adds to the first; what is in the rows has
# no part in it.
count_fit <- function(fit, ledger) {
    sides <- list(source = c("source", "x"), target = c("target", "target_x"))[private_sides(fit$private_domain)]
    rows <- vapply(fit$call[intersect(names(fit$call), unlist(sides))], deparse1, "")
    if (!is.null(ledger) || session$told || fit$protection != "guaranteed" || !length(rows) || any(grepl("^`?<", rows)))
        return(fit)
    key <- paste(c(rows, fit$rows[names(sides)]), collapse = " ")
    spent <- session[[key]]
    assign(key, c(fit$epsilon, fit$delta), session)
    if (is.null(spent)) return(fit)
    session$told <- TRUE
    message("The second private fit to ", paste(rows, collapse = " and "), " in this session: if the records are the same, both together ",
            "promise epsilon = ", format(spent[1] + fit$epsilon), " and delta = ", format(spent[2] + fit$delta), " only, and every ",
            "further fit adds. A privacy_ledger keeps count and limits the sum.")
    fit
}
