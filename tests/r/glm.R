# glm.R: short scripts as people write them for glm() and broom, by the pages of those packages. Each runs three times: with
# glm(), with dpadapt() on public rows, and with dpadapt() on private ones. It gives glm's numbers, or stops with a sentence.
library(dpadapt)
library(splines)
generics <- requireNamespace("generics", quietly = TRUE)
set.seed(20)
d <- local({
    n <- 3000
    age <- round(rnorm(n, 60, 10))
    sex <- factor(sample(c("female", "male"), n, TRUE))
    stage <- factor(sample(c("I", "II", "III"), n, TRUE))
    treated <- rbinom(n, 1, 0.5)
    score <- 0.04 * (age - 60) + 0.5 * (sex == "male") + 0.8 * (stage == "III") - 0.7 * treated
    dead <- rbinom(n, 1, plogis(score - 0.3))
    data.frame(age, sex, stage, treated, dead, outcome = factor(dead, 0:1, c("alive", "dead")), trials = 1 + rpois(n, 4),
               bp = 120 + 5 * score + rnorm(n, 0, 6), visits = rpois(n, exp(score / 2)), cost = exp(score + rnorm(n, 5, 0.5)),
               years = 1 + runif(n))
})
d$successes <- rbinom(nrow(d), d$trials, 0.4)
d$share <- d$successes / d$trials
holes <- replace(d, "age", list(replace(d$age, c(3, 7, 11), NA)))
new <- d[seq(1, nrow(d), by = 9), ]

# What broom says of tidy.glm(); of the private fits `conf.int` is left out.
broom <- list(tidy = function(x, conf.int = FALSE, conf.level = 0.95, exponentiate = FALSE) {
    table <- summary(x)$coefficients
    colnames(table) <- c("estimate", "std.error", "statistic", "p.value")
    if (conf.int) {
        ends <- confint.default(x, level = conf.level)
        table <- cbind(table, conf.low = ends[, 1], conf.high = ends[, 2])
    }
    changed <- intersect(colnames(table), c("estimate", "conf.low", "conf.high"))
    if (exponentiate) table[, changed] <- exp(table[, changed])
    data.frame(term = rownames(table), table, row.names = NULL)
}, glance = function(x) data.frame(nobs = nobs(x), AIC = AIC(x)), augment = function(x, newdata, type.predict = "link")
    cbind(newdata, .fitted = predict(x, newdata, type = type.predict)))
ends_of <- function(x, ...) confint.default(x, ...) # profiles need another package before R 4.4

# glm(..., data = d) becomes dpadapt(..., source = d, target = d) with these settings, wherever it stands.
replaced <- function(code, settings) {
    if (!is.call(code)) return(code)
    if (identical(code[[1]], quote(glm))) {
        rows <- code$data
        code$data <- NULL
        code[[1]] <- quote(dpadapt)
        return(as.call(c(as.list(code), list(source = rows, target = rows), settings)))
    }
    for (i in seq_along(code)[-1]) if (is.call(code[[i]])) code[[i]] <- replaced(code[[i]], settings)
    code
}
run <- function(code, own) {
    scope <- new.env(parent = globalenv())
    for (verb in names(broom)) scope[[verb]] <- if (own) broom[[verb]] else if (generics) get(verb, asNamespace("generics"))
    scope$confint <- if (own) ends_of else confint
    tryCatch(suppressMessages(eval(code, scope)), error = identity)
}

public <- list(private_domain = "none", alpha = 0, form = "general") # the target's own fit: all of its rows count alike
private <- list(epsilon = 30, delta = 1e-5, unsafe_seed = 7)
scripts <- 0
wrong <- character()
complain <- function(...) wrong <<- c(wrong, paste0(...))

