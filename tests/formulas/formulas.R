# formulas.R FOLDER: fits formulas, and writes a model file and predictions of each. In R the fit and
# the file must predict the same, to the last bit, and what model.matrix() gives within 1e-12.
library(dpadapt)
library(splines)
folder <- commandArgs(TRUE)
set.seed(3)
rows <- function(n, slope) {
    d <- data.frame(age = round(runif(n, 20, 80), 1), bmi = exp(rnorm(n, 3.2, 0.2)), stay = rpois(n, 4) + 1, cyl = sample(c(4, 6, 8), n, TRUE),
                    sex = sample(c("male", "female"), n, TRUE), ward = factor(sample(c("A b", "B\"q", "C", "d`x"), n, TRUE)),
                    smoker = runif(n) < 0.3, grade = factor(sample(c("lo", "mid", "hi"), n, TRUE), c("lo", "mid", "hi"), ordered = TRUE),
                    `odd name` = rnorm(n), check.names = FALSE)
    d$y <- with(d, 0.1 * age + slope * (bmi / 20)^2 + (sex == "male") + 0.2 * stay * smoker + rnorm(n))
    d$z <- ifelse(d$y > median(d$y), "dead", "alive")
    d
}
k <- 25
half <- function(x, by = 2) x / by
formulas <- list(
    y ~ age + bmi, y ~ age + sex + ward, y ~ age * sex, y ~ ward:smoker + grade, y ~ I(age^2) + log(bmi) + sqrt(stay),
    y ~ poly(age, 3), y ~ ns(bmi, 4) + sex, y ~ bs(age, df = 5) * smoker, y ~ cut(age, c(0, 30, 50, Inf)),
    y ~ cut(age, c(10, 40, 60, 90), right = FALSE, labels = c("a", "b", "c")):sex, y ~ factor(cyl) + age,
    y ~ scale(age) + scale(bmi, scale = FALSE), y ~ (age + bmi + sex)^2, y ~ ward - 1 + age,
    y ~ I(bmi > k) + half(age) + pmin(stay, 5) + ifelse(age > 50, 1, bmi), y ~ `odd name` + I(`odd name`^2),
    y ~ relevel(ward, "C") + as.numeric(grade), y ~ poly(age, 2, raw = TRUE) + exp(-stay),
    y ~ log(stay, 2) + abs(`odd name`) + I(-age^2 / 100), y ~ I(sex %in% "male") + I(smoker & age > 40),
    y ~ C(ward, contr.sum) + I(stay %in% c(1, 2)), y ~ ns(age, knots = c(40, 60)) * ward, z ~ age + sex * ns(bmi, 3),
    z ~ interaction(sex, smoker) + factor(stay > 4) + factor(smoker), z ~ factor(cyl, labels = c("four", "six", "eight")) * age,
    y ~ bs(bmi, degree = 2, knots = 20) + age:cyl)
source <- rows(600, 1)
target <- rows(300, 1.3)
new <- rows(400, 1)
new$age[1:2] <- c(15, 85) # beyond the knots
spelled <- new
numbers <- vapply(new, is.double, NA)
spelled[numbers] <- lapply(new[numbers], function(x) sprintf("%.17g", x))
write.csv(spelled, file.path(folder, "new.csv"), row.names = FALSE, quote = which(!numbers))
for (at in seq_along(formulas)) {
    formula <- formulas[[at]]
    classes <- formula[[2]] == "z"
    fit <- suppressWarnings(dpadapt(formula, source, target, loss = if (classes) "logistic" else "squared", private_domain = "none"))
    type <- if (classes) "probability" else "response"
    file <- file.path(folder, sprintf("model%02d.json", at))
    ours <- suppressWarnings(predict(fit, new, type = type))
    stopifnot(identical(ours, predict(read_model(write_model(fit, file)), new, type = type)))
    fit$design$file <- NULL
    theirs <- suppressWarnings(predict(fit, new, type = type))
    if (max(abs(ours - theirs)) > 1e-12 * max(abs(theirs))) stop(deparse1(formula), " is another outside R")
    writeLines(c(deparse1(formula), sprintf("%a", ours)), sub("json$", "txt", file))
}
# Classes keep their order, whatever a file would sort.
for (labels in list(c("low", "mid", "high"), c("10", "9", "100"))) {
    in_three <- function(d) transform(d, w = cut(y, c(-Inf, 6, 9, Inf), labels = labels))
    fit <- dpadapt(w ~ age + bmi, in_three(source), in_three(target), loss = "softmax", private_domain = "none")
    told <- lapply(list(fit, read_model(write_model(fit, tempfile()))), function(m) as.character(predict(m, new, type = "class")))
    stopifnot(identical(told[[1]], told[[2]]), length(unique(told[[1]])) == 3)
}

