validation_data <- sample_of(60, 1, 3)
grid <- list(alpha = c(0, 0.5, 0.99), radius = c(0.1, 10))
public_problem <- function(formula = y ~ a + g) {
    dpadapt_problem(formula, source_data, target_data, private_domain = "none")
}
mean_loss <- function(fit) mean((predict(fit, validation_data) - validation_data$y)^2)

test_that("a public search does what a loop does", {
    best <- dpadapt_search(public_problem(), validation_data, grid)
    points <- expand.grid(radius = grid$radius, alpha = grid$alpha)
    expect_equal(best$search[names(grid)], points[names(grid)], ignore_attr = TRUE)
    by_hand <- function(alpha, radius) public_fit(y ~ a + g, alpha = alpha, radius = radius)
    fits <- Map(by_hand, points$alpha, points$radius)
    losses <- vapply(fits, mean_loss, 0)
    expect_equal(best$search$loss, losses)
    expect_gt(max(losses), min(losses))
    expect_identical(which(best$search$chosen), which.min(losses))
    expect_identical(coef(best), coef(fits[[which.min(losses)]]))

    rows <- dpadapt_problem(y ~ a + g, source_data, validation_data, private_domain = "none")
    expect_identical(dpadapt_select(fits, rows), as.numeric(which.min(losses)))
    expect_identical(dpadapt_search(public_problem(), rows, grid)$search, best$search)
    expect_output(print(best), "dpadapt_search")
})

test_that("classes are those of the fits", {
    search <- function(rows) {
        dpadapt_search(public_problem(two ~ a + b), rows, list(radius = c(0.01, 5)), loss = "logistic",
                       selection_loss = "logistic")
    }
    best <- search(validation_data)
    expect_identical(best$search$chosen, c(FALSE, TRUE))
    yes <- predict(best, validation_data, type = "probability")
    expect_equal(best$search$loss[2], -mean(log(ifelse(validation_data$two == "yes", yes, 1 - yes))))
    turned <- transform(validation_data, two = factor(two, c("yes", "no")))
    rows <- dpadapt_problem(two ~ a + b, turned, turned, private_domain = "none")
    expect_identical(search(rows)$search, best$search)
})

test_that("a search may be of a baseline", {
    best <- dpadapt_search(public_problem(), validation_data, list(ridge = 10^(-4:4)), baseline = "target_only")
    expect_identical(best$method, "target_only")
    expect_identical(nrow(best$search), 9L)
})

test_that("private rows give the index only, at a price", {
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data, epsilon = 3, delta = 1e-4)
    search <- function(validation = validation_data, ...) {
        dpadapt_search(problem, validation, list(shrinkage = c(2, 3)), epsilon = 0.5, delta = 1e-5, ...)
    }
    rows <- dpadapt_problem(y ~ a + b, source_data, validation_data)
    expect_error(search(rows, selection_bound = 4), "selection_epsilon", class = "dpadapt_error_option")
    expect_error(search(rows, selection_epsilon = 1), "selection_bound", class = "dpadapt_error_option")
    best <- search(rows, selection_epsilon = 1, selection_bound = 4)
    expect_identical(best$protection, "guaranteed")
    expect_identical(best$search$loss, c(NA_real_, NA_real_))
    expect_identical(sum(best$search$chosen), 1L)
    expect_match(privacy_report(rows), "epsilon = 1", fixed = TRUE)
    expect_identical(best$validation$report[["text"]], as.character(privacy_report(rows)))
    expect_output(print(best), "Chosen by .* private validation rows, which paid epsilon = 1 from their own budget")
    grouped <- dpadapt_problem(y ~ a + b, source_data, validation_data, groups = pmin(seq_len(nrow(validation_data)), 30))
    best <- search(grouped, selection_epsilon = 1, selection_bound = 4)
    expect_output(print(best), "Chosen by the rows of 30 persons, which paid")
    expect_error(search(rows, selection_epsilon = 1, selection_bound = 4), class = "dpadapt_error_budget")

    bad <- validation_data
    bad$a[1:2] <- c(NA, Inf)
    bad$y[3] <- NaN
    bad_rows <- dpadapt_problem(y ~ a + b, source_data, bad)
    expect_silent(search(bad_rows, selection_epsilon = 1, selection_bound = 4))
    expect_identical(dpadapt_select(list(best), dpadapt_problem(y ~ a + b, source_data, bad), selection_epsilon = 1,
                                    selection_bound = 4), 1)
})

test_that("mistakes have classes", {
    problem <- public_problem()
    expect_error(dpadapt_search(source_data, validation_data, grid), "needs a formula or a dpadapt_problem")
    expect_error(dpadapt_search(problem, problem, grid), class = "dpadapt_error_invalid_argument")
    expect_error(dpadapt_search(problem, validation_data, c(alpha = 1)), "list of options")
    expect_error(dpadapt_search(problem, validation_data, list(magic = 1)), class = "dpadapt_error_option_name")
    expect_error(dpadapt_search(problem, validation_data, list(loss = "huber")), "cannot be an axis")
    expect_error(dpadapt_search(problem, public_problem(y ~ a), grid), "features")
    private <- dpadapt_problem(y ~ a + g, source_data, validation_data)
    expect_error(dpadapt_search(problem, private, grid), "private_domain")
    expect_error(dpadapt_select(list(), problem), class = "dpadapt_error_empty")
    expect_error(dpadapt_select(public_fit(), problem), "list of fits")
    expect_error(dpadapt_select(list(public_fit()), problem), "features")
    both <- list(public_fit(two ~ a + g, loss = "logistic"), public_fit(y ~ a + g))
    expect_error(dpadapt_select(both, problem), "same classes")
    matrices <- dpadapt_problem(matrix(1:4 / 4), 1:4, matrix(1:4 / 4), 1:4, "none")
    expect_error(dpadapt_search(matrices, validation_data, grid), "no formula")
})

