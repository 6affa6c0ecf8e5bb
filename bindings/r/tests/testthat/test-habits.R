# Scripts as they are written for glm() and broom. Each runs with dpadapt() in place of glm(), or stops with a sentence.

set.seed(4)
patients <- local({
    n <- 3000
    age <- round(rnorm(n, 60, 10))
    sex <- factor(sample(c("female", "male"), n, TRUE))
    stage <- factor(sample(c("I", "II", "III"), n, TRUE))
    treated <- rbinom(n, 1, 0.5)
    score <- 0.04 * (age - 60) + 0.5 * (sex == "male") + 0.8 * (stage == "III") - 0.7 * treated
    dead <- rbinom(n, 1, plogis(score - 0.3))
    data.frame(age, sex, stage, treated, dead, outcome = factor(dead, 0:1, c("alive", "dead")), alive = dead == 0,
               bp = 120 + 5 * score + rnorm(n, 0, 6), visits = rpois(n, exp(score / 2)), days = rexp(n), ward = stage, years = 1 + runif(n))
})
new <- patients[seq(1, 3000, by = 7), ]

# glm(..., data = d) becomes dpadapt(..., source = d, target = d) with a budget, wherever it stands.
in_place_of_glm <- function(code) {
    if (!is.call(code)) return(code)
    if (identical(code[[1]], quote(glm))) {
        data <- code$data
        code$data <- NULL
        code[[1]] <- quote(dpadapt)
        return(as.call(c(as.list(code), list(source = data, target = data, epsilon = 8, delta = 1e-5))))
    }
    for (i in seq_along(code)[-1]) if (is.call(code[[i]])) code[[i]] <- in_place_of_glm(code[[i]])
    code
}
run_script <- function(code) eval(code, new.env(parent = environment(in_place_of_glm)))

# Both ways give the same names, and numbers near each other.
alike <- function(code, tolerance = 0.1) {
    code <- substitute(code)
    wanted <- run_script(code)
    found <- run_script(in_place_of_glm(code))
    expect_identical(names(found), names(wanted))
    expect_identical(dim(found), dim(wanted))
    expect_lte(max(abs(found - wanted)), tolerance, label = deparse1(code))
}
stops <- function(code, sentence) {
    code <- in_place_of_glm(substitute(code))
    expect_error(run_script(code), sentence, info = deparse1(code))
}

test_that("predictions are those of predict.glm()", {
    alike(predict(glm(dead ~ age + sex, family = binomial, data = patients), newdata = new, type = "response"))
    alike(predict(glm(dead ~ age + sex, family = binomial(), data = patients), new, type = "link"), 0.3)
    alike(predict(glm(outcome ~ age + stage, family = "binomial", data = patients), new), 0.3)
    alike(predict(glm(alive ~ age, binomial(link = "logit"), data = patients), new, "response"))
    alike(predict(glm(bp ~ age * sex, data = patients), new), 1)
    alike(predict(glm(bp ~ log(age) + I(treated == 1), family = gaussian, data = patients), new, type = "response"), 1)
    alike(predict(glm(dead ~ poly(age, 2), binomial, data = patients), data.frame(age = c(40, NA, 70)), type = "response")[-2])
    stops(predict(glm(dead ~ age, binomial, data = patients), new, se.fit = TRUE), "no argument se.fit")
    stops(predict(glm(dead ~ age, binomial, data = patients), new, type = "terms"), "must be one of")
    stops(predict(glm(dead ~ stage, binomial, data = patients), data.frame(stage = "IV")), "new level")
})

test_that("counts are those of a log link", {
    alike(predict(glm(visits ~ age + sex, family = poisson, data = patients), new))
    alike(predict(glm(visits ~ age + treated, poisson(link = "log"), data = patients), newdata = new, type = "response"), 0.2)
    alike(exp(coef(glm(visits ~ treated + age, family = "poisson", data = patients))))
    expect_identical(run_script(in_place_of_glm(quote(family(glm(visits ~ age, poisson, data = patients))$link))), "log")
    # offset(log(years)) with other words
    rates <- transform(patients, rate = visits / years)
    fit <- dpadapt(rate ~ age, rates, rates, loss = "poisson", weights = list(source = rates$years, target = rates$years),
                   private_domain = "none", alpha = 0)
    wanted <- glm(visits ~ age + offset(log(years)), poisson, data = rates)
    expect_equal(coef(fit), coef(wanted), tolerance = 1e-4)
})

