# What R users know from other packages: types of predictions, folds, plots, tidy methods.

folds_of <- function(formula = y ~ a + b, ..., grid = list(alpha = c(0, 0.5, 1))) {
    dpadapt_search(formula, source_data, target_data, grid, ..., private_domain = "none")
}

test_that("folds do what a loop over them does", {
    best <- folds_of(folds = 4, seed = 3)
    fold <- dpadapt:::drawn_folds(nrow(target_data), 4, 3)
    expect_identical(sort(c(table(fold))), sort(c(table(rep_len(1:4, nrow(target_data))))), ignore_attr = TRUE)
    loss <- function(alpha, k) {
        fit <- dpadapt(y ~ a + b, source_data, target_data[fold != k, ], alpha = alpha, private_domain = "none")
        rows <- target_data[fold == k, ]
        mean((predict(fit, rows) - rows$y)^2)
    }
    losses <- vapply(1:4, function(k) vapply(c(0, 0.5, 1), loss, 0, k), numeric(3))
    expect_equal(best$search$loss, rowMeans(losses))
    expect_equal(best$search$error, apply(losses, 1, sd) / 2)
    expect_identical(which(best$search$chosen), which.min(rowMeans(losses)))
    wanted <- dpadapt(y ~ a + b, source_data, target_data, alpha = c(0, 0.5, 1)[which.min(rowMeans(losses))],
                      private_domain = "none")
    expect_identical(coef(best), coef(wanted))
    expect_identical(folds_of(seed = 3)$search, folds_of(folds = 5, seed = 3)$search)
    set.seed(1)
    before <- .Random.seed
    folds_of(folds = 2)
    expect_identical(.Random.seed, before)
})

test_that("a formula takes validation rows, words and baselines", {
    rows <- sample_of(60, 1, 9)
    best <- folds_of(validation = rows)
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data, private_domain = "none")
    expect_identical(best$search, dpadapt_search(problem, rows, list(alpha = c(0, 0.5, 1)))$search)
    words <- folds_of(folds = 3, grid = list(radius = c("auto", "2"), alpha = 0.5))
    expect_identical(nrow(words$search), 2L)
    ridge <- folds_of(folds = 3, grid = list(ridge = c(0.1, 1e4)), baseline = "target_only")
    expect_identical(c(ridge$method, ridge$search$ridge[ridge$search$chosen]), c("target_only", "0.1"))
    classes <- folds_of(two ~ a + b, folds = 3, loss = "logistic", grid = list(alpha = c(0.1, 0.9)))
    expect_identical(classes$loss, "logistic")
})

test_that("folds of private rows are refused", {
    private <- function(...) dpadapt_search(y ~ a, source_data, target_data, list(alpha = c(0, 1)), epsilon = 1, delta = 1e-5, ...)
    expect_error(private(folds = 3), "every private row several times")
    expect_error(private(), "validation = rows")
    expect_error(folds_of(folds = 1), "folds must be")
    expect_error(folds_of(folds = 3, validation = target_data), "not both")
    expect_error(dpadapt_search(1), "needs a formula")
})

test_that("a search is printed and plotted", {
    best <- folds_of(folds = 3, grid = list(alpha = c(0, 0.5), radius = c(1, 5)))
    lines <- capture.output(print(best))
    at <- which(best$search$chosen)
    expect_length(grep(sprintf("^\\*%d ", at), lines), 1)
    expect_length(grep("^ [1-4] ", lines), 3)
    pdf(NULL)
    on.exit(dev.off())
    expect_silent(plot(best, type = "search"))
    expect_error(plot(public_fit(), type = "search"), "dpadapt_search")
})

test_that("coefficients are plotted beside those of other fits", {
    pdf(NULL)
    on.exit(dev.off())
    fit <- private_fit()
    open <- public_fit()
    expect_silent(plot(fit))
    expect_silent(plot(fit, compare = list(source = public_fit(alpha = 1), open = open)))
    expect_error(plot(fit, compare = open), "list of fits")
    expect_error(plot(fit, compare = list(other = public_fit(y ~ a))), "features of the fit")
    expect_silent(plot(public_fit(three ~ a + b, loss = "softmax")))
    expect_identical(dpadapt:::slopes(coef(open)), coef(open)[c("a", "b")])
})

test_that("types of predictions have their usual words", {
    fit <- public_fit(two ~ a + b, loss = "logistic")
    rows <- head(target_data)
    yes <- predict(fit, rows, type = "response")
    expect_identical(unname(yes > 0.5), predict(fit, rows, type = "class") == "yes")
    expect_equal(predict(fit, rows, type = "prob"), cbind(no = 1 - yes, yes = yes), ignore_attr = TRUE)
    expect_identical(colnames(predict(fit, rows, type = "prob")), c("no", "yes"))
    several <- public_fit(three ~ a + b, loss = "softmax")
    expect_identical(predict(several, rows, type = "prob"), predict(several, rows, type = "response"))
    expect_error(predict(fit, rows, type = "numeric"), "classes")
    numbers <- public_fit()
    expect_identical(predict(numbers, rows, type = "numeric"), predict(numbers, rows))
    expect_error(predict(numbers, rows, type = "class"), "numbers")
})