# @param within  How far numbers of public rows may be from those of glm(); 1e-6 where the estimate is the same.
# @param noise   How far those of private rows may be, or the sentence with which they stop.
same <- function(code, within = 1e-6, noise = 0.15) {
    code <- substitute(code)
    scripts <<- scripts + 1
    wanted <- run(code, TRUE)
    if (inherits(wanted, "error")) return(complain("glm stops: ", deparse1(code), ": ", conditionMessage(wanted)))
    for (settings in list(public, private)) {
        limit <- if (identical(settings, public)) within else noise
        found <- run(replaced(code, settings), FALSE)
        if (is.character(limit)) expect_stop(found, limit, code)
        else if (inherits(found, "error")) complain(deparse1(code), " stops: ", conditionMessage(found))
        else if (!is.numeric(wanted)) {
            if (!identical(found, wanted)) complain(deparse1(code), " gives ", deparse1(found))
        } else if (!identical(dim(found), dim(wanted)) || !identical(names(found), names(wanted)) ||
                   !identical(dimnames(found), dimnames(wanted)))
            complain(deparse1(code), " gives the names ", deparse1(c(names(found), dimnames(found))))
        else if (!isTRUE(max(abs(found - wanted), 0) <= limit))
            complain(deparse1(code), " gives ", deparse1(utils::head(c(found))), ", but glm ", deparse1(utils::head(c(wanted))))
    }
}
expect_stop <- function(found, sentence, code) {
    if (!inherits(found, "error")) complain(deparse1(code), " gives ", deparse1(utils::head(found)))
    else if (!grepl(sentence, conditionMessage(found)))
        complain(deparse1(code), " stops with another sentence: ", conditionMessage(found))
}
# Both kinds of fits stop, before they give a number.
stops <- function(code, sentence) {
    code <- substitute(code)
    scripts <<- scripts + 1
    for (settings in list(public, private)) expect_stop(run(replaced(code, settings), FALSE), sentence, code)
}

# family
same(coef(glm(dead ~ age, family = binomial, data = d)))
same({
    fits <- list(glm(dead ~ age, binomial(), data = d), glm(dead ~ age, family = "binomial", data = d),
                 glm(formula = dead ~ age, family = binomial(link = "logit"), data = d))
    sapply(fits, coef)
})
stops(glm(dead ~ age, "binomial", data = d), "family = \"binomial\"")
stops(glm(dead ~ age, binomial("probit"), data = d), "link of binomial is logit")
stops(glm(cost ~ age, Gamma, data = d), "link of Gamma is log here")
same(coef(glm(cost ~ age, Gamma(link = "log"), data = d)))
stops(glm(dead ~ age, quasibinomial, data = d), "no family here")
same(family(glm(visits ~ age, poisson, data = d))$linkinv(1))

# the response
stops(glm(cbind(successes, trials - successes) ~ age, binomial, data = d), "a row for each trial")
stops(glm(share ~ age, binomial, weights = trials, data = d), "stands in quotes")
stops(glm(share ~ age, binomial, data = d), "a row for each trial")
same(coef(glm(outcome ~ age, binomial, data = d)))
same(coef(glm(relevel(outcome, ref = "dead") ~ age, binomial, data = d)))
same(coef(glm(dead == 0 ~ age, binomial, data = d)))
same(coef(glm(factor(dead) ~ treated, binomial, data = d)))
stops(glm(stage ~ age, binomial, data = d), "needs two classes, but the labels have 3")
stops(glm(I(dead + 1) ~ age, binomial, data = d), "labels are 0 and 1, or -1 and 1")
stops(glm(outcome ~ age, data = d), "family = binomial")
same(exp(predict(glm(log(cost) ~ age + treated, data = d), new)), noise = 40)

# arguments of glm()
stops(glm(visits ~ age + offset(log(years)), poisson, data = d), "offsets are not supported: scores")
stops(glm(visits ~ age, poisson, offset = log(years), data = d), "offset is not supported: scores")
stops(glm(bp ~ age, weights = d$years, data = d), "the name of a column, or list")
stops(glm(bp ~ age, subset = sex == "male", data = d), "source = subset")
same({
    fit <- glm(bp ~ age, na.action = na.omit, data = holes)
    coef(fit)
}, noise = 1)
same(coef(glm(dead ~ age, binomial, na.action = na.exclude, data = holes)))
same(nobs(glm(dead ~ treated, binomial, data = d)))
stops(glm(bp ~ age, na.action = na.fail, data = holes), "missing values in object")
stops(glm(dead ~ age, binomial, start = c(0, 0), data = d), "no option \"start\": .*iterations")
stops(glm(dead ~ age, binomial, control = glm.control(maxit = 50), data = d), "no option \"control\": tolerance")
stops(glm(dead ~ age, binomial, trace = TRUE, data = d), "verbose")
stops(glm(dead ~ age, binomial, method = "glm.fit", data = d), "method")
stops(glm(dead ~ age, binomial, model = FALSE, data = d), "keeps no data")
same(coef(glm(bp ~ stage, contrasts = list(stage = "contr.sum"), data = d)), noise = 1)
same({
    old <- options(contrasts = c("contr.helmert", "contr.poly"))
    values <- coef(glm(bp ~ stage, data = d))
    options(old)
    values
}, noise = 1)