test_that("amounts are those of a log link", {
    alike(predict(glm(days ~ age + sex, family = Gamma(link = "log"), data = patients), new))
    alike(predict(glm(days ~ age + treated, Gamma("log"), data = patients), newdata = new, type = "response"), 0.2)
    alike(exp(coef(glm(days ~ treated + age, family = Gamma(link = "log"), data = patients))))
    expect_identical(run_script(in_place_of_glm(quote(family(glm(days ~ age, Gamma("log"), data = patients))$link))), "log")
    fit <- dpadapt(days ~ treated, patients, patients, loss = "gamma", private_domain = "none", alpha = 0)
    expect_equal(coef(fit), coef(glm(days ~ treated, Gamma("log"), data = patients)), tolerance = 1e-5)
    expect_error(dpadapt(days - 2 ~ treated, patients, patients, loss = "gamma", private_domain = "none"), "are greater than 0")
    skip_if_not_installed("generics")
    expect_equal(generics::tidy(fit, exponentiate = TRUE)$estimate, unname(exp(coef(fit))))
})

test_that("what is computed from probabilities stays right", {
    alike({
        p <- predict(glm(dead ~ ., binomial, data = patients[1:5]), new, type = "response")
        c(brier = mean((p - new$dead)^2), share = mean(p), accuracy = mean((p > 0.5) == new$dead),
          auc = wilcox.test(p[new$dead == 1], p[new$dead == 0], exact = FALSE)$statistic[[1]] / prod(table(new$dead)))
    }, 0.03)
    alike({
        p <- predict(glm(outcome ~ age + treated, binomial, data = patients), new, type = "response")
        tapply(p, cut(p, c(0, 0.3, 0.5, 0.7, 1)), length) / length(p) # calibration by bins
    }, 0.15)
    alike({
        fit <- glm(dead ~ treated + age + stage, family = binomial, data = patients)
        of <- function(arm) mean(predict(fit, transform(patients, treated = arm), type = "response"))
        of(1) - of(0) # standardised risk difference
    }, 0.05)
    alike({
        fold <- rep(1:3, length.out = nrow(patients))
        vapply(1:3, function(k) {
            fit <- glm(dead ~ age + treated, binomial, data = patients[fold != k, ])
            mean((predict(fit, patients[fold == k, ], type = "response") - patients$dead[fold == k])^2)
        }, 0)
    }, 0.03)
})

test_that("coefficients and models are read as those of glm()", {
    alike(coef(glm(dead ~ age + sex + stage, binomial, data = patients)), 0.5)
    alike(exp(coef(glm(dead ~ relevel(stage, ref = "II"), binomial, data = patients))), 0.5)
    alike(exp(coef(glm(outcome ~ treated, family = binomial, data = patients)))["treated"], 0.2)
    alike(summary(glm(dead ~ treated, binomial, data = patients))$coefficients[, "Estimate"], 0.3)
    alike(coef(summary(glm(dead ~ treated, binomial, data = patients)))[, "Estimate"], 0.3)
    alike(coef(update(glm(dead ~ age + sex, binomial, data = patients), . ~ . - sex)), 0.5)
    alike(vapply(list(dead ~ age, dead ~ age + sex), function(f) length(coef(glm(f, binomial, data = patients))), 1L), 0)
    alike(nobs(glm(dead ~ age, binomial, data = patients)), 0)
    alike(family(glm(dead ~ age, binomial, data = patients))$linkinv(0), 0)
    expect_identical(attr(terms(run_script(in_place_of_glm(quote(glm(dead ~ age * sex, binomial, data = patients))))), "term.labels"),
                     c("age", "sex", "age:sex"))
    fit <- run_script(in_place_of_glm(quote(glm(dead ~ age * sex, binomial, data = patients))))
    expect_equal(drop(model.matrix(fit, new) %*% coef(fit)), predict(fit, new))
    expect_equal(family(fit)$linkinv(predict(fit, new)), predict(fit, new, type = "response"))
    stops(summary(glm(dead ~ treated, binomial, data = patients))$coefficients[, "Std. Error"], "subscript out of bounds")
    stops(confint(glm(dead ~ age, binomial, data = patients)), "inference = yes")
    stops(vcov(glm(bp ~ age, data = patients)), "inference = yes")
    expect_lt(run_script(in_place_of_glm(quote(confint(glm(bp ~ treated, data = patients, inference = "yes")))))["treated", 2], 0)
})

