test_that("a saved fit gives the same bits", {
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    for (fit in list(public_fit(), private_fit(), public_fit(three ~ a + b, loss = "softmax"))) {
        saveRDS(fit, file)
        again <- readRDS(file)
        expect_identical(predict(again, target_data), predict(fit, target_data))
        expect_identical(weights(again), weights(fit))
        expect_identical(privacy_report(again), privacy_report(fit))
    }
})

test_that("a fit holds no data", {
    big <- list(source = transform(source_data, unused = runif(200)), target = target_data, private_domain = "none")
    inside <- function() {
        secret <- runif(1e5)
        do.call(dpadapt, c(list(y ~ a + b), big))
    }
    fit <- inside()
    expect_identical(environment(fit$design$terms), globalenv())
    expect_lt(length(serialize(fit, NULL)), length(fit$bytes) + 20000)
    expect_identical(as.character(fit$call$source), "<data.frame>")
})

test_that("a discrepancy of another session is refused where its release matters", {
    problem <- dpadapt_problem(y ~ a, source_data, target_data, epsilon = 1, delta = 1e-4, discrepancy_share = 0.2)
    d <- discrepancy(problem)
    restored <- unserialize(serialize(d, NULL))
    expect_error(dpadapt(problem, discrepancy = restored, alpha = 0.5), class = "dpadapt_error_handle")
    expect_s3_class(dpadapt(problem, discrepancy = d, alpha = 0.5), "dpadapt")
})
