# A fit predicts what its formula meant when it was made, and holds no data.
expected <- function(fit, a) unname(coef(fit)[1] + coef(fit)[2] * a)

test_that("constants and functions of a formula are kept", {
    make <- function() {
        k <- 3
        half <- 2
        f <- function(x) x / half
        list(constant = public_fit(y ~ I(a * k)), fun = public_fit(y ~ f(a)), basis = public_fit(y ~ poly(a, half)))
    }
    fits <- make()
    assign("k", 100, globalenv())
    assign("f", function(x) x * 100, globalenv())
    on.exit(rm("k", "f", envir = globalenv()))
    a <- target_data$a
    expect_equal(unname(predict(fits$constant, target_data)), expected(fits$constant, 3 * a))
    expect_equal(unname(predict(fits$fun, target_data)), expected(fits$fun, a / 2))
    expect_true(all(is.finite(predict(fits$basis, target_data))))
    f <- function(x) x * 1000
    expect_equal(unname(predict(fits$fun, target_data)), expected(fits$fun, a / 2))
})

test_that("a global constant is that of the fit", {
    assign("k", 2, globalenv())
    on.exit(rm("k", envir = globalenv()))
    formula <- y ~ I(a * k)
    environment(formula) <- globalenv()
    fit <- public_fit(formula)
    assign("k", 5, globalenv())
    expect_equal(unname(predict(fit, target_data)), expected(fit, 2 * target_data$a))
})

test_that("functions that call others, themselves, or have constants of their own are kept", {
    times <- function(k) function(x) x * k
    k <- 7
    double <- times(2)
    power <- function(x, n) if (n == 0) 1 else x * power(x, n - 1)
    both <- function(x) {
        y <- double(x)
        y + vapply(x, function(v) power(v, 2), 0)
    }
    settings <- list(shift = 1, names = c("u", "v"))
    fit <- public_fit(y ~ I(both(a) + k * settings$shift))
    a <- target_data$a
    double <- power <- k <- settings <- NULL
    expect_equal(unname(predict(fit, target_data)), expected(fit, 2 * a + a^2 + 7))
    joined <- stats::approxfun(c(-9, 0, 9), c(0, 0, 9))
    fit <- public_fit(y ~ joined(a))
    rm(joined)
    expect_equal(unname(predict(fit, target_data)), expected(fit, pmax(a, 0)))
})

test_that("functions of packages are those of packages, attached or not", {
    library(splines)
    fit <- public_fit(y ~ ns(a, 2) + log(abs(b)))
    detach("package:splines")
    before <- predict(fit, target_data)
    assign("log", function(x) x - mean(x), globalenv())
    on.exit(rm("log", envir = globalenv()))
    expect_identical(predict(fit, target_data), before)
})

test_that("a saved fit has all of it in another process", {
    file <- tempfile(fileext = ".rds")
    on.exit(unlink(file))
    k <- 3
    f <- function(x) x / k
    fit <- public_fit(y ~ I(a * k) + f(b) + splines::ns(b, 2))
    saveRDS(list(fit = fit, data = target_data, there = predict(fit, target_data)), file)
    code <- sprintf("library(dpadapt); k <- 9; s <- readRDS('%s'); stopifnot(all.equal(predict(s$fit, s$data), s$there, tolerance = 1e-12))", file)
    expect_identical(system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(code))), 0L)
})

test_that("a fit holds no data of the place where it was made", {
    make <- function() {
        secret <- runif(1e5)
        k <- 2
        unused <- function() secret
        f <- function(x) {
            secret <- k * x
            secret
        }
        contrast <- function(n, ...) contr.treatment(n)
        public_fit(y ~ f(a) + I(b * k) + g, contrasts = list(g = contrast))
    }
    fit <- make()
    expect_lt(length(serialize(fit, NULL)), length(fit$bytes) + 30000)
    expect_setequal(ls(environment(fit$design$terms)), c("f", "k"))
    expect_identical(ls(environment(environment(fit$design$terms)$f)), "k")
})

test_that("what cannot be kept is refused, and so are data from outside", {
    table <- runif(1000)
    expect_error(public_fit(y ~ I(table[1 + abs(round(a))])), "table", class = "dpadapt_error_invalid_argument")
    lookup <- function(x) table[1 + abs(round(x))]
    expect_error(public_fit(y ~ lookup(a)), "table")
    generic <- function(x) UseMethod("generic")
    generic.default <- function(x) 2 * x
    expect_error(public_fit(y ~ generic(a)), "generic function")
    frame <- target_data
    expect_error(public_fit(y ~ I(a + frame$b[1])), "frame")
    label <- source_data$y
    outside <- source_data$a
    expect_error(public_fit(y ~ a + outside), "outside.*make it a column")
    expect_error(public_fit(label ~ a), "label.*make it a column")
    a <- target_data$a
    expect_error(dpadapt(y ~ a, source_data, target_data["y"], private_domain = "none"), "no column a")
    expect_error(predict(public_fit(y ~ a), target_data["b"]), "no column a", class = "dpadapt_error_invalid_argument")
})