# predictions
same(predict(glm(dead ~ age + sex, binomial, data = d), newdata = new, type = "response"))
same(predict(glm(dead ~ age + sex, binomial, data = d), new, type = "link"))
same(predict(glm(dead ~ age + sex, binomial, data = d), new))
same(predict(glm(visits ~ age, poisson, data = d), new, "response"))
same(predict(glm(bp ~ age, data = d), data.frame(age = c(40, NA)))[[1]], noise = 1)
stops(predict(glm(dead ~ age, binomial, data = d), new, type = "terms"), "link.*response.*prob")
stops(predict(glm(dead ~ age, binomial, data = d), new, se.fit = TRUE), "no argument se.fit: calibrate")
stops(predict(glm(dead ~ age, binomial, data = d), type = "response"), "newdata is needed")
stops(predict(glm(dead ~ age, binomial, data = d), new, na.action = na.omit), "have no prediction")
stops(predict(glm(dead ~ stage, binomial, data = d), data.frame(stage = "IV")), "new level")
stops(predict(glm(dead ~ age, binomial, data = d), data.frame(years = 1)), "no column age")

# what a fit is asked for
for (type in c("deviance", "pearson", "response", "working"))
    stops(residuals(glm(dead ~ age, binomial, data = d), type = type), "predict\\(fit, newdata\\)")
stops(plot(rstandard(glm(dead ~ age, binomial, data = d))), "keeps no data")
stops(which(cooks.distance(glm(dead ~ age, binomial, data = d)) > 1), "keeps no data")
stops(sum(glm(dead ~ age, binomial, data = d)$residuals^2), "no residuals: .*predict")
stops(with(list(fit = glm(dead ~ age, binomial, data = d)), 1 - fit$deviance / fit$null.deviance), "no deviance: .*evaluate")
stops(mean((glm(dead ~ age, binomial, data = d)$fitted.values > 0.5) == d$dead), "no fitted.values")
stops(summary(glm(bp ~ age, data = d))$dispersion, "no dispersion")
stops(glm(dead ~ age, binomial, data = d)$converged, "summary\\(fit\\)")
stops(deviance(glm(dead ~ age, binomial, data = d)), "keeps no data")
stops(logLik(glm(dead ~ age, binomial, data = d)), "no likelihood: .*evaluate")
stops(AIC(glm(dead ~ age, binomial, data = d), glm(dead ~ sex, binomial, data = d)), "no likelihood")
stops(BIC(glm(dead ~ age, binomial, data = d)), "no likelihood")
stops(anova(glm(dead ~ age, binomial, data = d), glm(dead ~ age + sex, binomial, data = d), test = "LRT"), "no likelihood")
stops(drop1(glm(dead ~ age + sex, binomial, data = d), test = "Chisq"), "no likelihood")
stops(add1(glm(dead ~ age, binomial, data = d), ~ . + sex, test = "Chisq"), "no likelihood")
stops(step(glm(dead ~ age + sex, binomial, data = d), trace = 0), "no likelihood")
stops(simulate(glm(dead ~ age, binomial, data = d), 3), "no likelihood")
same(coef(glm(dead ~ age, binomial, data = d))["age"] * 10)
same(exp(coef(glm(dead ~ treated + sex, family = binomial, data = d))))
same(summary(glm(dead ~ age + sex, binomial, data = d))$coefficients[, "Estimate"])
stops(summary(glm(dead ~ age, binomial, data = d))$coefficients[, "Pr(>|z|)"], "subscript out of bounds")
# Ours is the sandwich, which is glm's covariance up to chance where the model is true.
same(1 / sqrt(diag(vcov(glm(dead ~ treated, binomial, data = d)))), within = 1, noise = "inference = yes")
same(confint(glm(dead ~ treated + sex, binomial, data = d), level = 0.9), within = 0.01, noise = "inference = yes")
same(confint(glm(bp ~ treated, data = d))["treated", ], within = 0.05, noise = "inference = yes")
same(local({
    fit <- glm(dead ~ treated, binomial, data = d)
    exp(cbind(OR = coef(fit), confint(fit)))
}), within = 0.02, noise = "inference = yes")
same(all.vars(formula(glm(dead ~ age * sex, binomial, data = d))))
same(attr(terms(glm(dead ~ age * sex, binomial, data = d)), "term.labels"))
same(deparse(as.formula(glm(dead ~ age, binomial, data = d))))
stops(model.frame(glm(dead ~ age, binomial, data = d)), "keeps no data")
stops(model.matrix(glm(dead ~ age, binomial, data = d)), "model.matrix\\(fit, data\\)")
same(unname(model.matrix(glm(dead ~ age * stage, binomial, data = d), data = new)[, ]))
same(coef(update(glm(dead ~ age + sex, binomial, data = d), . ~ . - sex)))
same(coef(update(glm(dead ~ age, family = binomial, data = d), . ~ . + stage)))
stops(update(glm(visits ~ age, binomial, data = d), family = poisson), "labels are 0 and 1|give one of both")
stops(update(glm(bp ~ age, data = d), data = new), "source = and target = are the data")
stops(update(glm(bp ~ age, data = d), subset = age > 50), "source = subset")
stops(plot(glm(bp ~ age, data = d), which = 2), "no argument which")

