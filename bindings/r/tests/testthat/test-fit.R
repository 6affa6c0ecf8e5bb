test_that("a fit behaves like other models of R", {
    fit <- public_fit(y ~ a + b + g)
    expect_named(coef(fit), names(coef(lm(y ~ a + b + g, source_data))))
    x <- model.matrix(~ a + b + g, target_data)
    expect_equal(predict(fit, target_data), drop(x %*% coef(fit)), tolerance = 1e-12)
    expect_lengths <- vapply(weights(fit), length, 0L)
    expect_equal(expect_lengths, c(source = 200, target = 120))
    expect_output(print(fit), "without privacy")
    expect_output(print(summary(fit)), "duality gap")
    expect_identical(fit$call[[1]], quote(dpadapt))
    expect_identical(deparse(fit$call$formula), "formula")
})

test_that("formula and matrix give the same bits", {
    x <- function(data) as.matrix(data[c("a", "b")])
    fit <- dpadapt(x(source_data), source_data$y, x(target_data), target_data$y, private_domain = "none")
    expect_identical(coef(fit), coef(public_fit()))
    expect_identical(predict(fit, x(target_data)), unname(predict(public_fit(), target_data)))
})

test_that("the minimum is that of the objective", {
    fit <- public_fit(discrepancy = 0, alpha = 0.5, kappa_1 = 1e6, radius = 1e3)
    rows <- rbind(source_data, target_data)
    weighted <- lm(y ~ a + b, rows, weights = rep(c(0.5 / 200, 0.5 / 120), c(200, 120)))
    expect_equal(coef(fit), coef(weighted), tolerance = 1e-5)
})

test_that("missing values are dropped from public rows, as by lm()", {
    holes <- rbind(source_data, transform(source_data[1:3, ], a = c(NA, 1, 2), y = c(0, NA, 3), g = c("u", "v", NA)))
    fit <- function(data) coef(dpadapt(y ~ a + g, data, target_data, private_domain = "none"))
    expect_identical(fit(holes), fit(source_data))
    expect_error(dpadapt(y ~ a, holes, target_data, private_domain = "none", na.action = na.fail), "missing values")
    expect_identical(is.na(predict(public_fit(), transform(target_data[1:2, ], a = c(NA, 1)))), c("1" = TRUE, "2" = FALSE))
    x <- cbind(c(1, NA, 3))
    expect_error(dpadapt(x, 1:3, x, 1:3, private_domain = "none"), "row 2 of the source",
                 class = "dpadapt_error_nonfinite")
})

test_that("levels and contrasts come from the source", {
    fit <- public_fit(y ~ a + g, contrasts = list(g = "contr.sum"))
    expect_named(coef(fit), c("(Intercept)", "a", "g1", "g2"))
    new <- transform(target_data[1:2, ], g = "other")
    expect_error(predict(fit, new), "new level")
    expect_error(dpadapt(y ~ a + g, source_data, rbind(target_data, new), private_domain = "none"), "new level")
    expect_equal(predict(fit, subset(target_data, g == "w")), predict(fit, target_data)[target_data$g == "w"])
})

test_that("wrong calls are refused", {
    expect_error(public_fit(alhpa = 1), class = "dpadapt_error_option_name")
    expect_error(public_fit(alpha = 2), class = "dpadapt_error_option")
    expect_error(public_fit(alpha = list()), class = "dpadapt_error_option_type")
    expect_error(public_fit(alpha = NA_real_), class = "dpadapt_error_option")
    expect_error(dpadapt(y ~ a, source_data, target_data), class = "dpadapt_error_option")
    expect_error(public_fit(~ a), "no response")
    expect_error(public_fit(y ~ 1), "no features")
    expect_error(public_fit(two ~ a), class = "dpadapt_error_label")
    expect_error(public_fit(three ~ a, loss = "logistic"), class = "dpadapt_error_label")
    expect_error(dpadapt(matrix(1, 3), 1:2, matrix(1), 1, private_domain = "none"), class = "dpadapt_error_dimension")
    expect_error(predict(public_fit()), "newdata")
})

test_that("options of every type are passed on", {
    fit <- public_fit(form = "general", intercept = FALSE, iterations = 30L, discrepancy_center = c(1, 2), preprocess = "none")
    expect_named(coef(fit), c("a", "b"))
    expect_identical(dim(dpadapt_options("form")), c(1L, 7L))
    expect_lte(sum(dpadapt_options()$tier == "basic"), 15)
    expect_setequal(dpadapt_options()$type, c("real", "integer", "boolean", "choice", "vector"))
    expect_output(print(dpadapt_options("alpha")), "Share of the source")
    expect_error(dpadapt_options("alhpa"), class = "dpadapt_error_option_name")
})

test_that("progress is told, and history kept, without privacy only", {
    expect_message(fit <- public_fit(verbose = TRUE), "solve: iteration")
    expect_true(all(diff(fit$history$objective) <= 1e-12))
    expect_message(fit <- private_fit(verbose = TRUE), "private steps: iteration")
    expect_null(fit$history)
    expect_error(plot(fit, type = "history"), class = "dpadapt_error_not_releasable")
    stepless <- dpadapt_baseline(y ~ a, source_data, target_data, "coral", private_domain = "none")
    expect_error(plot(stepless, type = "history"), "baselines without steps have none")
    objective <- function(handle) dpadapt:::solution_value(handle, "objective")
    expect_error(dpadapt:::with_solution(stepless, objective),
                 "objective was not released, or this method has none",
                 class = "dpadapt_error_not_releasable")
})

test_that("plots are drawn", {
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    before <- graphics::par("mfrow")
    expect_silent(plot(public_fit()))
    expect_silent(plot(public_fit(), type = "history"))
    expect_silent(plot(privacy_plan(c(100, 50, 2), epsilon = 1, delta = 1e-5)))
    expect_identical(graphics::par("mfrow"), before)
})