test_that("validation rows go through the same design", {
    problem <- public_problem(y ~ poly(a, 2))
    others <- dpadapt_problem(y ~ poly(a, 2), validation_data, validation_data, private_domain = "none")
    expect_error(dpadapt_search(problem, others, grid), "bases", class = "dpadapt_error_invalid_argument")
    expect_error(dpadapt_select(list(dpadapt(problem)), others), "bases", class = "dpadapt_error_invalid_argument")
    same <- dpadapt_problem(y ~ poly(a, 2), source_data, validation_data, private_domain = "none")
    expect_s3_class(dpadapt_search(problem, same, grid), "dpadapt")
    scaled <- function(k, label = y ~ I(a * k)) dpadapt_problem(label, source_data, validation_data, private_domain = "none")
    k <- 2
    problem <- public_problem(y ~ I(a * k))
    third <- function(x) x / k
    own <- list(public_problem(y ~ third(a)), public_problem(y ~ third(a)))
    expect_s3_class(dpadapt_search(own[[1]], own[[2]], grid), "dpadapt")
    k <- 3
    expect_error(dpadapt_search(problem, public_problem(y ~ I(a * k)), grid), "constants")
    expect_error(dpadapt_search(public_problem(), public_problem(log(y + 9) ~ a + g), grid), "compute labels")
    levels <- transform(source_data, g = factor(g, c("u", "v", "w")))
    turned <- dpadapt_problem(y ~ a + g, levels, validation_data, contrasts = list(g = "contr.SAS"), private_domain = "none")
    expect_error(dpadapt_search(public_problem(), turned, grid), class = "dpadapt_error_invalid_argument")
})

test_that("an empty axis is refused", {
    refused <- function(grid) {
        expect_error(dpadapt_search(public_problem(), validation_data, grid), "alpha", class = "dpadapt_error_invalid_argument")
    }
    refused(list(alpha = NULL))
    refused(list(alpha = list(NULL, 0.5)))
    refused(list(alpha = numeric()))
})

test_that("a budget can keep a part for several selections", {
    rows <- dpadapt_problem(y ~ a + b, source_data, validation_data, epsilon = 2, delta = 0, selection_epsilon = 2,
                            discrepancy_share = 0)
    fits <- list(public_fit(), public_fit(alpha = 0.5))
    choose <- function() dpadapt_select(fits, rows, selection_epsilon = 1, selection_bound = 4)
    expect_true(choose() %in% 1:2)
    expect_true(choose() %in% 1:2)
    expect_error(choose(), class = "dpadapt_error_budget")
    expect_error(dpadapt_problem(y ~ a, source_data, target_data, selection_epsilon = 1), "epsilon and delta",
                 class = "dpadapt_error_invalid_argument")
    x <- as.matrix(source_data[1:2])
    expect_s3_class(dpadapt_problem(x, source_data$y, x, source_data$y, epsilon = 2, delta = 1e-5, selection_epsilon = 1),
                    "dpadapt_problem")
})

test_that("a grid is not crossed with itself", {
    problem <- dpadapt_problem(y ~ a, source_data, target_data, private_domain = "none")
    expect_error(dpadapt_search(problem, target_data, expand.grid(alpha = c(0, 1), radius = c(1, 2))), "expand.grid")
})

test_that("why a candidate was left out is said", {
    problem <- dpadapt_problem(y ~ a, source_data, target_data, private_domain = "none")
    table <- dpadapt_search(problem, target_data, list(lambda_2 = c(0, 1)))$search
    expect_identical(is.na(table$left_out), c(TRUE, FALSE))
    expect_match(table$left_out[2], "lambda_2 belongs to form = general")
})

test_that("what some candidates read is no mistake", {
    by_rows <- function(...) dpadapt_search(public_problem(), target_data, ...)
    by_folds <- function(...)
        dpadapt_search(y ~ a + g, source_data, target_data, ..., folds = 2, private_domain = "none")
    for (search in list(by_rows, by_folds)) {
        told <- function(...) {
            fit <- search(...)
            expect_equal(fit$search$alpha[fit$search$chosen], 0)
            is_told <- "option_not_read" %in% names(fit$finding_codes)
            expect_identical(grepl("discrepancy_radius", fit$findings), is_told)
            is_told
        }
        expect_false(told(list(alpha = c(0, 0.9), discrepancy_radius = c(0.5, 1))))
        expect_false(told(list(alpha = c(0, 0.9)), discrepancy_radius = 0.5))
        expect_true(told(list(alpha = 0, discrepancy_radius = c(0.5, 1))))
    }
})