test_that("what a fit without data cannot give is refused", {
    stops(fitted(glm(dead ~ age, binomial, data = patients)), "predict\\(fit, newdata\\)")
    stops(predict(glm(dead ~ age, binomial, data = patients)), "newdata is needed")
    stops(residuals(glm(dead ~ age, binomial, data = patients), type = "pearson"), "keeps no data")
    stops(model.matrix(glm(dead ~ age, binomial, data = patients)), "keeps no data")
    stops(model.frame(glm(dead ~ age, binomial, data = patients)), "keeps no data")
    stops(deviance(glm(dead ~ age, binomial, data = patients)), "keeps no data")
    stops(anova(glm(dead ~ age, binomial, data = patients), test = "Chisq"), "no likelihood")
    stops(AIC(glm(dead ~ age, binomial, data = patients)), "no likelihood")
    stops(step(glm(dead ~ age + sex, binomial, data = patients), trace = 0), "no likelihood")
})

test_that("families and arguments of glm() that there are not are refused", {
    for (other in list(quasibinomial, quasi(), inverse.gaussian(link = "log"), "cox", 3))
        expect_error(public_fit(y ~ a, family = other), "gaussian .* binomial .*custom_loss", class = "dpadapt_error_option")
    for (inverse in list(Gamma, Gamma(), "Gamma"))
        expect_error(public_fit(exp(y) ~ a, family = inverse), "link of Gamma is log here, and no other: Gamma\\(link = \"log\"\\)")
    expect_error(public_fit(exp(y) ~ a, loss = "Gamma"), "(\"gamma\")", fixed = TRUE)
    stops(glm(visits ~ age, poisson(link = "sqrt"), data = patients), "link of poisson is log")
    stops(glm(dead ~ age, family = binomial(link = "probit"), data = patients), "link of binomial is logit")
    stops(glm(bp ~ age, family = gaussian("log"), data = patients), "link of gaussian is identity")
    stops(glm(bp ~ age, family = binomial, loss = "huber", data = patients), "give one of both")
    stops(glm(cbind(dead, 1 - dead) ~ age, binomial, data = patients), "a row for each trial")
    stops(glm(visits ~ age + offset(log(years)), data = patients), "offsets are not supported: scores.*count / time")
    stops(glm(visits ~ age, offset = log(years), data = patients), "offset is not supported: scores")
    stops(glm(dead ~ age, binomial, weights = years, data = patients), "column stands in quotes")
    stops(glm(dead ~ age, binomial, subset = age > 50, data = patients), "source = subset")
    stops(glm(dead ~ age, binomial, control = list(maxit = 50), data = patients), "no option \"control\"")
    stops(glm(bp ~ age + (1 | ward), data = patients), "random effects, 1 \\| ward")
    stops(glm(bp ~ (age | ward), data = patients), "random effects")
    stops(glm(Surv(days, dead) ~ age, data = patients), "censored times")
    stops(glm(dead ~ age, binomial, data = patients, epslion = 1), "did you mean \"epsilon\"")
    expect_error(dpadapt(dead ~ age, data = patients), "source = and target =")
    expect_error(dpadapt(dpadapt_problem(y ~ a, source_data, target_data), data = target_data), "are the data")
    expect_error(dpadapt_problem(y ~ a, source_data, target_data, loss = "logistic"), "inspect_private\\(problem, loss")
    expect_identical(coef(public_fit(I(a > 0 | b > 0) ~ (b > 0 | a > 1), loss = "logistic")),
                     coef(public_fit(I(a > 0 | b > 0) ~ (b > 0 | a > 1), family = binomial)))
})

