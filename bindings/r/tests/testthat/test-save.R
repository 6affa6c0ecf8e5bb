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

test_that("a call holds no rows, nor what goes with them", {
    rows <- data.frame(a = 1:3, y = 4:6, who = "Bob Fox", w = 2)
    made <- list(dpadapt(y ~ a, source_data, rows, epsilon = 1, delta = 1e-3,
                         groups = c("Ann Lee", "Bob Fox", "Ann Lee")),
                 dpadapt(y ~ a, source_data, rows, private_domain = "none",
                         weights = list(target = c(8.25, 1, 1))),
                 dpadapt(y ~ a, source_data, rows, private_domain = "none",
                         scores = list(source = source_data$b, target = c(8.25, 1, 1))),
                 dpadapt(as.matrix(rows["a"]), rows$y, as.matrix(rows["a"]), rows$y,
                         private_domain = "none",
                         sources = c("Ann Lee", "Bob Fox", "Bob Fox")))
    for (fit in made) expect_no_match(deparse1(fit$call), "Ann|8.25")
    expect_error(update(made[[1]], . ~ . - 1), "needs them")
    by_name <- dpadapt(y ~ a, source_data, rows, epsilon = 1, delta = 1e-3, groups = "who",
                       weights = list(source = source_data$w))
    expect_identical(by_name$call$groups, "who")
    expect_identical(by_name$call$weights, quote(list(source = source_data$w)))
    expect_s3_class(update(by_name, epsilon = 2), "dpadapt")
})

test_that("a discrepancy of another session is refused where its release matters", {
    problem <- dpadapt_problem(y ~ a, source_data, target_data, epsilon = 1, delta = 1e-4, discrepancy_share = 0.2)
    d <- discrepancy(problem)
    restored <- unserialize(serialize(d, NULL))
    expect_error(dpadapt(problem, discrepancy = restored, alpha = 0.5), class = "dpadapt_error_handle")
    expect_s3_class(dpadapt(problem, discrepancy = d, alpha = 0.5), "dpadapt")
})
