square <- function(x, y, theta) {
    residual <- drop(x %*% theta) - y
    list(loss = residual^2, gradient = 2 * residual * x)
}

test_that("classes keep their names", {
    fit <- public_fit(two ~ a + b, loss = "logistic")
    expect_s3_class(predict(fit, target_data, "class"), "factor")
    expect_gt(mean(predict(fit, target_data, "class") == target_data$two), 0.9)
    probability <- predict(fit, target_data, "response")
    expect_identical(predict(fit, target_data, "probability"), probability)
    expect_identical(unname(probability) > 0.5, predict(fit, target_data, "class") == "yes")
    expect_identical(predict(fit, target_data), predict(fit, target_data, "link"))
    expect_equal(probability, plogis(predict(fit, target_data, "link")))
    expect_equal(coef(fit), coef(public_fit(I(two == "yes") ~ a + b, loss = "logistic")))
    expect_equal(coef(fit), coef(public_fit(as.numeric(two == "yes") ~ a + b, loss = "logistic")))
    expect_type(predict(public_fit(I(two == "yes") ~ a, loss = "logistic"), target_data, "class"), "logical")

    several <- public_fit(three ~ a + b, loss = "softmax")
    expect_identical(colnames(coef(several)), c("p", "q", "r"))
    expect_equal(unname(rowSums(predict(several, target_data, "response"))), rep(1, 120))
    expect_identical(levels(predict(several, target_data, "class")), c("p", "q", "r"))
})

test_that("perceptrons predict classes and numbers", {
    fit <- public_fit(two ~ a + b, loss = "perceptron", perceptron_output = "logistic", hidden_units = 3)
    expect_gt(mean(predict(fit, target_data, "class") == target_data$two), 0.9)
    expect_true(all(abs(predict(fit, target_data, "response") - 0.5) <= 0.5))
    expect_length(coef(fit), 3 * 3 + 4)
    fit <- public_fit(loss = "perceptron", perceptron_output = "squared", hidden_units = c(3, 2))
    expect_type(predict(fit, target_data), "double")
})

test_that("a quantile has its share of the labels below", {
    for (level in c(0.25, 0.9)) {
        fit <- public_fit(loss = "pinball", quantile_level = level, alpha = 0)
        expect_equal(mean(target_data$y <= predict(fit, target_data)), level, tolerance = 0.05)
    }
    expect_type(predict(private_fit(loss = "pinball", quantile_level = 0.9), target_data), "double")
    expect_error(public_fit(loss = "pinball", quantile_level = 1), "quantile_level")
})

test_that("a user's loss gives what the built-in one gives", {
    settings <- list(form = "general", preprocess = "none", alpha = 0.5)
    ours <- do.call(public_fit, c(list(loss = "squared"), settings))
    fit <- do.call(public_fit, c(list(loss = square), settings))
    expect_equal(coef(fit)[c(3, 1, 2)], unname(coef(ours)), tolerance = 1e-6)
    expect_equal(drop(predict(fit, target_data, "features") %*% coef(fit)), predict(ours, target_data), tolerance = 1e-6)
    expect_error(predict(fit, target_data), class = "dpadapt_error_unsupported")
})

test_that("a loss written in the call is printed with it", {
    direct <- dpadapt(y ~ a, source_data, target_data, private_domain = "none",
                      loss = function(x, y, theta) square(x, y, theta))
    expect_output(print(direct), "square(x, y, theta)", fixed = TRUE)
})

test_that("a loss that fails on public records is told about", {
    expect_error(public_fit(loss = function(x, y, theta) stop("no such luck")), "no such luck",
                 class = "dpadapt_error_callback")
    expect_error(public_fit(loss = function(x, y, theta) list(loss = 1)), "list(loss, gradient)", fixed = TRUE)
    expect_error(public_fit(loss = function(x, y, theta) NULL), class = "dpadapt_error_callback")
    expect_error(custom_loss("squared"), "function")
})

test_that("a loss that fails on a private record is not", {
    private <- target_data$y[1]
    picky <- function(x, y, theta) {
        if (any(y == private)) {
            warning("seen")
            message("seen")
            stop("seen")
        }
        square(x, y, theta)
    }
    bounded <- custom_loss(picky, loss_bound = 10, gradient_bound = 5, smoothness = 4)
    expect_silent(private_fit(loss = bounded, radius = 5, feature_radius = 3, iterations = 3))
})
