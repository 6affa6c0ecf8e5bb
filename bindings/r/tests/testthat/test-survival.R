times_of <- function(rows, level, seed) {
    set.seed(seed)
    data <- data.frame(a = rnorm(rows), g = factor(sample(c("u", "v"), rows, TRUE)))
    time <- rexp(rows, level * exp(0.8 * data$a - 0.5 * (data$g == "v")))
    end <- pmin(rexp(rows, 0.3), 3)
    cbind(data, time = pmin(time, end), status = as.integer(time <= end))
}
there <- times_of(1500, 1, 1)
here <- times_of(600, 2, 2)

test_that("the source's fit is Cox's", {
    skip_if_not_installed("survival")
    cox <- survival::coxph(survival::Surv(time, status) ~ a + g, there)
    fit <- dpadapt_survival(Surv(time, status) ~ a + g, there, there, private_domain = "none")
    expect_lt(max(abs(coef(fit)[c("a", "gv")] - coef(cox)) / sqrt(diag(vcov(cox)))), 0.1)
    times <- c(0.2, 0.7, 1.5)
    curves <- predict(fit, there[1:3, ], type = "survival", times = times)
    known <- summary(survival::survfit(cox, there[1:3, ]), times = times)$surv
    expect_equal(unname(curves), t(known), tolerance = 0.02, ignore_attr = TRUE)
})

test_that("events are coded as Surv takes them", {
    fit <- function(formula, change = identity) coef(dpadapt_survival(formula, change(there), change(here), private_domain = "none"))
    known <- fit(Surv(time, status) ~ a + g)
    expect_same_numbers(fit(survival::Surv(time, event = status == 1) ~ a + g), known)
    expect_same_numbers(fit(Surv(time, status + 1) ~ a + g), known)
    expect_same_numbers(fit(Surv(time, dead) ~ a + g, function(d) transform(d, dead = status == 1)), known)
    expect_same_numbers(fit(Surv(time, status) ~ .), known)
})

test_that("private fits have curves with intervals and hazard ratios", {
    fit <- dpadapt_survival(Surv(time, status) ~ a + g, there, here, epsilon = 2, delta = 1e-4, inference = "yes",
                            unsafe_seed = 1)
    expect_s3_class(fit, "dpadapt")
    rows <- data.frame(a = c(-1, 0, 1), g = "u")
    curves <- predict(fit, rows, type = "survival", times = c(0.2, 0.7, 99), conf.level = 0.9)
    expect_named(curves, c("fit", "lower", "upper"))
    expect_equal(dimnames(curves$fit)[[2]], c("0.2", "0.7", "99"))
    expect_true(all(curves$lower[, 1:2] < curves$upper[, 1:2]) && all(curves$upper[, 1:2] < 1))
    expect_true(all(is.nan(curves$fit[, 3])) && all(diff(curves$fit[, 1]) < 0))
    expect_equal(predict(fit, rows, type = "risk"), exp(predict(fit, rows)))
    expect_no_warning(ratios <- dpadapt:::tidy.dpadapt(fit, exponentiate = TRUE))
    expect_equal(ratios$estimate, exp(unname(coef(fit))))
})

test_that("a model file is a fit of times, too", {
    fit <- dpadapt_survival(Surv(time, status) ~ a + g, there, here, epsilon = 2, delta = 1e-4,
                            inference = "yes")
    model <- read_model(write_model(fit, tempfile()))
    expect_identical(class(model), class(fit))
    rows <- here[1:5, ]
    for (type in c("lp", "risk")) expect_equal(predict(model, rows, type), predict(fit, rows, type))
    curves <- function(fit) predict(fit, rows, "survival", times = c(0.2, 0.7), conf.level = 0.9)
    expect_equal(curves(model), curves(fit))
})

test_that("arguments are evaluated once", {
    file <- tempfile()
    fit <- dpadapt_survival(Surv(time, status) ~ a, there, here, epsilon = 1, delta = 1e-5,
                            ledger = privacy_ledger(file, epsilon = 2, delta = 1e-4))
    expect_s3_class(fit, "dpadapt_survival")
})

