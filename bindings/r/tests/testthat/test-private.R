test_that("a private fit keeps its promise in words and in what it gives", {
    fit <- private_fit()
    expect_identical(c(fit$protection, fit$epsilon, fit$delta), c("guaranteed", "1", "1e-04"))
    expect_output(print(fit), "epsilon = 1, delta = 1e-04", fixed = TRUE)
    expect_output(print(privacy_report(fit)), "PRIVATE")
    expect_match(privacy_report(fit, "json"), "^\\{.*\\}$")
    expect_match(privacy_report(fit, "html"), "^<!DOCTYPE html>.*\"notes\":\\[.*</html>\n$")
    expect_null(weights(fit)$target)
    expect_error(weights(fit, "target"), class = "dpadapt_error_not_releasable")
    expect_length(weights(fit, "source"), 200)
    expect_true(is.na(summary(fit)$objective))
    expect_output(print(private_fit(unsafe_seed = 1)), "NOT PRIVATE")
})

test_that("noise is fresh in every fit, and set.seed() has no part in it", {
    draw <- function(...) {
        set.seed(1)
        coef(private_fit(alpha = 0.5, shrinkage = 0))
    }
    fits <- vapply(1:3, draw, c(0, 0, 0))
    expect_identical(anyDuplicated(fits[2, ]), 0L)
})

test_that("children of a fork draw different noise", {
    skip_on_os("windows")
    draw <- function(i) coef(private_fit(alpha = 0.5, shrinkage = 0))[["a"]]
    draw(0)
    children <- unlist(parallel::mclapply(1:6, draw, mc.cores = 2, mc.preschedule = FALSE))
    expect_length(unique(c(children, draw(0))), 7)
})

test_that("private values cause no error, warning or message", {
    bad <- target_data
    bad$a[1:3] <- c(NA, Inf, -1e300)
    bad$g[4:5] <- c("unseen", NA)
    bad$y[6:7] <- c(NaN, 1e300)
    silent <- function(formula, target = bad, ...) expect_silent(private_fit(formula, target, ...))
    silent(y ~ a + b + g)
    silent(y ~ log(abs(a)) + poly(b, 2) * g)
    silent(I(y / 2) ~ sqrt(abs(b)) + factor(g))
    silent(y ~ a, transform(bad, a = ifelse(is.na(a), "word", as.character(a))))
    silent(y ~ a + b, transform(bad, a = factor(a), y = as.character(y)))
    silent(two ~ a, transform(bad, two = ifelse(b > 1, "third", as.character(two))), loss = "logistic")
    silent(three ~ a + g, transform(bad, three = NA), loss = "softmax")
})

loud <- list(
    function(x) tryCatch({ if (any(x < -6)) warning("odd ", x); x }, warning = function(w) stop(w)),
    function(x) tryCatch({ if (any(x < -6)) warning("odd ", x); x }, warning = function(w) { message(w); x }),
    function(x) { r <- try(if (any(x < -6)) stop("odd ", x) else x); if (inherits(r, "try-error")) NA else r },
    function(x) { if (any(x < -6)) signalCondition(structure(class = c("odd", "condition"), list(message = "", call = NULL))); x },
    function(x) { if (any(x < -6)) print(x); x },
    function(x) { if (any(x < -6)) cat(x, file = stderr()); x },
    function(x) { if (any(x < -6)) stop("odd ", x); x })

test_that("what functions say about private values is not heard", {
    odd <- transform(target_data, a = replace(a, 3, -7), y = replace(y, 3, -7))
    heard <- function(value) {
        said <- character()
        printed <- capture.output(value <- withCallingHandlers(value, condition = function(c)
            if (inherits(c, c("odd", "warning", "message"))) said <<- class(c)))
        c(printed, said, class(value))
    }
    for (f in loud) {
        expect_silent(private_fit(y ~ f(a), odd))
        expect_identical(heard(private_fit(y ~ f(a), odd)), heard(private_fit(y ~ f(a))))
        loss <- custom_loss(function(x, y, theta) {
            y <- f(y)
            r <- drop(x %*% theta) - y
            list(loss = r^2, gradient = 2 * r * x)
        }, loss_bound = 100, gradient_bound = 20, smoothness = 10)
        expect_silent(private_fit(y ~ a, odd, loss = loss, feature_radius = 3, preprocess = "none"))
    }
    expect_false(grepl("odd|-7", geterrmessage()))
    expect_identical(sink.number(type = "message"), 2L)
})

test_that("functions that change the session leave it as it was", {
    state <- function() list(options("digits", "dpadapt.new"), RNGkind(), .Random.seed, sink.number(), nrow(showConnections()))
    set.seed(1)
    before <- state()
    odd <- transform(target_data, a = replace(a, 3, -7))
    for (f in list(function(x) { if (any(x < -6)) options(digits = 3, dpadapt.new = x); x },
                   function(x) { if (any(x < -6)) RNGkind("Wichmann-Hill"); x },
                   function(x) { if (any(x < -6)) sink(nullfile()); x }, function(x) { if (any(x < -6)) sink(); x })) {
        expect_silent(private_fit(y ~ f(a), odd))
        expect_identical(state()[-5], before[-5])
    }
})

