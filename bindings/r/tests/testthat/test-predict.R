# New rows must be like those of the fit: by types and names of columns.
refused <- function(value, text) expect_error(value, text, class = "dpadapt_error_invalid_argument")

test_that("a column of nothing but NA is missing, whatever its type in the fit", {
    classes <- function(data) transform(data, o = factor(g, ordered = TRUE), f = factor(g),
                                        l = b > 0)
    source <- classes(source_data)
    fit <- dpadapt(y ~ log(a + 9) + g + o + f + l, source, classes(target_data),
                   private_domain = "none")
    new <- classes(target_data)[1:3, ]
    for (name in c("a", "g", "o", "f", "l")) {
        odd <- new
        odd[[name]] <- NA
        expect_identical(predict(fit, odd), stats::setNames(rep(NA_real_, 3), rownames(new)),
                         info = name)
        expect_identical(unname(is.na(predict(fit, odd, levels = "other"))), rep(TRUE, 3),
                         info = name)
    }
    expect_true(is.na(predict(public_fit(y ~ a), data.frame(a = NA))))
    expect_length(predict(public_fit(y ~ a), data.frame(a = logical())), 0)
    expect_error(predict(public_fit(y ~ a), data.frame(a = c(NA, TRUE))), "type")
    expect_error(dpadapt(y ~ a, source_data, transform(target_data, a = NA),
                         private_domain = "none"), "without missing values")
})

test_that("a column of another type is refused, as by predict.lm()", {
    fit <- public_fit(y ~ a + g)
    refused(predict(fit, transform(target_data, a = as.character(a))), "'a'.*numeric.*character")
    refused(predict(fit, transform(target_data, a = factor(a))), "'a'")
    expect_warning(refused(predict(fit, transform(target_data, g = a)), "'g'"), NA)
    refused(predict(public_fit(y ~ sqrt(abs(a)) + b), data.frame(a = "1", b = 2)), "'a'.*numeric.*character")
    factors <- transform(target_data, g = factor(g))
    expect_identical(predict(fit, factors), predict(fit, target_data))
    expect_warning(predict(public_fit(y ~ log(a + 9)), data.frame(a = -10)), "NaN")
})

test_that("and so is one of another public sample", {
    public <- function(target) dpadapt(y ~ a + g, source_data, target, private_domain = "none")
    refused(public(transform(target_data, a = as.character(a))), "'a'")
    refused(public(transform(target_data, y = as.character(y))), "'y'")
})

test_that("columns of matrices have the names of the fit", {
    x <- function(data, columns = c("a", "b")) as.matrix(data[columns])
    make <- function(source, target) dpadapt(source, source_data$y, target, target_data$y, private_domain = "none")
    fit <- make(x(source_data), x(target_data))
    swapped <- x(target_data, c("b", "a"))
    refused(make(x(source_data), swapped), "column 1 of the target is b, but a of the source")
    refused(predict(fit, swapped), "column 1 of newdata is b, but a of the fit")
    expect_identical(predict(fit, as.data.frame(swapped)), predict(fit, swapped[, 2:1]))
    expect_identical(predict(fit, as.data.frame(x(target_data))), predict(fit, x(target_data)))
    expect_identical(predict(fit, unname(x(target_data))), predict(fit, x(target_data)))
    unnamed <- make(unname(x(source_data)), x(target_data))
    expect_identical(predict(unnamed, swapped[, 2:1]), predict(fit, x(target_data)))
    expect_error(predict(fit, cbind(x(target_data), c = 1)), "must have 2 columns as the fit, but has 3",
                 class = "dpadapt_error_dimension")
    expect_error(make(x(source_data), cbind(x(target_data), 1)), "must have 2 columns as the source",
                 class = "dpadapt_error_dimension")
    expect_error(dpadapt(x(source_data), source_data$y, swapped, target_data$y, epsilon = 1, delta = 1e-4), "column 1")
})
