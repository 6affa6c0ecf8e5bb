formula <- y ~ a + b
entries_of <- function(ledger) length(gregexpr("\"sequence\"", privacy_report(ledger, "json"), fixed = TRUE)[[1]])
spend <- function(ledger, epsilon) {
    dpadapt(formula, source_data, target_data, epsilon = epsilon, delta = 1e-5, ledger = ledger)
}

test_that("problems and sessions share the budget of a file", {
    file <- tempfile()
    ledger <- privacy_ledger(file, epsilon = 1, delta = 1e-5)
    expect_identical(as.character(file.mode(file)), "600")
    expect_error(privacy_ledger(file, epsilon = 1, delta = 1e-5), class = "dpadapt_error_store")
    fit <- spend(ledger, 0.6)
    expect_identical(c(fit$epsilon, fit$delta), c(1, 1e-5))
    expect_error(spend(ledger, 0.9), class = "dpadapt_error_budget")
    head <- verify_ledger(ledger)
    expect_match(head, "^[0-9a-f]{64}$")
    expect_match(privacy_report(ledger, "json"), paste0('"head":"', head, '"'), fixed = TRUE)
    again <- privacy_ledger(file)
    expect_error(spend(again, 0.9), class = "dpadapt_error_budget")
    spend(again, 0.1)
    expect_identical(entries_of(ledger), 2L)
    expect_false(identical(verify_ledger(file, head), head))
    expect_output(print(ledger), "Entries: 2")
    expect_match(privacy_report(again), "Budget: epsilon = 1", fixed = TRUE)

    bytes <- readBin(file, "raw", 1e6)
    writeBin(bytes[seq_len(4096)], file) # the entries are cut off
    expect_error(verify_ledger(file, head), "no entry has the hash", class = "dpadapt_error_format")
    expect_error(spend(again, 0.1), class = "dpadapt_error_format")
    bytes[5000] <- xor(bytes[5000], as.raw(1))
    writeBin(bytes, file)
    expect_error(privacy_ledger(file), class = "dpadapt_error_format")
    expect_error(privacy_ledger(tempfile()), class = "dpadapt_error_store")
})

test_that("what is given for an existing file must be what it says", {
    file <- tempfile()
    privacy_ledger(file, epsilon = 1, delta = 1e-5)
    others <- list(lock = TRUE, unit = "person", neighbours = "zero_out",
                   private_domain = "source", discrepancy_share = 0.5)
    for (name in names(others))
        expect_error(do.call(privacy_ledger, c(file, others[name])),
                     paste(name, "is for a new ledger"), info = name)
    expect_s3_class(privacy_ledger(file, lock = FALSE, unit = "record", neighbours = "replace"),
                    "dpadapt_ledger")
    locking <- tempfile()
    privacy_ledger(locking, epsilon = 1, delta = 1e-5, lock = TRUE, private_domain = "both",
                   unit = "person")
    expect_s3_class(privacy_ledger(locking, lock = TRUE, private_domain = "both", unit = "person"),
                    "dpadapt_ledger")
    expect_error(privacy_ledger(locking, private_domain = "target"),
                 "that of this file has private_domain = both")
})

test_that("epsilon is about replaced records or about such that are taken out", {
    fit <- dpadapt(formula, source_data, target_data, epsilon = 1, delta = 1e-5)
    expect_identical(fit$neighbours, "replace")
    expect_false(any(grepl("taken out", capture.output(print(fit)))))
    problem <- dpadapt_problem(formula, source_data, target_data, epsilon = 1, delta = 1e-5, neighbours = "zero_out")
    expect_output(print(problem), "zero_out")
    fit <- dpadapt(problem, epsilon = 0.4) # takes the relation of its problem
    expect_identical(fit$neighbours, "zero_out")
    expect_output(print(fit), "taken out (zero_out)", fixed = TRUE)
    expect_match(privacy_report(fit), "neighbours = zero_out", fixed = TRUE)
    ledger <- privacy_ledger(epsilon = 1, delta = 1e-5, neighbours = "zero_out")
    expect_error(spend(ledger, 0.1), "neighbours", class = "dpadapt_error_state")
    dpadapt(formula, source_data, target_data, epsilon = 0.1, delta = 1e-5, ledger = ledger, neighbours = "zero_out")
    expect_identical(entries_of(ledger), 1L)
})