test_that("without an intercept a fit goes through the origin", {
    shifted <- transform(source_data, a = a + 10)
    for (preprocess in c("standardize", "whiten", "none")) {
        fit <- dpadapt(y ~ a + b - 1, shifted, shifted, private_domain = "none", preprocess = preprocess, kappa_1 = 1e6,
                       discrepancy = 0, radius = 1e3)
        expect_equal(coef(fit), coef(lm(y ~ a + b - 1, shifted)), tolerance = 1e-5)
        expect_identical(unname(predict(fit, data.frame(a = 0, b = 0))), 0)
    }
    private <- dpadapt(y ~ a + b - 1, shifted, shifted, epsilon = 1, delta = 1e-4)
    expect_named(coef(private), c("a", "b"))
})

test_that("what lm() has and dpadapt() has not is said", {
    expect_error(public_fit(y ~ a, subset = b > 0), "subset is not supported")
    expect_error(public_fit(y ~ a, weights = b), "in quotes")
    expect_error(discrepancy(y ~ a, source_data, target_data, offset = b), "offset is not supported")
    expect_error(dpadapt_baseline(y ~ a, source_data, target_data, "kmm", subset = b > 0), "subset is not supported")
    expect_error(privacy_plan(y ~ a, source_data, target_data, subset = b > 0), "subset is not supported")
    expect_error(dpadapt_problem(y ~ a, source_data, target_data, subset = b > 0), "subset is not supported")
    problem <- dpadapt_problem(y ~ a, source_data, target_data, "none")
    expect_error(dpadapt_search(problem, target_data, list(alpha = 0), weights = b), "weights is not supported")
    expect_error(dpadapt("y ~ a", source_data, target_data), "without quotes")
    expect_error(public_fit(cbind(y, a) ~ b), "one variable")
    x <- as.matrix(source_data[1:2])
    expect_error(dpadapt(x, source_data$y, x, source_data$y, weights = no_variable), "in quotes")
    expect_error(dpadapt(x, source_data["y"], x, source_data$y, private_domain = "none"), "vector")
    expect_error(dpadapt(x, x, x, source_data$y, private_domain = "none"), "vector")
})

test_that("rows go by their names, and an empty sample is said", {
    holes <- transform(source_data, a = ifelse(seq_along(a) < 4, NA, a), b = ifelse(seq_along(b) == 9, Inf, b))
    expect_error(dpadapt(y ~ a + b, holes, target_data, private_domain = "none"), "row 9 of the source",
                 class = "dpadapt_error_nonfinite")
    none <- transform(source_data, a = NA_real_)
    expect_error(dpadapt(y ~ a + g, none, target_data), "without missing values", class = "dpadapt_error_empty")
    expect_error(dpadapt(y ~ a, source_data, source_data[0, ], private_domain = "none"), "has no rows",
                 class = "dpadapt_error_empty")
    expect_error(dpadapt(y ~ a, source_data, none, private_domain = "none"), "without missing values",
                 class = "dpadapt_error_empty")
})

test_that("public labels must agree", {
    signs <- transform(source_data, y = ifelse(a > 0, 1, -1))
    bits <- transform(target_data, y = ifelse(a > 0, 1, 0))
    fit <- function(source, target) dpadapt(y ~ a, source, target, loss = "logistic", private_domain = "none")
    expect_error(fit(signs, bits), "target has the label 0, but labels are -1, 1", class = "dpadapt_error_label")
    expect_error(fit(bits, signs), "target has the label -1, but labels are 0, 1", class = "dpadapt_error_label")
    expect_error(fit(transform(bits, y = ifelse(a > 0, "yes", "no")), bits), "type", class = "dpadapt_error_invalid_argument")
    expect_s3_class(fit(bits, bits), "dpadapt")
    x <- as.matrix(source_data[1:2])
    words <- rep("word", 200)
    expect_error(dpadapt(x, source_data$y, x, words, private_domain = "none"), "target has the label word, but labels are numbers")
})

test_that("a factor of one level is named", {
    rows <- data.frame(y = sin(1:30), x = cos(1:30), g = "a")
    expect_error(dpadapt(y ~ ., rows, rows, private_domain = "none"), "column g has one value in the public rows, a",
                 class = "dpadapt_error_invalid_argument")
})

test_that("a label among the features and a feature named twice are refused before they are paid", {
    for (formula in list(y ~ a + y, y ~ a:y, log(y + 100) ~ a + log(y + 100)))
        expect_error(public_fit(formula), "response among the features")
    x <- cbind(a = source_data$a, a = source_data$a)
    expect_error(dpadapt(x, source_data$y, target_x = x, target_y = source_data$y), "two columns a")
})

