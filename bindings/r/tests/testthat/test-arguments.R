# What a wrong argument is told: an error of the package that names it.

x <- as.matrix(source_data[c("a", "b")])
there <- as.matrix(target_data[c("a", "b")])
y <- source_data$y
fit <- public_fit()
of_matrices <- function(y, loss = "squared", columns = 1:2)
    dpadapt(x[, columns, drop = FALSE], y, there[, columns, drop = FALSE], target_data$y > 0,
            loss = loss, private_domain = "none")
problem <- dpadapt_problem(y ~ a, source_data, target_data, private_domain = "none")
survived <- transform(source_data, time = exp(y / 4), event = two == "yes")
lived <- dpadapt_survival(Surv(time, event) ~ a, survived, survived, private_domain = "none")
own <- function(...) custom_loss(function(x, y, theta) list(loss = y, gradient = 0 * x), ...)
schema_of <- function(...) dpadapt_schema(source_data, "two", "logistic", ...)
search_of <- function(grid, ...)
    dpadapt_search(y ~ a, source_data, target_data, grid, ..., private_domain = "none")
votes_of <- function(...) release_votes(matrix(c(0, 1, 2.5, 1), 2), ..., private_domain = "none")
texts <- data.frame(g = rep(c("a", "\xff\xfe"), 100), y = 1:200)
other_rows <- dpadapt_problem(y ~ a, source_data, target_data, epsilon = 1, delta = 0,
                              discrepancy_share = 0, selection_epsilon = 1)

refusals <- alist(
    "private_domain must be one of \"target\", \"source\"" = private_fit(private_domain = "n"),
    "private_domain must be one of" = private_fit(private_domain = NA),
    "private_domain must be one of" = private_fit(private_domain = c("none", "both")),
    "private_domain must be one of" =
        dpadapt(schema_of(), source_data, target_data, private_domain = "n"),
    "private_domain must be one of" = dpadapt(x, y, there, target_data$y, private_domain = "n"),
    "private_domain must be one of" =
        dpadapt_search(y ~ a, source_data, target_data, list(alpha = 0), private_domain = NA),
    "private_domain belongs to the problem" = dpadapt(problem, private_domain = NA),
    "neighbours must be one of" = privacy_sampled_mu(1, 0.1, 10, "z"),
    "type must be one of" = predict(fit, source_data, type = "resp"),
    "without quotes" = dpadapt("y ~ a", source = source_data, target = target_data),
    "first argument must be a formula" =
        dpadapt(source = source_data, target = target_data, formula = y ~ a),
    "first argument must be a formula" = dpadapt(NULL),
    "first argument must be a formula" = dpadapt(),
    "x, y, target_x and target_y" = dpadapt_baseline(source_data, target_data),
    "y is NULL" = of_matrices(source_data$typo),
    "the label 10" = of_matrices(10 * (y > 0), "logistic"),
    "x has no columns" = of_matrices(y, columns = integer()),
    "option alpha cannot be NA" = public_fit(alpha = NA_character_),
    "alpha is given twice" = public_fit(alpha = 0.5, alpha = 0.6),
    "leaves out the intercept" = public_fit(y ~ a - 1, intercept = TRUE),
    "na.action must be" = public_fit(na.action = 3),
    "xlev must be" = public_fit(xlev = "zzz"),
    "column g .*UTF-8: iconv\\(g" = dpadapt_problem(y ~ g, texts, texts, "none"),
    "new level new, which the source has not" =
        dpadapt(y ~ g, source_data, transform(target_data, g = "new"), private_domain = "none"),
    "use dpadapt_problem" = dpadapt_baseline(y ~ a, source_data, target_data, "pooled", groups = 1),
    "by dpadapt_select$" =
        dpadapt(y ~ a, list(source_data, source_data), target_data, epsilon = 1, delta = 1e-4),
    "give weights =" = private_fit(row_weight_bound = 2),
    "dpadapt_problem\\(epsilon = , delta = \\) fixes" =
        dpadapt_search(dpadapt_problem(y ~ a, source_data, target_data), other_rows,
                       list(alpha = c(0, 1)), epsilon = 1, delta = 1e-4, selection_epsilon = 1,
                       selection_bound = 4),
    "calibrate\\(fit, rows\\) makes one" = predict(fit, source_data, interval = "prediction"),
    "^level must be a number in \\(0, 1\\)" = confint(fit, level = 2),
    "parm must be .*\\(Intercept\\), a" = confint(fit, "q"),
    "parm must be" = confint(fit, 9),
    "parm must be" = confint(fit, NA),
    "conf.level must be a number in" =
        predict(lived, survived, "survival", times = 1, conf.level = 0),
    "conf.level must be a number in" = dpadapt:::tidy.dpadapt(fit, conf.int = TRUE, conf.level = 2),
    "row 3 of the source has no time above 0" =
        update(lived, source = transform(survived, time = replace(time, 3, 0))),
    "grid must be" = search_of(list()),
    "seed must be" = search_of(list(alpha = c(0, 1)), seed = 1:2),
    "alpha is an axis" = search_of(list(alpha = c(0, 1)), alpha = 0),
    "epsilon has no value" =
        privacy_utility(y ~ a, source_data, target_data, target_data, numeric(), 1e-4),
    "test has a missing" =
        privacy_utility(y ~ a, source_data, target_data, transform(target_data, a = NA), 1, 1e-4),
    "from 0 to 2" = votes_of(classes = 3),
    "classes must be" = votes_of(classes = "a"),
    "ledger must be a privacy_ledger" = votes_of(low = 0, high = 1, ledger = "x"),
    "rows must be" = vote_shards(NULL, 3),
    "rows must be" = vote_shards(0, 2),
    "file must be" = privacy_ledger(file = NA),
    "cannot read \"no such file\"" = read_model("no such file"),
    "file must be" = read_model(""),
    "file must be" = write_model(fit, NULL),
    "fit must be" = write_model(1, tempfile()),
    "loss of your own" = write_model(public_fit(loss = own()), tempfile()),
    "name must be" = dpadapt_options(NA),
    "predict must be" = own(predict = 1),
    "parameters must be" = own(parameters = "x"),
    "loss_bound must be" = own(loss_bound = NULL),
    "a prediction for each row" =
        predict(public_fit(loss = own(predict = function(x, theta) 1:2)), source_data),
    "^positive: \"zzz\" is not among" = schema_of(positive = "zzz"),
    "positive cannot be" = schema_of(positive = ""),
    "missing cannot be" = schema_of(missing = NA),
    "ignore has \"zzz\"" = schema_of(ignore = "zzz"),
    "categories has \"zzz\"" = schema_of(categories = "zzz"),
    "noise_multiplier must be" = privacy_sampled_mu(NULL, 0.1, 10),
    "laplace_epsilon must be" = privacy_epsilon(1e-5, 1, laplace_epsilon = NULL),
    "records must be" = privacy_epsilon(1e-5, 1, records = NULL),
    "another dpadapt_problem" = update(dpadapt(problem), . ~ . + b),
    "matrices, a schema or a model file" = formula(of_matrices(y)))