test_that("problems take Surv(), so fits can be evaluated and searched", {
    problem <- function(rows, ...) dpadapt_problem(Surv(time, status) ~ a + g, there, rows, ...)
    fit <- dpadapt_survival(Surv(time, status) ~ a + g, there, here, private_domain = "none")
    later <- times_of(400, 2, 3)
    signed <- function(rows) data.frame(rows[c("a", "g")],
                                        time = ifelse(rows$status == 1, rows$time, -rows$time))
    by_signs <- function(rows) dpadapt_problem(time ~ a + g, signed(there), signed(rows), "none")
    found <- evaluate(fit, problem(transform(later, time_of_day = 1), private_domain = "none"))
    wanted <- evaluate(dpadapt(by_signs(here), loss = "survival"), by_signs(later))
    expect_identical(as.data.frame(found), as.data.frame(wanted))
    expect_true("concordance" %in% found$name)
    private <- evaluate(fit, problem(later, epsilon = 4, delta = 1e-5))
    expect_true(all(private$lower < private$upper))
    expect_identical(coef(dpadapt(problem(here, private_domain = "none"), loss = "survival")),
                     coef(fit))
    best <- dpadapt_search(problem(here, private_domain = "none"), later, list(alpha = c(0, 0.5)),
                           loss = "survival")
    expect_s3_class(best, "dpadapt_survival")
    expect_error(dpadapt(problem(here)), "censored times .* loss = \"survival\"")
    squared <- dpadapt(by_signs(here))
    expect_error(evaluate(squared, problem(later, private_domain = "none")), "censored times")
})

test_that("one odd private cell in Surv() changes its own record only", {
    labels <- function(event, formula) {
        rows <- here
        rows$status <- event
        dpadapt_problem(formula, there, rows)$target$y
    }
    formulas <- list(Surv(time, status) ~ a, Surv(time, status == 1) ~ a, Surv(time, status + 0) ~ a)
    for (formula in formulas) {
        wanted <- labels(here$status, formula)
        text <- replace(ifelse(here$status == 1, "1.0", "0"), 1, "odd")
        for (odd in list(text, factor(text), as.list(text)))
            expect_identical(labels(odd, formula), replace(wanted, 1, NaN))
    }
    expect_error(dpadapt_problem(Surv(time, status) ~ a, there, here["a"]), "no column time")
})

test_that("of a private source the codes of events are the target's", {
    odd <- transform(there, status = replace(status, 1, 7))
    fit <- function(source) dpadapt_survival(Surv(time, status) ~ a, source, here,
                                             private_domain = "source", epsilon = 2, delta = 1e-4)
    expect_s3_class(fit(odd), "dpadapt_survival")
    twos <- dpadapt_problem(Surv(time, status + 1) ~ a, there, here, "source")
    expect_identical(twos$source$y,
                     dpadapt_problem(Surv(time, status) ~ a, there, here, "source")$source$y)
})

test_that("what is not offered is said", {
    refused <- function(formula, words, ...)
        expect_error(dpadapt_survival(formula, there, here, private_domain = "none", ...), words)
    refused(time ~ a, "begin with Surv")
    refused(Surv(time, time, status) ~ a, "right-censored")
    refused(Surv(time, status) ~ a + strata(g), "strata")
    refused(Surv(time, ifelse(status == 1, 1, 0)) ~ a, "by itself")
    refused(Surv(time, a) ~ g, "0 and 1, 1 and 2")
    refused(Surv(time, status) ~ a, "own loss", loss = "squared")
    fit <- dpadapt_survival(Surv(time, status) ~ a, there, here, private_domain = "none")
    expect_error(predict(fit, here, type = "survival"), "needs times")
    expect_error(predict(fit, here, type = "risk", times = 1), "type = \"survival\"")
    expect_error(predict(fit, here, type = "survival", times = 1, conf.level = 2), "conf.level must be")
    expect_error(dpadapt(time ~ a, there, here, loss = "cox"), "dpadapt_survival")
})

test_that("without privacy Surv() takes columns of any class", {
    wanted <- coef(dpadapt_survival(Surv(time, status) ~ a, there, here, private_domain = "none"))
    start <- as.POSIXct("2020-01-01", tz = "UTC")
    classes <- function(rows) transform(rows, stay = as.difftime(time, units = "days"), start = start,
                                        end = start + 86400 * time,
                                        status = structure(as.double(status), class = c("haven_labelled", "double")))
    fit <- function(formula) coef(dpadapt_survival(formula, classes(there), classes(here), private_domain = "none"))
    expect_equal(fit(Surv(as.numeric(stay, units = "days"), status) ~ a), wanted)
    expect_equal(fit(Surv(as.numeric(end - start, units = "days"), status == 1) ~ a), wanted, tolerance = 1e-4)
    expect_error(dpadapt_survival(Surv(as.numeric(stay, units = "days"), status) ~ a, classes(there), classes(here)),
                 "stay is of class difftime")
})