test_that("verbose is heard beside a sealed loss", {
    program <- function() {
        library(dpadapt)
        d <- data.frame(a = 1:50 / 50, y = 1:50)
        square <- function(x, y, theta) {
            print("heard?")
            r <- drop(x %*% theta) - y
            list(loss = r^2, gradient = 2 * r * x)
        }
        bounded <- custom_loss(square, loss_bound = 100, gradient_bound = 20, smoothness = 10)
        dpadapt(y ~ a, d, d, bounded, 1, 1e-4, verbose = TRUE, feature_radius = 3, preprocess = "none")
        cat("after\n")
    }
    files <- tempfile(c("program", "told"))
    writeLines(c("program <-", deparse(program), "program()"), files[1])
    system2(file.path(R.home("bin"), "Rscript"), files[1], stdout = files[2], stderr = files[2])
    told <- readLines(files[2])
    expect_true(any(grepl("private steps: iteration", told)) && any(grepl("after", told)))
    expect_false(any(grepl("heard?", told, fixed = TRUE)))
})

test_that("a record that cannot be used counts as zeros", {
    spoilt <- function(change) {
        target <- target_data
        target[7, ] <- change(target[7, ])
        coef(private_fit(y ~ a + g, target, unsafe_seed = 5, alpha = 0.5))
    }
    missing_feature <- spoilt(function(row) transform(row, a = NA))
    expect_identical(missing_feature, spoilt(function(row) transform(row, y = NaN)))
    expect_identical(missing_feature, spoilt(function(row) transform(row, g = NA)))
    expect_false(identical(missing_feature, spoilt(identity)))
})

test_that("the budget covers all calls on a problem", {
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data, epsilon = 2, delta = 1e-4)
    expect_output(print(problem), "private: target")
    expect_s3_class(dpadapt(problem, epsilon = 0.5), "dpadapt")
    expect_error(dpadapt(problem, epsilon = 2), class = "dpadapt_error_budget")
    expect_match(privacy_report(problem), "epsilon = 2", fixed = TRUE)
    expect_error(dpadapt(problem, private_domain = "none"), "belongs to the problem")
})

test_that("the source, or both samples, can be private", {
    fit <- dpadapt(y ~ a + g, source_data, target_data, private_domain = "source", epsilon = 1, delta = 1e-4)
    expect_null(weights(fit)$source)
    both <- function(formula = y ~ a + g, ...) {
        dpadapt(formula, source_data, target_data, private_domain = "both", epsilon = 1, delta = 1e-4, preprocess = "none",
                feature_radius = 3, radius = 4, clip_bound = 2, label_bound = 5, kappa_1 = 1, ...)
    }
    expect_named(coef(both(xlev = list(g = c("u", "v", "w")))), c("(Intercept)", "a", "gv", "gw"))
    expect_error(both(y ~ poly(a, 2)), "no public rows")
    for (formula in list(y ~ factor(g), y ~ as.character(g), y ~ cut(a, 3), y ~ factor(a > 0)))
        expect_error(both(formula), "no public rows to fix the levels of", info = deparse1(formula))
    expect_error(both(y ~ 1), "no features")
    expect_named(coef(both(y ~ factor(g), xlev = list(g = c("u", "v", "w")))),
                 c("(Intercept)", "factor(g)v", "factor(g)w"))
    many <- list(g = c("u", "v", "w", paste0("none", 1:30)))
    expect_length(coef(both(xlev = many)), 34)
    for (breaks in list(c(-9, 0, 1, 9), c(-9, -5, 9), c(15, 18, 65))) {
        problem <- dpadapt_problem(y ~ cut(a, breaks), source_data, target_data, "both")
        wanted <- stats::model.matrix(~ cut(a, breaks), source_data)[, -1, drop = FALSE]
        if (breaks[1] < 0) expect_equal(problem$source$x, wanted, ignore_attr = TRUE)
        expect_identical(dim(problem$source$x), c(200L, length(breaks) - 2L))
    }
})

test_that("private records can be inspected by their custodian", {
    bad <- target_data
    bad$a[1:2] <- NA
    problem <- dpadapt_problem(y ~ a + b, source_data, bad)
    expect_match(inspect_private(problem)[1], "^Target: 2 of [0-9]+ records count as zeros")
    bad$b <- 1000 * bad$b
    found <- inspect_private(dpadapt_problem(y ~ a + b, source_data, bad))
    expect_match(found, "^Target, b: .* times .* the source: other units\\?", all = FALSE)
    expect_error(inspect_private(1), "dpadapt_problem")
})