test_that("persons have a budget in a file", {
    file <- tempfile()
    ledger <- privacy_ledger(file, epsilon = 1, delta = 1e-5, unit = "person", lock = TRUE)
    expect_output(print(ledger), "about persons (neighbours = replace) and locks its problems", fixed = TRUE)
    persons <- rep(seq_len(nrow(target_data) / 2), each = 2, length.out = nrow(target_data))
    pay <- function(epsilon, ...) dpadapt(formula, source_data, target_data, epsilon = epsilon, delta = 1e-6, ...)
    for (i in 1:2) fit <- pay(0.5, ledger = privacy_ledger(file), groups = persons)
    report <- privacy_report(fit, "json")
    for (member in c("\"unit\":\"person\"", "\"locks\":true", "\"entry_count\":2", "\"own_entries\":[{\"sequence\":2,"))
        expect_match(report, member, fixed = TRUE)
    expect_error(pay(0.9, ledger = ledger, groups = persons), class = "dpadapt_error_budget")
    expect_error(pay(0.1, ledger = ledger), "unit = person", class = "dpadapt_error_state")
    records <- privacy_ledger(epsilon = 1, delta = 1e-5)
    expect_error(pay(0.1, ledger = records, groups = persons), "unit = record", class = "dpadapt_error_state")
    expect_identical(entries_of(ledger), 2L)
})

# Five searches at pure epsilon 1 on the same rows once all succeeded, and were recorded nowhere.
test_that("validation rows of searches pay from the ledger", {
    search <- function(ledger) {
        problem <- dpadapt_problem(formula, source_data, target_data, ledger = ledger)
        dpadapt_search(problem, target_data[1:100, ], list(shrinkage = c(2, 4)), epsilon = 0.2, delta = 1e-6,
                       selection_epsilon = 1, selection_bound = 10)
    }
    ledger <- privacy_ledger(epsilon = 4, delta = 1e-5, selection_epsilon = 2, discrepancy_share = 0)
    best <- search(ledger)
    expect_identical(entries_of(ledger), 3L)
    expect_match(privacy_report(ledger), "selection of a candidate")
    expect_match(best$validation$report[["text"]], "PRIVATE")
    search(ledger)
    expect_error(search(ledger), class = "dpadapt_error_budget")
    expect_identical(entries_of(ledger), 6L)

    alone <- dpadapt_problem(formula, source_data, target_data, epsilon = 2, delta = 1e-5)
    expect_error(dpadapt_search(alone, target_data, list(shrinkage = c(2, 4)), epsilon = 0.2, delta = 1e-6,
                                selection_epsilon = 1, selection_bound = 10),
                 "remembers", class = "dpadapt_error_invalid_argument")
})

test_that("a lock holds for every call", {
    ledger <- privacy_ledger(epsilon = 2, delta = 1e-5, lock = TRUE)
    problem <- dpadapt_problem(two ~ a + b, source_data, target_data, ledger = ledger)
    for (i in 1:2) # the samples stay lent
        expect_identical(dpadapt(problem, epsilon = 0.2, delta = 1e-6, loss = "logistic")$protection, "guaranteed")
    expect_error(dpadapt(problem, epsilon = 0.2, delta = 1e-6, loss = "logistic", unsafe_seed = 1),
                 class = "dpadapt_error_state")
    expect_error(inspect_private(problem, "logistic"), class = "dpadapt_error_state")
    expect_match(privacy_report(problem, "json"), "\"private\":true", fixed = TRUE)
    source <- dpadapt_problem(formula, source_data, target_data, "source", ledger = ledger)
    expect_error(dpadapt(source, epsilon = 0.2, delta = 1e-6), class = "dpadapt_error_state")
})