test_that("a private date and a private text are compared record by record", {
    dated <- function(rows) data.frame(rows["a"], t = rows$time, ed = as.Date("2020-02-01") + rows$status,
                                       txt = "2020-02-01", stringsAsFactors = FALSE)
    labels <- function(rows) dpadapt_problem(Surv(t, ed > txt) ~ a, dated(there), rows)$target$y
    private <- dated(here)
    wanted <- labels(private)
    expect_identical(wanted, ifelse(here$status == 1, here$time, -here$time))
    for (place in c(1, 5)) for (odd in c("unknown", "2020/02/01 x", NA)) {
        found <- labels(transform(private, txt = replace(txt, place, odd)))
        expect_identical(found[-place], wanted[-place])
    }
    expect_identical(labels(transform(private, txt = replace(txt, 1, "unknown")))[1], NaN)
})

test_that("values that a public factor lacks count as those of a text", {
    state <- function(rows) ifelse(rows$status == 1, "dead", "alive")
    factors <- transform(there, s = factor(state(there)))
    other <- replace(state(here), which(here$status == 0)[1:3], "moved")
    for (private_domain in c("source", "target")) {
        labels <- function(s) {
            samples <- list(factors, transform(here, s = s))
            if (private_domain == "source") samples <- rev(samples)
            dpadapt_problem(Surv(time, s == "dead") ~ a, samples[[1]], samples[[2]], private_domain)
        }
        side <- private_domain
        expect_identical(labels(factor(other))[[side]]$y, labels(state(here))[[side]]$y)
    }
})

test_that("a public cell of Surv() that cannot be read is an error, an empty one is missing", {
    problem <- function(times, events, ...)
        dpadapt_problem(Surv(time, status) ~ a, transform(there, time = times, status = events), here, ...)
    for (private_domain in c("none", "target")) {
        fails <- function(...) expect_error(problem(..., private_domain), "row 2 of the source has no time")
        fails(replace(as.character(there$time), 2, "odd"), there$status)
        fails(there$time, replace(as.character(there$status), 2, "odd"))
        fails(there$time, factor(replace(as.character(there$status), 2, "odd")))
        made <- problem(there$time, replace(as.character(there$status), 2, " "), private_domain)
        expect_equal(nrow(made$source$x), nrow(there) - 1)
    }
})

test_that("private columns of Surv() have the classes of features", {
    problem <- function(time) {
        rows <- here
        rows$time <- time
        dpadapt_problem(Surv(time, status) ~ a, there, rows)
    }
    expect_error(problem(numeric_version(as.character(seq_len(nrow(here))))), "column time is")
    expect_error(problem(cbind(here$time, 1)), "must be vectors")
})

test_that("the formula of a fit with loss = \"survival\" is the user's", {
    f <- dpadapt(Surv(time, status) ~ a, there, here, loss = "survival", private_domain = "none")
    expect_equal(formula(f), Surv(time, status) ~ a, ignore_attr = TRUE)
    expect_named(coef(update(f, . ~ . + g)), c("(Intercept)", "a", "gv"))
    problem <- dpadapt_problem(Surv(time, status) ~ a, there, here, "none")
    expect_equal(formula(dpadapt(problem, loss = "survival")), Surv(time, status) ~ a, ignore_attr = TRUE)
})

test_that("predict of times has the types and levels of other fits, too", {
    fit <- dpadapt(Surv(time, status) ~ a + g, there, here, loss = "survival", private_domain = "none")
    rows <- here[1:3, ]
    expect_identical(predict(fit, rows, "link"), predict(fit, rows, "lp"))
    expect_identical(predict(fit, rows, "response"), predict(fit, rows, "risk"))
    expect_equal(dpadapt:::augment.dpadapt(fit, rows, type.predict = "response")$.fitted, unname(predict(fit, rows, "risk")))
    new <- data.frame(a = 0, g = "w")
    expect_error(predict(fit, new))
    expect_true(is.finite(predict(fit, new, levels = "other")))
    expect_true(is.finite(predict(fit, new, "survival", times = 0.5, levels = "other")))
})
