drawn <- function(picture) {
    file <- tempfile(fileext = ".pdf")
    grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
    on.exit(unlink(file))
    tryCatch(force(picture), finally = grDevices::dev.off())
    readLines(file, warn = FALSE)
}

test_that("evaluations are drawn", {
    rows <- dpadapt_problem(two ~ a + b, source_data, target_data, private_domain = "none")
    fit <- function(...) dpadapt(two ~ a + b, source_data, target_data, loss = "logistic", private_domain = "none", ...)
    found <- evaluate(list(fit(), fit(alpha = 1)), rows)
    bins <- attr(found, "calibration")
    expect_true(all(bins$lower <= bins$estimate & bins$estimate <= bins$upper & bins$from < bins$to))
    expect_identical(unique(bins$fit), c(1, 2))
    expect_equal(sum(bins$rows[bins$fit == 1]), nrow(target_data), tolerance = 1e-6)
    expect_true(any(grepl("accuracy", drawn(plot(found)))))
    expect_true(any(grepl("probability", drawn(plot(found, "calibration")))))
    numbers <- evaluate(public_fit(), dpadapt_problem(y ~ a + b, source_data, target_data, private_domain = "none"))
    expect_error(drawn(plot(numbers, "calibration")), "two classes", class = "dpadapt_error")
})

test_that("forecasts are drawn, and curves as before", {
    plan <- privacy_plan(y ~ a, source_data, target_rows = 100, epsilon = 2, delta = 1e-5, forecast_repeats = 2)
    page <- drawn(plot(plan, what = "forecast"))
    for (word in c("expect", "epsilon", "source", "shift")) expect_true(any(grepl(word, page)))
    expect_gt(length(drawn(plot(plan))), 10)
    expect_error(drawn(plot(privacy_plan(c(100, 100, 2), epsilon = 1, delta = 1e-5), what = "forecast")), "target_rows")
})
