rows_data <- sample_of(600, 1, 5)
judging <- function(private_domain = "none", ...) {
    dpadapt_problem(y ~ a + g, source_data, rows_data, private_domain = private_domain, ...)
}

test_that("without privacy it is the ordinary test error", {
    fit <- public_fit(y ~ a + g)
    found <- evaluate(fit, judging())
    squares <- (predict(fit, rows_data) - rows_data$y)^2
    expect_identical(found$name, c("squared_error", "root_mean_squared_error", "absolute_error"))
    expect_equal(found$estimate[1], mean(squares))
    half <- qnorm(0.975) * sd(squares) / sqrt(nrow(rows_data))
    expect_equal(c(found$lower[1], found$upper[1]), mean(squares) + c(-1, 1) * half)
    expect_equal(found$estimate[2]^2, found$estimate[1])
    wide <- evaluate(fit, judging(), confidence = 0.99)
    expect_gt(wide$upper[1], found$upper[1])
    expect_identical(wide$level[1], 0.99)
    expect_output(print(found), "squared_error")
})

test_that("errors beyond those of public rows are told first", {
    fit <- public_fit(y ~ a + g)
    loud <- rows_data
    loud$y <- 100 * loud$y
    rows <- dpadapt_problem(y ~ a + g, source_data, loud, private_domain = "target", epsilon = 50, delta = 1e-5)
    found <- evaluate(fit, rows)
    expect_match(attr(found, "notes"), "^Fit 1: About [0-9]+ % of the rows have errors beyond")
    expect_output(print(found), "^Fit 1: About")
    squares <- (predict(fit, loud) - loud$y)^2
    expect_true(found$lower[1] <= mean(squares) && mean(squares) <= found$upper[1])
    expect_identical(attr(evaluate(fit, judging()), "notes"), character())
})

test_that("open ends are drawn to the edge", {
    fit <- public_fit(y ~ a + g)
    found <- evaluate(fit, judging())
    found$upper[1:2] <- Inf
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_silent(plot(found))
})

test_that("several fits have differences", {
    fits <- list(public_fit(y ~ a + g), public_fit(y ~ a + g, alpha = 1, radius = 0.1))
    found <- evaluate(fits, judging())
    gap <- found[found$name == "squared_error_difference", ]
    expect_identical(gap$fit, 2)
    expect_equal(gap$estimate, diff(found$estimate[found$name == "squared_error"]))
})

test_that("private rows pay, once", {
    fit <- public_fit(y ~ a + g)
    rows <- judging("target", epsilon = 2, delta = 1e-5)
    found <- evaluate(fit, rows)
    expect_true(all(found$lower <= found$estimate & found$estimate <= found$upper))
    expect_match(attr(found, "report"), "source sample")
    expect_error(evaluate(fit, rows), class = "dpadapt_error_budget")
    expect_error(evaluate(fit, judging("target")), "epsilon", class = "dpadapt_error_option")
    expect_error(evaluate(list(), judging()), class = "dpadapt_error_empty")
    expect_error(evaluate(fit, rows_data), "dpadapt_problem")
})

test_that("options that a call does not read are refused", {
    fit <- public_fit(y ~ a + g)
    rows <- judging()
    answers <- matrix(1, 30, 2)
    refused <- function(call, kind) expect_error(call,
                                                 paste0("the option .* is for .*, not for ", kind))
    refused(evaluate(fit, rows, alpha = 1), "public evaluations")
    refused(evaluate(fit, judging("target", epsilon = 1, delta = 1e-5), alpha = 1),
            "private evaluations")
    refused(evaluate(fit, rows, unsafe_seed = 1), "public evaluations")
    refused(calibrate(fit, rows, ridge = 0.5), "public evaluations")
    refused(discrepancy(rows, ridge = 0.5), "public discrepancies")
    refused(discrepancy(y ~ a, source_data, rows_data, epsilon = 1, delta = 1e-5, kappa_2 = 1),
            "private discrepancies")
    refused(dpadapt_select(list(fit), rows, alpha = 1), "public selections")
    refused(inspect_private(rows, ridge = 1), "public fits")
    refused(release_votes(answers, classes = 2, private_domain = "none", alpha = 1), "public votes")
    private <- function(f, ...) f(y ~ a, source_data, rows_data, epsilon = 1, delta = 1e-5, ...)
    refused(private(privacy_plan, ridge = 1), "private fits")
    refused(private(privacy_plan, forecast_repeats = 2), "private fits")
    refused(private(privacy_plan, target_rows = 50, ridge = 1), "private fits")
    refused(private(privacy_plan, baseline = "joint_ssp", epochs = 2), "private baselines")
    refused(privacy_plan(c(100, 50, 2), epsilon = 1, delta = 1e-5, evaluation_bound = 1),
            "private fits")
    refused(privacy_utility(y ~ a, source_data, rows_data, rows_data, 1, 1e-5, ridge = 1),
            "private fits")
    refused(dpadapt_search(rows, rows_data, list(ridge = c(0, 1))), "public fits")
    refused(dpadapt_search(rows, rows_data, list(kernel_gamma = c(1, 2)), baseline = "pooled"),
            "public baselines")
    expect_s3_class(private(privacy_plan, baseline = "noisy_sgd", epochs = 2), "dpadapt_plan")
    forecast <- private(privacy_plan, target_rows = 50, forecast_repeats = 2, alpha = 0.5)
    expect_s3_class(forecast, "dpadapt_plan")
    expect_s3_class(evaluate(fit, judging("target", epsilon = 9, delta = 1e-5), unsafe_seed = 1,
                             alpha = NULL, threads = 1),
                    "dpadapt_evaluation")
    expect_silent(inspect_private(rows, feature_radius = 3))
})

test_that("a calibrated fit has prediction intervals", {
    fit <- public_fit(y ~ a + g)
    expect_error(predict(fit, rows_data, interval = "prediction"), "calibrate\\(fit, rows\\)")
    private <- dpadapt_problem(y ~ a + g, source_data, rows_data, private_domain = "target", epsilon = 8, delta = 1e-5)
    for (rows in list(judging(), private)) {
        sure <- calibrate(fit, rows)
        found <- predict(sure, rows_data, interval = "prediction")
        expect_identical(colnames(found), c("fit", "lwr", "upr"))
        expect_equal(found[, "fit"], predict(fit, rows_data))
        covered <- mean(found[, "lwr"] <= rows_data$y & rows_data$y <= found[, "upr"])
        expect_true(covered > 0.88 && covered < 0.96)
        expect_true(all(predict(sure, rows_data, interval = "prediction", level = 0.5)[, "upr"] < found[, "upr"]))
        expect_match(attr(found, "promise"), "the 600 rows of its calibration")
    }
    expect_error(calibrate(sure, private), class = "dpadapt_error")
    expect_error(calibrate(fit, rows_data), "dpadapt_problem")
})