test_that("families are taken where losses are", {
    problem <- dpadapt_problem(two ~ a + b, source_data, target_data, "none")
    wanted <- coef(dpadapt(problem, loss = "logistic"))
    expect_identical(coef(dpadapt(problem, family = binomial)), wanted)
    expect_identical(coef(dpadapt(problem, binomial())), wanted)
    expect_identical(coef(public_fit(two ~ a + b, loss = "logistic", family = "binomial")), wanted)
    expect_identical(dpadapt_baseline(two ~ a, source_data, target_data, "pooled", family = binomial, private_domain = "none")$loss,
                     "logistic")
    expect_identical(dpadapt_schema(source_data[c("a", "two")], "two", family = binomial)$kind, "binary")
    sizes <- function(...) privacy_plan(c(100, 100, 2), epsilon = 1, delta = 1e-5, ...)$values
    expect_identical(sizes(family = binomial), sizes(loss = "logistic"))
    expect_error(dpadapt_search(problem, target_data, list(family = "binomial")), "cannot be an axis")
    fit <- dpadapt(two ~ a, source_data, target_data, binomial, private_domain = "none")
    expect_error(update(fit, family = poisson), "give one of both")
    expect_error(public_fit(two ~ a, "binomial"), "a family is no loss: give family = \"binomial\", or loss = \"logistic\"")
})

test_that("broom's verbs give what they are asked for", {
    skip_if_not_installed("generics")
    fit <- dpadapt(outcome ~ age + sex, patients, patients, family = binomial, epsilon = 8, delta = 1e-5)
    odds <- generics::tidy(fit, exponentiate = TRUE)
    expect_identical(odds$term, c("(Intercept)", "age", "sexmale"))
    expect_equal(odds$estimate, unname(exp(coef(fit))))
    expect_error(generics::tidy(fit, conf.int = TRUE, exponentiate = TRUE), "inference = yes")
    expect_error(generics::tidy(fit, conf.int = "yes"), "TRUE or FALSE")
    numbers <- dpadapt(bp ~ age + treated, patients, patients, epsilon = 8, delta = 1e-5, inference = "yes")
    table <- generics::tidy(numbers, conf.int = TRUE, conf.level = 0.9)
    expect_named(table, c("term", "estimate", "conf.low", "conf.high", "target.estimate"))
    expect_equal(unname(cbind(table$conf.low, table$conf.high)), unname(confint(numbers, level = 0.9)))
    expect_equal((table$conf.low + table$conf.high) / 2, table$target.estimate)
    expect_warning(ratio <- generics::tidy(numbers, exponentiate = TRUE), "no logarithms of odds")
    expect_equal(ratio$estimate, unname(exp(coef(numbers))))
    several <- public_fit(three ~ a, loss = "softmax")
    expect_error(generics::tidy(several, exponentiate = TRUE), "differences")
    expect_error(generics::tidy(several, conf.int = TRUE), "linear score")
    expect_identical(generics::glance(fit)$nobs, nobs(fit))
    rows <- generics::augment(fit, newdata = new, type.predict = "response")
    expect_equal(rows$.fitted, rows$.prob_dead)
    expect_equal(generics::augment(fit, newdata = new)$.fitted, unname(predict(fit, new)))
    expect_error(generics::augment(fit, data = patients), "no argument data")
    expect_error(generics::augment(fit, newdata = new, se_fit = TRUE), "no argument se_fit")
    expect_error(generics::tidy(fit, conf_int = TRUE), "no argument conf_int")
})

test_that("a second fit to the same private rows is told once", {
    session <- dpadapt:::session
    old <- session$told
    on.exit(session$told <- old)
    session$told <- FALSE
    rows_of_mine <- target_data
    again <- function(...) dpadapt(y ~ a, source_data, rows_of_mine, epsilon = 1, delta = 1e-4, ...)
    expect_silent(fit <- again())
    expect_silent(again(private_domain = "source", ledger = privacy_ledger(epsilon = 1, delta = 1e-4, private_domain = "source")))
    expect_silent(dpadapt(y ~ a, source_data, rows_of_mine, private_domain = "none"))
    expect_message(again(), "second private fit to rows_of_mine .* epsilon = 2 and delta = 2e-04 only.*privacy_ledger")
    expect_silent(again())
    expect_named(coef(update(fit, . ~ . + b)), c("(Intercept)", "a", "b"))
    half <- dpadapt(y ~ a, source_data, rows_of_mine[rows_of_mine$b > 0, ], epsilon = 1, delta = 1e-4)
    expect_identical(half$call$target, quote(rows_of_mine[rows_of_mine$b > 0, ]))
    expect_s3_class(update(half, alpha = 0.5), "dpadapt")
    lost <- dpadapt(y ~ a, source_data, data.frame(a = 1:9, y = 1:9), epsilon = 1, delta = 1e-4)
    expect_error(update(lost, . ~ . - 1), "needs them")
    expect_s3_class(update(lost, target = rows_of_mine), "dpadapt")
    session$told <- FALSE
    for (i in 1:2)
        expect_silent(dpadapt(y ~ a, source_data, data.frame(a = c(1:9), y = 1:9), epsilon = 1, delta = 1e-4))
})

