# What R's wrappers do on a locked problem, by the table of rights: rights.R SOURCE_DIR. Each bound
# function that takes a problem is called, before a release and after.
library(dpadapt)
source_dir <- commandArgs(TRUE)[1]
lines <- grep("^#", readLines(file.path(source_dir, "tests/rights/rights.txt")), value = TRUE, invert = TRUE)
rights <- do.call(rbind, strsplit(lines, " +"))
rights <- stats::setNames(rights[, 2], rights[, 1])

inner <- asNamespace("dpadapt")
native <- inner$native
wrapper <- function(name) get(paste0("R_swig_", name), inner)
bound <- sub("^R_swig_", "", grep("^R_swig_dpa_", ls(inner), value = TRUE))
unknown <- setdiff(bound, names(rights))
if (length(unknown)) stop("no row in tests/rights/rights.txt: ", toString(unknown))

m <- 40
n <- 30
set.seed(1)
x <- matrix(rnorm(2 * m), m)
z <- matrix(rnorm(2 * n), n)
y <- x[, 1] + rnorm(m) / 5
labels <- z[, 1] + rnorm(n) / 5
budget <- list(epsilon = 60, delta = 1e-3, selection_epsilon = 20, discrepancy_share = 0.3)
options_of <- function(...) inner$make_options(list(...))
new_problem <- function(x) {
    handle <- native(wrapper("dpa_problem_create"))
    native(wrapper("dpa_problem_set_sample"), handle, 0, x, y)
    native(wrapper("dpa_problem_set_sample"), handle, 1, z, labels)
    native(wrapper("dpa_problem_set_budget"), handle, do.call(options_of, budget))
    handle
}
problem <- new_problem(x)
other <- new_problem(-x)
invisible(native(wrapper("dpa_problem_lock"), problem, do.call(options_of, budget)))
ledger <- native(wrapper("dpa_ledger_create"), NULL, do.call(options_of, budget), 0L)
fit <- native(wrapper("dpa_solve"), other, NULL, options_of(epsilon = 1, delta = 1e-6))
search <- native(wrapper("dpa_search_create"))
invisible(native(wrapper("dpa_search_add"), search, "shrinkage", "2,3"))

teller <- function(...) function(call, options) call(problem, ...)
sampler <- function() list(teller(0, x, y), teller(1, z, labels)) # of both domains
with_options <- function(...) function(call, options) call(problem, ..., options)
alone <- function(call, options) call(problem)
calls <- list(
    dpa_problem_set_sample = sampler(), dpa_problem_lend_sample = sampler(),
    dpa_problem_set_groups = list(teller(0, seq_len(m)), teller(1, seq_len(n))),
    dpa_problem_set_weights = list(teller(0, rep(1, m)), teller(1, rep(1, n))),
    dpa_problem_set_scores = list(teller(0, rep(1, m)), teller(1, rep(1, n))),
    dpa_problem_set_source_map = teller(diag(2), c(0, 0)), dpa_problem_set_budget = with_options(),
    dpa_problem_use_ledger = teller(ledger), dpa_problem_lock = with_options(),
    dpa_inspect_private = function(call, options) call(problem, options, 0),
    dpa_solve = with_options(NULL), dpa_baseline_solve = with_options("joint_ssp"),
    dpa_search_run = function(call, options) call(search, other, problem, NULL, options),
    dpa_discrepancy_estimate = with_options(), dpa_evaluate = with_options(list(fit)),
    dpa_solution_calibrate = function(call, options) call(fit, problem, options),
    dpa_votes_count = function(call, options) call(problem, diag(2), 2, options, 4),
    dpa_votes_mean = function(call, options) call(problem, diag(2), 0, 1, options, 2),
    dpa_select = with_options(list(fit, fit)), dpa_plan_for_problem = with_options(),
    dpa_plan_forecast = with_options(n), dpa_baseline_plan = with_options("joint_ssp"), dpa_problem_shape = alone,
    dpa_problem_budget = function(call, options) call(problem, "left_mu"),
    dpa_problem_privacy_report = function(call, options) call(problem, 0, 0), dpa_problem_destroy = NULL)
forgotten <- setdiff(intersect(names(rights)[rights != "apart"], bound), c(names(calls), "dpa_problem_destroy"))
if (length(forgotten)) stop("no call of ", toString(forgotten))

report <- function() inner$read_report(wrapper("dpa_problem_privacy_report"), problem)
options <- options_of(epsilon = 1, delta = 1e-6, selection_epsilon = 0.5, selection_bound = 4)
called <- 0
check <- function(name, right, one) {
    before <- report()
    code <- tryCatch({
        one(function(...) native(wrapper(name), ...), options)
        "ok"
    }, dpadapt_error_state = function(e) "state")
    if (code != (if (right == "refused") "state" else "ok")) stop(name, " is ", right, ", but: ", code)
    if (identical(before, report()) == (right == "pay")) stop(name, " is ", right, ", but the report says otherwise")
    called <<- called + 1
}
for (round in 1:2) for (right in c("refused", "read", "tighten", "pay")) for (name in names(calls))
    if (rights[[name]] == right) for (one in c(calls[[name]])) check(name, right, one)
cat(called, "calls on a locked problem\n")