test_that("a new level can count as none", {
    fit <- public_fit(y ~ a * g)
    rows <- data.frame(a = c(1, 1, NA), g = c("new", "v", "new"))
    expect_error(predict(fit, rows), "levels = \"other\"", fixed = TRUE)
    found <- predict(fit, rows, levels = "other")
    w <- coef(fit)
    expect_equal(found[[1]], w[["(Intercept)"]] + w[["a"]])
    expect_equal(found[[2]], predict(fit, rows[2, ])[[1]])
    expect_true(is.na(found[[3]]))
    missing <- data.frame(a = 1, g = c(NA, "v"))
    expect_identical(is.na(unname(predict(fit, missing, levels = "other"))), c(TRUE, FALSE))
})

test_that("a blank label is missing", {
    blank <- function(data) {
        data$three <- as.character(data$three)
        data$three[c(2, 5)] <- c("", " ")
        data
    }
    fit <- function(source, target) dpadapt(three ~ a + b, source, target, loss = "softmax", private_domain = "none")
    wanted <- fit(source_data[-c(2, 5), ], target_data[-c(2, 5), ])
    expect_identical(coef(fit(blank(source_data), blank(target_data))), coef(wanted))
    factors <- function(data) transform(blank(data), three = factor(three))
    expect_identical(coef(fit(factors(source_data), factors(target_data))), coef(wanted))
})

test_that("how many rows may be unusable is told from public rows", {
    holes <- source_data
    holes$a[1:20] <- NA
    problem <- dpadapt_problem(y ~ a + b, holes, target_data, epsilon = 1, delta = 1e-4)
    expect_output(print(problem), "20 of 200 public rows (10 %) have missing values", fixed = TRUE)
    expect_output(print(dpadapt(problem)), "20 of 200 public rows", fixed = TRUE)
    private <- target_data
    private$a[1:50] <- NA
    expect_no_match(capture.output(print(private_fit(target = private))), "missing values")
})

test_that("what became of the private rows is said", {
    expect_output(print(private_fit(alpha = 0.5)), "Differentially private")
    expect_no_match(paste(capture.output(print(private_fit(alpha = 0.5))), collapse = " "), "private rows were")
    few <- dpadapt(y ~ a + b, source_data, target_data[1:5, ], epsilon = 0.1, delta = 1e-4, unsafe_seed = 1)
    expect_output(print(few), "private rows were (not|hardly) used")
    many <- dpadapt(y ~ a + b, source_data, sample_of(3000, 1, 4), epsilon = 10, delta = 1e-4)
    share <- 100 * (1 - summary(many)$settings[["alpha"]])
    expect_output(print(many), paste0("went ", format(share, digits = 3), " % of the way from the source's"), fixed = TRUE)
    seeded <- public_fit(two ~ a, loss = "logistic")
    expect_output(print(seeded), "Coefficients of yes:", fixed = TRUE)
})

test_that("the generics of other packages have methods", {
    skip_if_not_installed("generics")
    fit <- private_fit()
    expect_identical(generics::tidy(fit), structure(data.frame(term = names(coef(fit)), estimate = unname(coef(fit))),
                                                     class = c("dpadapt_terms", "data.frame")))
    glance <- generics::glance(fit)
    expect_identical(c(glance$epsilon, glance$delta, glance$target_rows), c(1, 1e-4, 120))
    expect_identical(glance$alpha, summary(fit)$settings[["alpha"]])
    classes <- public_fit(two ~ a + b, loss = "logistic")
    rows <- generics::augment(classes, head(target_data))
    expect_identical(rows[names(target_data)], head(target_data))
    expect_identical(rows$.fitted, unname(predict(classes, head(target_data))))
    expect_equal(rows$.prob_yes, unname(predict(classes, head(target_data), type = "response")))
    several <- generics::tidy(public_fit(three ~ a, loss = "softmax"))
    expect_identical(several$class, rep(c("p", "q", "r"), each = 2))
    expect_error(generics::augment(fit), "newdata")
})

test_that("options are told before labels", {
    expect_error(private_fit(two ~ a, famly = "binomial"), "did you mean \"family\"", class = "dpadapt_error_option_name")
    expect_error(private_fit(two ~ a, loss = "binomial"), "logistic", class = "dpadapt_error_option")
})