test_that("a wrong argument is an error of the package that names it", {
    for (k in seq_along(refusals))
        expect_error(eval(refusals[[k]]), names(refusals)[k], class = "dpadapt_error",
                     info = deparse1(refusals[[k]]))
})

test_that("private events and times decide nothing", {
    private <- function(...)
        dpadapt_survival(Surv(time, event) ~ a, ..., epsilon = 1, delta = 1e-4)
    odd <- transform(survived, event = event + 5)
    expect_error(private(survived, odd, private_domain = "source"), "in the public rows")
    expect_s3_class(private(odd, survived, private_domain = "source"), "dpadapt_survival")
    expect_s3_class(private(survived, transform(survived, time = -time)), "dpadapt_survival")
})

test_that("a problem of another session is told as one", {
    file <- tempfile()
    saveRDS(dpadapt_problem(y ~ a + b, source_data, target_data, epsilon = 1, delta = 1e-4), file)
    saved <- readRDS(file)
    saved$process <- -1L
    expect_error(evaluate(fit, saved), "another session", class = "dpadapt_error")
})

test_that("labels and persons are told by their names", {
    private <- dpadapt_problem(y ~ a, source_data, target_data)
    expect_output(print(inspect_private(private)), "must be a finite number")
    expect_output(print(private_fit(groups = rep(1:60, 2))), "200 source rows and 60 target persons")
})

test_that("a forecast does not look at the target", {
    plan <- privacy_plan(y ~ a, source_data, data.frame(none = 1), target_rows = 100, epsilon = 1,
                         delta = 1e-4, forecast_repeats = 2)
    expect_identical(plan$forecast$target_rows[1], 100)
})

test_that("the formula of hazards is that of Surv()", {
    expect_identical(formula(lived)[[2]], quote(Surv(time, event)))
    expect_length(coef(update(lived, . ~ . + b)), 3)
})

test_that("what worked goes on", {
    file <- tempfile()
    privacy_ledger(file, epsilon = 1, delta = 1e-4)
    expect_s3_class(privacy_ledger(file, private_domain = "target"), "dpadapt_ledger")
    fit <- dpadapt(y ~ a, source_data, target_data, private_domain = NULL, epsilon = 1, delta = 1e-4,
                   groups = as.character(target_data$b > 0))
    expect_identical(fit$call$groups, quote(as.character(target_data$b > 0)))
    rows <- dpadapt_problem(y ~ a, source_data, target_data, "none")
    expect_s3_class(evaluate(public_fit(y ~ a), rows, private_domain = "none"), "data.frame")
    unread <- transform(target_data, note = NA)
    expect_s3_class(privacy_utility(y ~ ., source_data[c("a", "y")], target_data[c("a", "y")], unread, 1, 1e-4),
                    "dpadapt_utility")
    expect_silent(dpadapt_problem(y ~ log(a - 50), source_data, target_data, "both"))
})

test_that("private rows take no place of public ones", {
    odd <- transform(source_data, a = "HIV+")
    expect_error(privacy_plan(y ~ a, odd, target_data, epsilon = 1, delta = 1e-4, private_domain = "source", target_rows = 9),
                 "a forecast is of a private target")
    x <- data.frame(a = seq_len(20))
    listed <- x
    listed$a <- as.list(listed$a)
    expect_s3_class(dpadapt_problem(listed, 1:20, x, 1:20, "source"), "dpadapt_problem")
})