test_that("two classes that are taken for numbers are told", {
    expect_output(print(public_fit(as.numeric(two == "yes") ~ a)), "two values, 0 and 1, .*family = binomial")
    expect_no_match(capture.output(print(public_fit(two ~ a, loss = "logistic"))), "two values")
})

# Functions, and methods of every class, each with what it needs.
test_that("an argument that does not exist is an error of every method", {
    skip_if_not_installed("generics")
    x <- as.matrix(source_data[c("a", "b")])
    fit <- dpadapt(y ~ a + b, source_data, target_data, private_domain = "none")
    rows <- dpadapt_problem(y ~ a + b, source_data, target_data, "none")
    classes <- list(dpadapt = list(fit), dpadapt_survival = list(fit), dpadapt_problem = list(rows),
                    dpadapt_schema = list(dpadapt_schema(source_data, "y"), source_data, target_data),
                    dpadapt_plan = list(privacy_plan(c(100, 100, 2), epsilon = 1, delta = 1e-5)), numeric = list(c(100, 100, 2)),
                    dpadapt_ledger = list(privacy_ledger(epsilon = 1, delta = 1e-5)), dpadapt_evaluation = list(evaluate(fit, rows)),
                    dpadapt_utility = list(privacy_utility(y ~ a, source_data, target_data, target_data, 1, 1e-4)),
                    formula = list(y ~ a + b, source_data, target_data), default = list(x, source_data$y, x, source_data$y))
    needs <- list(dpadapt_baseline = list(method = "pooled"), augment = list(newdata = source_data),
                  model.matrix = list(data = source_data), update = list(evaluate = TRUE),
                  dpadapt_search = list(grid = list(alpha = c(0, 1)), validation = rows))
    # These pass on what they are given, or are refused as a whole.
    left <- c("print", "as.data.frame", "$", "fitted", "residuals", "deviance", "logLik", "df.residual", "extractAIC", "anova",
              "model.frame", "rstandard", "rstudent", "cooks.distance", "hatvalues", "influence", "dfbeta", "dfbetas", "effects",
              "profile", "simulate")
    methods <- asNamespace("dpadapt")[[".__NAMESPACE__."]]$S3methods
    methods <- methods[!(methods[, 1] %in% left) & !(methods[, 1] == "dpadapt_search" & methods[, 2] == "default"), ]
    pdf(NULL)
    on.exit(dev.off())
    tried <- character()
    for (i in seq_len(nrow(methods))) {
        name <- methods[i, 1]
        tried <- c(tried, name)
        generic <- get(name, if (name %in% getNamespaceExports("generics")) asNamespace("generics") else asNamespace("dpadapt"))
        method <- get(paste(name, methods[i, 2], sep = "."), asNamespace("dpadapt"))
        settings <- if (any(names(formals(method)) == "private_domain")) list(private_domain = "none")
        given <- c(classes[[methods[i, 2]]], needs[[name]], settings, no_such_argument = 1)
        expect_error(do.call(generic, given), "no_such_argument", info = paste(methods[i, 1], methods[i, 2]))
    }
    expect_true(all(c("summary", "coef", "confint", "plot", "privacy_report", "weights") %in% tried))
    for (verb in c("tidy", "glance", "augment"))
        expect_error(do.call(get(verb, asNamespace("generics")), c(list(fit), needs[[verb]], no_such_argument = 1)), "no_such_argument")
    functions <- list(evaluate = list(fit, rows), dpadapt_select = list(list(fit), rows), inspect_private = list(rows),
                      dpadapt_schema = list(source_data, "y"), predict = list(fit, target_data),
                      privacy_utility = list(y ~ a, source_data, target_data, target_data, 1, 1e-4))
    for (name in names(functions))
        expect_error(do.call(name, c(functions[[name]], no_such_argument = 1)), "no_such_argument", info = name)
})