# Rows beyond the public ones, functions that hide others, arguments by name: the file predicts what
# the fit does, or there is none.
log <- function(x) base::log(pmax(x, 0.01))
make <- function(k) {
    inner <- function(v) pmin(v, 30)
    function(x) inner(x) + k
}
inner <- function(v) pmin(v, 50)
own <- make(7)
skewed <- function(d) transform(d, age = ifelse(seq_len(nrow(d)) %% 20, age / 1e5, age))
beyond <- transform(new, age = rep(c(-500, 0.5, 40.5, 90, 3000), length.out = nrow(new)),
                    sex = rep(c("male", "female", "other"), length.out = nrow(new)))
cases <- list(y ~ log(age), y ~ own(age), y ~ ifelse(age > 50, no = 0, yes = bmi), y ~ base::log(base = 2, x = bmi),
              y ~ ifelse(sex == "male", 1, 2), y ~ I(sex != "male"), y ~ I(age * (sex == "female")), y ~ I(age * smoker), y ~ I(!smoker),
              y ~ cut(age, c(-Inf, 30, 40, 50, Inf), labels = c("a", "b", "c", "a")),
              y ~ factor(cyl, levels = c(4, 6, 8), labels = c("a", "b", "a")), y ~ I(age > 30 | sqrt(age) > 1), y ~ ns(age, 5),
              y ~ ns(age, knots = c(30, 40, 79.9), Boundary.knots = c(20, 80)), y ~ as.numeric(grade), y ~ floor(base::log(stay * 50, 10)),
              y ~ I(cut(age, c(-Inf, 40, Inf)) != "(40, Inf]"))
check <- function(formula, change = identity) {
    fit <- suppressWarnings(dpadapt(formula, change(source), change(target), private_domain = "none"))
    told <- lapply(list(fit, read_model(write_model(fit, tempfile()))), function(m) suppressWarnings(predict(m, beyond)))
    wrong <- abs(told[[1]] - told[[2]]) > 1e-9 * max(abs(told[[1]]), na.rm = TRUE)
    if (any(wrong, na.rm = TRUE)) stop(deparse1(formula), " is another in its file")
}
for (formula in cases) {
    check(formula)
    if (!any(c("cut", "log") %in% all.names(formula))) check(formula, skewed)
}
rm(log)

# What has no words outside R is refused, never changed.
k <- 3
is_one <- function(v, k) v %in% k
long <- function(v) v^5 - 3 * v^4 + v^3 - v^2 + v
refused <- list(y ~ rank(age), log(y) ~ age, y ~ factor(round(bmi)), y ~ nchar(sex), y ~ grepl("^m", sex), y ~ substr(sex, 1, 1),
                y ~ is_one(age, 7), y ~ long(long(long(long(long(long(age / 100)))))), y ~ I(cyl %in% factor(c(4, 8))), y ~ as.numeric(factor(grade)),
                y ~ pmax(age, 40, na.rm = TRUE), y ~ I(1 * is.na(sex)), y ~ factor(cyl, exclude = 6), y ~ I(sex == "nobody"), y ~ round(age))
for (formula in refused) {
    fit <- dpadapt(formula, source, target, private_domain = "none")
    told <- tryCatch(write_model(fit, tempfile()), error = conditionMessage)
    if (!grepl("this fit has no model file (", told, fixed = TRUE)) stop(deparse1(formula), " has a file")
}
