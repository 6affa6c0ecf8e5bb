test_that("the accountant agrees with the analytic Gaussian mechanism", {
    delta <- function(epsilon, mu) pnorm(mu / 2 - epsilon / mu) - exp(epsilon) * pnorm(-mu / 2 - epsilon / mu)
    epsilon <- c(0.1, 1, 3)
    expect_equal(privacy_delta(epsilon, mu = 1), delta(epsilon, 1), tolerance = 1e-10)
    expect_equal(privacy_epsilon(delta(epsilon, 1), mu = 1), epsilon, tolerance = 1e-8)
    expect_equal(privacy_mu(epsilon, delta(epsilon, 1)), c(1, 1, 1), tolerance = 1e-8)
    expect_equal(privacy_sigma(1, 1e-5) * privacy_mu(1, 1e-5), 1, tolerance = 1e-8)
    # Of every record in each of four sums it is the price of plain releases.
    expect_equal(privacy_sampled_mu(2, c(1, 0.1), 4) < c(1.05, 0.3), c(TRUE, TRUE))
    expect_gte(privacy_sampled_mu(2, 1, 4), 1)
    expect_error(privacy_delta(1, mu = -1), class = "dpadapt_error_invalid_argument")
})

test_that("plans need sizes only, and tell what a fit will spend", {
    plan <- privacy_plan(c(200, 120, 2), epsilon = 1, delta = 1e-4)
    expect_equal(plan$values[["mu"]], privacy_mu(1, 1e-4), tolerance = 1e-5)
    expect_output(print(plan), "nothing is released")
    expect_output(print(privacy_report(plan)), "would make")
    expect_true(all(diff(plan$curve$epsilon) <= 0, na.rm = TRUE))
    expect_error(privacy_plan(c(200, 120), epsilon = 1, delta = 1e-4), "three sizes")

    problem <- dpadapt_problem(y ~ a + b, source_data, target_data)
    expect_equal(privacy_plan(problem, epsilon = 1, delta = 1e-4)$values[["mu"]], plan$values[["mu"]])
    expect_equal(privacy_plan(y ~ a + b, source_data, target_data, epsilon = 1, delta = 1e-4)$values, 
                 privacy_plan(problem, epsilon = 1, delta = 1e-4)$values)
})

test_that("the paper's method has its theorem", {
    plan <- function(...) privacy_plan(c(200, 120, 2), epsilon = 1, delta = 1e-4, alpha = 0.5, ...)$values
    theory <- plan(method = "paper", radius = 1, feature_radius = 2, label_bound = 1, kappa_1 = 1)
    expect_equal(theory[["theorem"]], 1)
    expect_gt(theory[["theorem_error"]], theory[["theorem_trivial_error"]])
    expect_equal(theory[["theorem_error"]], sum(theory[grep("error_by", names(theory))]))
    expect_true(is.na(plan(method = "paper")[["theorem_error"]]))
    expect_equal(plan()[["theorem"]], 0)
})

test_that("private baselines have plans", {
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data)
    plan <- privacy_plan(problem, epsilon = 1, delta = 1e-4, baseline = "joint_ssp")
    expect_equal(plan$values[["mu"]], privacy_mu(1, 1e-4), tolerance = 1e-5)
    sampled <- privacy_plan(problem, epsilon = 2, delta = 1e-4, baseline = "noisy_sgd", batch_size = 10)
    without <- privacy_epsilon(1e-4, sampled$values[["mu"]]) # the failure is a part of delta
    expect_true(without < sampled$promise$epsilon && sampled$promise$epsilon <= 2)
    expect_true(all(is.na(sampled$curve$epsilon[sampled$curve$delta < 1e-8])))
    expect_error(privacy_plan(problem, epsilon = 1, delta = 1e-4, baseline = "kmm"), class = "dpadapt_error_option")
})

test_that("baselines and discrepancies run", {
    methods <- dpadapt_baselines()$name
    expect_true(all(c("source_only", "kmm", "dm", "private_dm") %in% methods))
    only <- dpadapt_baseline(y ~ a + b, source_data, target_data, "source_only", private_domain = "none")
    expect_equal(coef(only), coef(lm(y ~ a + b, source_data)), tolerance = 1e-6)
    x <- as.matrix(source_data[1:2])
    z <- as.matrix(target_data[1:2])
    expect_identical(coef(dpadapt_baseline(x, source_data$y, z, target_data$y, "source_only", private_domain = "none")),
                     coef(only))
    expect_output(print(only), "baseline source_only")
    private <- dpadapt_baseline(y ~ a + b, source_data, target_data, "joint_ssp", epsilon = 1, delta = 1e-4)
    expect_identical(private$protection, "guaranteed")
    expect_error(dpadapt_baseline(y ~ a, source_data, target_data, "none", private_domain = "none"),
                 class = "dpadapt_error_option_name")

    d <- discrepancy(y ~ a + b, source_data, target_data, private_domain = "none")
    expect_true(d$lower <= d$value && d$value <= d$upper)
    expect_output(print(d), "between")
    expect_equal(summary(public_fit(discrepancy = d))$settings[["discrepancy"]], d$value)
    expect_identical(coef(public_fit(discrepancy = d$value)), coef(public_fit(discrepancy = d)))
    noisy <- discrepancy(x, source_data$y, z, target_data$y, epsilon = 1, delta = 1e-4)
    expect_null(noisy$lower)
    expect_output(print(noisy), "released with noise")
})