test_that("other labels are lent again", {
    problem <- dpadapt_problem(two ~ a + b, source_data, target_data, private_domain = "none")
    first <- dpadapt(problem, loss = "logistic")
    softmax <- dpadapt(problem, loss = "softmax")
    again <- dpadapt(problem, loss = "logistic")
    expect_identical(coef(first), coef(again))
    expect_identical(coef(softmax), coef(public_fit(two ~ a + b, loss = "softmax")))
})

test_that("mistakes are told", {
    ledger <- privacy_ledger(epsilon = 1, delta = 1e-5)
    expect_error(privacy_ledger(), "needs epsilon", class = "dpadapt_error_invalid_argument")
    expect_error(privacy_ledger(epsilon = 1), class = "dpadapt_error_option")
    expect_error(privacy_ledger(epsilon = 1, delta = 1e-5, lock = NA), "lock")
    expect_error(dpadapt_problem(formula, source_data, target_data, epsilon = 1, delta = 1e-5, ledger = ledger),
                 "budget is the ledger's")
    expect_error(dpadapt_problem(formula, source_data, target_data, ledger = "file"), "privacy_ledger")
    expect_error(dpadapt_problem(formula, source_data, target_data, "none", ledger = ledger), "none")
    expect_error(verify_ledger(ledger, "abc"), class = "dpadapt_error_invalid_argument")
})

test_that("records of one person have their own epsilon", {
    expect_equal(privacy_epsilon(1e-5, 0.26805112249, records = c(1, 30)), c(1, 65.82870815208764))
    expect_equal(privacy_epsilon(0, 0, laplace_epsilon = 0.5, pure_epsilon = 0.25, records = 2), 1.5)
    expect_error(privacy_epsilon(1e-5, 1, records = 0), "records", class = "dpadapt_error_invalid_argument")
})

test_that("weights come before a ledger that locks, and rows are evaluated twice", {
    weights <- list(source = seq_len(nrow(source_data)) / nrow(source_data))
    locking <- privacy_ledger(epsilon = 20, delta = 1e-3, lock = TRUE)
    problem <- dpadapt_problem(formula, source_data, target_data, ledger = locking, weights = weights)
    for (i in 1:2)
        expect_identical(dpadapt(problem, epsilon = 1, delta = 1e-5)$protection, "guaranteed")
    fit <- public_fit(formula)
    rows <- dpadapt_problem(formula, source_data, target_data, ledger = locking)
    for (i in 1:2) expect_s3_class(evaluate(fit, rows, epsilon = 4, delta = 1e-5), "dpadapt_evaluation")
})

test_that("a child of a fork has no budget in memory", {
    skip_on_os("windows")
    in_children <- function(problem) {
        force(problem) # it is made here, not in the children
        fit <- function(i) tryCatch(dpadapt(problem, epsilon = 1, delta = 1e-5)$protection,
                                    dpadapt_error = function(e) class(e)[1])
        unlist(parallel::mclapply(1:4, fit, mc.cores = 2, mc.preschedule = FALSE))
    }
    refused <- rep("dpadapt_error_state", 4)
    fixed <- dpadapt_problem(formula, source_data, target_data, epsilon = 1, delta = 1e-5)
    expect_identical(in_children(fixed), refused)
    expect_identical(dpadapt(fixed)$protection, "guaranteed")
    expect_identical(in_children(dpadapt_problem(formula, source_data, target_data)), refused)
    in_memory <- privacy_ledger(epsilon = 1, delta = 1e-5)
    expect_identical(in_children(dpadapt_problem(formula, source_data, target_data, ledger = in_memory)), refused)
    file <- tempfile()
    on.exit(unlink(file))
    shared <- dpadapt_problem(formula, source_data, target_data, ledger = privacy_ledger(file, epsilon = 1, delta = 1e-5))
    expect_identical(sort(in_children(shared)), c(rep("dpadapt_error_budget", 3), "guaranteed"))
})