test_that("texts that are no categories are refused before anything is paid", {
    rows <- data.frame(y = rnorm(100), x = rnorm(100), who = sprintf("p%03d", 1:100), size = as.character(1:100))
    fit <- function(data, ...) dpadapt(y ~ ., data, rows[c("y", "x")], epsilon = 1, delta = 1e-5, ...)
    expect_error(fit(rows[c("y", "x", "who")]), "column who has 100 different values in 100 public rows")
    rows$size[4] <- "high"
    expect_error(fit(rows[c("y", "x", "size")]), "column size of the public rows is a text, because high is no number")
    expect_error(fit(cbind(rows[c("y", "x")], x = 1)), "two columns x")
})

test_that("a column that a formula takes out is not looked at", {
    with_odd <- function(data) {
        data$id <- sprintf("p%d", seq_len(nrow(data)))
        data$one <- "a"
        data$day <- as.Date("2020-01-01")
        data$hole <- replace(data$a, seq_len(nrow(data) - 9), NA)
        data
    }
    formula <- y ~ . - id - one - day - hole - two - three
    for (domain in c("none", "target")) {
        problem <- dpadapt_problem(formula, with_odd(source_data), with_odd(target_data), domain)
        expect_identical(dim(problem$source$x), c(200L, 4L))
        expect_true(all(is.finite(problem$target$x)) && nrow(problem$target$x) == 120)
    }
    expect_identical(dpadapt_problem(y ~ a + id - id, with_odd(source_data), target_data,
                                     "none")$source$x,
                     dpadapt_problem(y ~ a, source_data, target_data, "none")$source$x)
    fit <- dpadapt(formula, with_odd(source_data), with_odd(target_data), private_domain = "none")
    expect_identical(predict(fit, target_data), predict(public_fit(y ~ a + b + g), target_data))
})

test_that("coefficients have the names of lm(), also where a formula takes variables out", {
    with_id <- function(data)
        cbind(data, id = seq_len(nrow(data)), h = factor(c("p", "q"))[1 + (data$b > 0)])
    source <- with_id(source_data)
    target <- with_id(target_data)
    for (formula in list(y ~ a * g - a - id, y ~ (a + b + g)^2 - a - id, y ~ h * g - h - id,
                         y ~ g * h - 1 - g - id, y ~ log(id) + a * g - log(id) - a,
                         y ~ poly(a, 2) * g - poly(a, 2) - id, y ~ . - id - two - three - a + a:g,
                         y ~ a * g * b - a - a:b - id, y ~ a * g - id)) {
        wanted <- stats::model.matrix(formula, source)
        for (domain in c("none", "target", "source")) {
            budget <- if (domain != "none") list(epsilon = 1, delta = 1e-4)
            samples <- list(formula, source, target, private_domain = domain)
            fit <- do.call(dpadapt, c(samples, budget))
            expect_identical(names(coef(fit)), colnames(wanted), info = deparse1(formula))
            if (domain != "source")
                expect_equal(model.matrix(fit, source), wanted, ignore_attr = TRUE)
            expect_identical(predict(fit, target), predict(fit, within(target, rm(id))))
        }
    }
})

test_that("what a formula makes of missing public cells is fitted, without a model file", {
    source <- transform(source_data, a = replace(a, 3, NA))
    fit <- dpadapt(y ~ ifelse(is.na(a), 0, a), source, target_data, private_domain = "none")
    expect_true(all(is.finite(predict(fit, target_data))))
    expect_error(write_model(fit, tempfile()), "missing values in the public rows")
})

test_that("nothing of a formula fails after the payment", {
    ledger <- privacy_ledger(tempfile(), epsilon = 1, delta = 1e-4)
    fit <- dpadapt(y ~ cbind(a, b)[, 1], source_data, target_data, epsilon = 0.5, delta = 1e-5, ledger = ledger)
    expect_length(coef(fit), 2)
})

test_that("texts of new rows are the public ones by the rule of private rows", {
    fit <- public_fit(y ~ g + a)
    new <- target_data[1:3, ]
    expect_identical(predict(fit, transform(new, g = toupper(g))), predict(fit, new))
    factors <- function(data) transform(data, g = factor(g))
    coded <- dpadapt(y ~ as.numeric(g), factors(source_data), factors(target_data), private_domain = "none")
    other <- factors(source_data)[1:4, ]
    expect_identical(predict(coded, transform(other, g = factor(g, rev(levels(g))))), predict(coded, other))
    expect_true(is.na(predict(coded, transform(other[1, ], g = factor("none")))))
})

test_that("a label may have any name", {
    named <- function(data) stats::setNames(data, sub("^y$", "my y", names(data)))
    fit <- dpadapt(`my y` ~ a, named(source_data), named(target_data), private_domain = "none")
    expect_length(coef(fit), 2)
})

test_that("neighbours that are alike hide no formula that depends on other rows", {
    sorted <- transform(source_data, g = factor(g))[order(source_data$g), ]
    expect_error(dpadapt(y ~ as.numeric(factor(as.character(g))), sorted, target_data, epsilon = 1, delta = 1e-5), "each row from its own record")
})
