test_that("with one row for each person the fit is that to records", {
    fit_to <- function(groups) {
        dpadapt(y ~ a + b, source_data, target_data, epsilon = 2, delta = 1e-5, unsafe_seed = 3, groups = groups)
    }
    plain <- fit_to(NULL)
    expect_identical(coef(fit_to(paste0("p", 120:1))), coef(plain))
    expect_identical(coef(fit_to(1:120 + 0.5)), coef(plain))
    weekly <- fit_to(rep(1:40, 3))
    expect_false(identical(coef(weekly), coef(plain)))
    expect_identical(weekly$rows, c(source = 200L, target = 40L))
    expect_match(paste(privacy_report(weekly, "json"), collapse = ""), "\"unit\":\"person\"")
})

test_that("groups are a column of the target, and do not become a feature", {
    target_data$patient <- factor(rep(letters[1:20], 6))
    problem <- dpadapt_problem(y ~ a + b, source_data, target_data, groups = "patient")
    expect_output(print(problem), ", target rows of 20 persons")
    fit <- dpadapt(problem, epsilon = 2, delta = 1e-5)
    expect_named(coef(fit), c("(Intercept)", "a", "b"))
    expect_identical(fit$rows[["target"]], 20L)
    measured <- evaluate(fit, dpadapt_problem(y ~ a + b, source_data, target_data, groups = "patient"), epsilon = 2, delta = 1e-5)
    expect_true("squared_error" %in% measured$name)
})

test_that("columns that are named in a call are no features of a dot", {
    with_named <- function(data) transform(data[c("a", "b", "y")], who = seq_along(a) %% 30,
                                           kilos = 1, of = seq_along(a) %% 2)
    fit <- dpadapt(y ~ ., with_named(source_data), with_named(target_data), epsilon = 2,
                   delta = 1e-5, groups = "who",
                   weights = "kilos", scores = "of")
    expect_named(coef(fit), c("(Intercept)", "a", "b"))
    told <- dpadapt_problem(y ~ . + who, with_named(source_data), with_named(target_data),
                            groups = "who")
    expect_identical(colnames(told$source$x), c("a", "b", "who", "kilos", "of"))
})

test_that("groups that cannot be are refused", {
    expect_error(dpadapt_problem(y ~ a, source_data, target_data, groups = 1:3), class = "dpadapt_error_dimension")
    expect_error(dpadapt_problem(y ~ a, source_data, target_data, groups = "nobody"), class = "dpadapt_error_dimension")
    expect_error(dpadapt_problem(y ~ a, source_data, target_data, "none", groups = 1:120), "private_domain must be target")
    expect_error(dpadapt(y ~ a, source_data, target_data, epsilon = 1, delta = 1e-5, groups = rep(1:60, 2), inference = "yes"),
                 "belong to persons", class = "dpadapt_error_unsupported")
})

test_that("a schema's target has persons by the name of their column", {
    schema <- dpadapt_schema(source_data[c("a", "b", "y")], "y")
    target <- transform(target_data, id = seq_len(nrow(target_data)) %/% 2)
    named <- dpadapt_problem(schema, source_data, target, groups = "id")
    expect_equal(named$groups, dpadapt_problem(schema, source_data, target, groups = target$id)$groups)
    expect_error(dpadapt_baseline(y ~ a, source_data, target_data, "ada_ssp", epsilon = 1, delta = 1e-3, groups = "id"),
                 "no option \"groups\", but an argument of other functions")
})
