test_that("a fit has the methods that models have", {
    fit <- dpadapt(y ~ ., source_data, target_data, private_domain = "none")
    expect_equal(formula(fit), y ~ a + b + g + two + three, ignore_attr = TRUE)
    expect_identical(nobs(fit), 120L)
    expect_named(coef(update(fit, . ~ a + b)), c("(Intercept)", "a", "b"))
    expect_length(coef(update(fit, . ~ . - three)), length(coef(fit)) - 2)
    expect_error(terms(dpadapt(cbind(a = 1:9), 1:9, cbind(a = 1:9), 1:9, private_domain = "none")), "no formula")
    for (absent in list(fitted, residuals, deviance, logLik, df.residual))
        expect_error(absent(fit), class = "dpadapt_error")
})

test_that("every baseline without privacy fits, prints and predicts", {
    fits <- 0
    for (name in dpadapt_baselines()$name) {
        settings <- list(two ~ a + b, source_data, target_data, name, loss = "logistic", private_domain = "none", ridge = 0.01)
        if (!name %in% c("gapboost", "tradaboost", "source_only", "target_only", "pooled")) settings[c(1, 5)] <- list(y ~ a + b, "squared")
        settings$lambda_1 <- if (name == "best") 1
        if (name == "best") settings$ridge <- NULL
        fit <- tryCatch(do.call(dpadapt_baseline, settings), dpadapt_error = function(e) {
            expect_match(conditionMessage(e), "private_domain must be target")
            NULL
        })
        if (is.null(fit)) next
        fits <- fits + 1
        expect_output(print(summary(fit)), paste("baseline", name))
        expect_gt(length(coef(fit)), 2)
        expect_length(predict(fit, target_data), 120)
    }
    expect_identical(fits, 16)
})

test_that("rows keep their names, and data frames may have other columns", {
    expect_named(predict(public_fit(), target_data[c(3, 7), ]), c("3", "7"))
    fit <- dpadapt(source_data[c("a", "b")], source_data$y, target_data[c("a", "b")], target_data$y, private_domain = "none")
    expect_identical(predict(fit, target_data), predict(fit, target_data[c("a", "b")]))
    expect_error(predict(fit, target_data, tpye = "link"), "no argument tpye")
    expect_error(predict(fit, target_data, "link", 3), "without a name")
})

test_that("options that follow by position are refused", {
    expect_error(dpadapt(y ~ a, source_data, target_data, "squared", NULL, NULL, 3, private_domain = "none"), "by name")
    expect_error(dpadapt(y ~ a, source_data, target_data, 1, 1e-5), "loss must be a name")
    for (loss in list(NULL, NA, c("squared", "huber"), y ~ a)) expect_error(public_fit(loss = loss), "loss must be a name")
    expect_error(public_fit(verbose = NA), "verbose")
})

test_that("summaries tell what means something", {
    told <- capture.output(print(summary(public_fit(alpha = 0))))
    expect_false(any(grepl("huber_threshold|classes|Inf|NaN", told)))
    expect_true(all(c("alpha", "softmax_sharpness", "classes") %in% names(summary(public_fit())$settings)))
    general <- public_fit(form = "general", alpha = 0.5, lambda_1 = 1, softmax_sharpness = 17)
    expect_equal(summary(general)$settings[["softmax_sharpness"]], 17)
    expect_output(print(dpadapt_options("alpha")[, c("name", "default")]), "alpha +auto")
})

test_that("a loss may come with its predictions", {
    square <- function(x, y, theta) {
        r <- drop(x %*% theta) - y
        list(loss = r^2, gradient = 2 * r * x)
    }
    shift <- 0
    fit <- public_fit(loss = custom_loss(square, predict = function(x, theta) drop(x %*% theta) + shift),
                      alpha = 0.5)
    shift <- 100
    expect_equal(predict(fit, target_data), predict(public_fit(form = "general", alpha = 0.5), target_data),
                 tolerance = 1e-4)
    expect_error(predict(public_fit(loss = square), target_data), class = "dpadapt_error_unsupported")
})

test_that("targets may lack labels", {
    x <- as.matrix(source_data[, c("a", "b")])
    z <- as.matrix(target_data[, c("a", "b")])
    some <- ifelse(seq_len(nrow(z)) %% 2 == 0, target_data$y, NA)
    dm <- function(y) coef(dpadapt_baseline(x, source_data$y, z, y, "dm", private_domain = "none"))
    expect_equal(dm(NULL), dm(target_data$y))
    expect_equal(dm(some), dm(target_data$y))
    labelled <- !is.na(some)
    fit <- function(z, y) coef(dpadapt(x, source_data$y, z, y, private_domain = "none"))
    expect_equal(fit(z, some), fit(z[labelled, ], some[labelled]))
    expect_error(fit(z, NULL), "no labels", class = "dpadapt_error_label")
    some[3] <- Inf
    expect_error(fit(z, some), "row 3 of the target")
})