test_that("the curve of utility tells its price", {
    test <- sample_of(50, 1, 3)
    curve <- privacy_utility(y ~ a + b, source_data, target_data, test, epsilon = c(1, 4), delta = 1e-4)
    expect_named(curve$curve, c("epsilon", "error"))
    expect_output(print(curve), "nothing protects the test rows")
    mu <- function(e) privacy_plan(y ~ a + b, source_data, target_data, epsilon = e, delta = 1e-4)$values[["mu"]]
    expect_equal(curve$total, c(epsilon = privacy_epsilon(2e-4, sqrt(mu(1)^2 + mu(4)^2)), delta = 2e-4))
    expect_lt(curve$total[["epsilon"]], 5)
    grDevices::pdf(NULL)
    on.exit(grDevices::dev.off())
    expect_silent(plot(curve))
    expect_lte(privacy_utility(two ~ a, source_data, target_data, test, 1, 1e-4, loss = "logistic")$source_only, 1)
})

test_that("sizes that are none give one error", {
    expect_warning(expect_error(privacy_plan(c(-1, 2, 3), epsilon = 1, delta = 1e-4), class = "dpadapt_error"), NA)
})

test_that("the curve is that of the fits with the same options, and looks at no private row without privacy", {
    test <- sample_of(50, 1, 5)
    curve <- function(target = target_data, ...) {
        privacy_utility(y ~ a + b, source_data, target, test, epsilon = c(1, 8), delta = 1e-4, ...)
    }
    errors <- vapply(c(1, 8), function(e) {
        fit <- dpadapt(y ~ a + b, source_data, target_data, epsilon = e, delta = 1e-4, alpha = 0, unsafe_seed = 3)
        mean((predict(fit, test) - test$y)^2)
    }, 0)
    expect_identical(curve(alpha = 0, unsafe_seed = 3)$curve$error, errors)
    expect_error(curve(nonsense = 3), class = "dpadapt_error_option_name")
    expect_error(curve(repeats = 0), "repeats")
    expect_silent(odd <- curve(transform(target_data, a = replace(a, 3, Inf))))
    expect_identical(odd$source_only, curve()$source_only)
    expect_silent(curve(transform(target_data, a = replace(as.character(a), 3, "word"))))
})

test_that("a plan tells its price", {
    expect_output(print(privacy_plan(c(100, 50, 3), epsilon = 1, delta = 1e-5)), "epsilon = 1 at delta = 1e-05")
    expect_output(print(privacy_plan(c(100, 50, 3), noise_multiplier = 5, delta = 1e-5)), "epsilon = [0-9.]+ at delta = 1e-05")
})

test_that("a problem tells its budget", {
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data)
    expect_output(print(problem), "No budget yet")
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data, epsilon = 2, delta = 1e-4)
    expect_output(print(problem), "Budget: epsilon = 2, delta = 1e-04; spent: epsilon = 0 at")
    dpadapt(problem, epsilon = 0.5)
    expect_output(print(problem), "spent: epsilon = 0.5 at")
})

test_that("a forecast needs no target", {
    set.seed(3)
    source <- data.frame(x = rnorm(200))
    source$y <- 2 * source$x + rnorm(200)
    plan <- privacy_plan(y ~ x, source, target_rows = 400, forecast_repeats = 2)
    expect_equal(plan$forecast$epsilon, rep(c(0.5, 1, 4, 10), each = 4))
    expect_equal(plan$forecast$shift, rep(c(0, 0.5, 1, 2), 4))
    expect_true(all(plan$forecast$target_rows == 400 & plan$forecast$private_lower <= plan$forecast$private &
                        plan$forecast$private <= plan$forecast$private_upper))
    expect_output(print(plan), "Errors to expect")
    expect_output(print(plan), "With 400 rows, epsilon 1 and a shift of 1 expect a squared error of")
    needed <- plan$forecast$rows_to_beat_source
    expect_true(all(is.na(needed) | (needed >= 40 & needed <= 40000)))
    same <- privacy_plan(as.matrix(source["x"]), y = source$y, target_rows = 400, forecast_repeats = 2)
    expect_equal(same$forecast, plan$forecast)
    without <- privacy_plan(c(200, 400, 1), epsilon = 1, delta = 1e-6)
    expect_null(without$forecast)
    expect_error(privacy_plan(y ~ x, source, target_rows = 400, baseline = "ada_ssp"), "baseline")
})