# formulas
same(coef(glm(dead ~ relevel(stage, ref = "III"), binomial, data = d)))
same(coef(glm(dead ~ as.factor(treated) + stage, binomial, data = d)))
same(coef(glm(dead ~ ordered(stage), binomial, data = d)))
same(coef(glm(dead ~ sex * treated, binomial, data = d)))
same(coef(glm(dead ~ stage + stage:treated, binomial, data = d)))
same(coef(glm(dead ~ (sex + stage + treated)^2, binomial, data = d)), noise = 0.3)
same(predict(glm(dead ~ poly(age, 3), binomial, data = d), new, type = "response"), noise = 0.2)
same(predict(glm(dead ~ ns(age, df = 3) + sex, binomial, data = d), new, type = "response"), noise = 0.2)
same(coef(glm(dead ~ I((age - 60) / 10) + I(age > 50), binomial, data = d)))
same(coef(glm(dead ~ log(age) + treated, binomial, data = d)), noise = 2)
same(coef(glm(dead ~ cut(age, c(0, 50, 70, 200)), binomial, data = d)))
same(coef(glm(dead ~ ., binomial, data = d[1:5])))
same(coef(glm(dead ~ . - stage, binomial, data = d[1:5])))
same(coef(glm(dead ~ stage - 1, binomial, data = d)))
same(coef(glm(dead ~ 0 + sex + treated, binomial, data = d)))
stops(glm(dead ~ 1, binomial, data = d), "no features")

# broom
if (generics) {
    same(tidy(glm(dead ~ age + sex, binomial, data = d))$estimate)
    same(tidy(glm(dead ~ age + sex, binomial, data = d))$term)
    same(tidy(glm(dead ~ treated + sex, binomial, data = d), exponentiate = TRUE)$estimate)
    same(unlist(tidy(glm(dead ~ treated, binomial, data = d), conf.int = TRUE, conf.level = 0.9,
                     exponentiate = TRUE)[c("conf.low", "conf.high")]), within = 0.02, noise = "inference = yes")
    stops(sum(tidy(glm(dead ~ age + sex, binomial, data = d))$p.value < 0.05), "no p.value: confint")
    stops(tidy(glm(dead ~ age, binomial, data = d))$std.error, "no std.error: .*vcov")
    same(glance(glm(dead ~ age, binomial, data = d))$nobs)
    stops(glance(glm(dead ~ age, binomial, data = d))$AIC, "no AIC: .*evaluate")
    stops(augment(glm(dead ~ age, binomial, data = d)), "newdata is needed")
    same(augment(glm(dead ~ age, binomial, data = d), newdata = new, type.predict = "response")$.fitted)
    stops(augment(glm(dead ~ age, binomial, data = d), newdata = new, se_fit = TRUE), "no argument se_fit: calibrate")
}

cat(scripts, "scripts,", length(wrong), "wrong\n")
if (length(wrong)) stop(paste(c("", wrong), collapse = "\n"))
stopifnot(scripts >= 90)
