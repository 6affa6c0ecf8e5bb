# Columns of texts and blanks as other languages read them.
people <- function(n, shift = 0) {
    k <- seq_len(n)
    data.frame(age = ifelse(k %% 9 == 0, NA, 20 + (7 * k) %% 31 + shift), colour = c("red", "green", "")[k %% 3 + 1],
               zone = factor(c("1", "2")[k %% 2 + 1]), outcome = ifelse((7 * k) %% 31 + shift > 14, "live", "dead"))
}

test_that("columns become features, each record by itself", {
    schema <- dpadapt_schema(people(90), "outcome", "logistic")
    expect_setequal(schema$features, c("age", "age=(missing)", "colour=red", "colour=(missing)", "zone=2"))
    expect_output(print(schema), "zone: category")
    rows <- people(30)
    odd <- rows
    odd$age <- as.character(odd$age)
    odd[7, ] <- list("4\"5", "\xff\xfe", NA, "maybe")
    Encoding(odd$colour) <- "bytes"
    one <- dpadapt:::schema_rows(schema, rows, TRUE)
    other <- dpadapt:::schema_rows(schema, odd, TRUE)
    expect_identical(one$x[-7, ], other$x[-7, ])
    expect_identical(one$y[-7], other$y[-7])
    expect_identical(unname(other$x[7, "age=(missing)"]), 1)
    expect_true(is.na(other$y[7]))
})

test_that("messages count as R does, and a loss is never exchanged in silence", {
    schema <- dpadapt_schema(people(90), "outcome", "logistic")
    numbers <- transform(people(90), outcome = as.character(age))
    expect_error(dpadapt_schema(transform(numbers, outcome = replace(outcome, 5, "old")), "outcome"),
                 "^row 5, column \"outcome\": \"old\" is no number")
    expect_identical(dpadapt:::counted_from_one("row 6, column \"column 3\": in column 9"), "row 7, column \"column 3\": in column 10")
    expect_error(dpadapt(schema, people(90), people(30), loss = "squared", private_domain = "none"), "labels are classes")
    expect_identical(dpadapt(schema, people(90), people(30), private_domain = "none")$loss, "logistic")
})

test_that("fits take the loss that their schema was made for, unless they have one", {
    rows <- function(n) transform(people(n), age = NULL, outcome = (7 * seq_len(n)) %% 5 + 1)
    for (loss in c("huber", "pinball", "poisson", "gamma")) {
        schema <- dpadapt_schema(rows(90), "outcome", loss)
        expect_identical(dpadapt(schema, rows(90), rows(30), private_domain = "none")$loss, loss)
        problem <- dpadapt_problem(schema, rows(90), rows(30), "none")
        expect_identical(dpadapt(problem)$loss, loss)
        expect_identical(dpadapt_baseline(problem, "pooled")$loss, loss)
        expect_identical(dpadapt(problem, "squared")$loss, "squared")
    }
    schema <- dpadapt_schema(rows(90), "outcome", family = poisson)
    fit <- dpadapt(schema, rows(90), rows(30), private_domain = "none")
    expect_identical(fit$loss, "poisson")
    write_model(fit, file <- tempfile(fileext = ".json"))
    expect_identical(dpadapt(read_model(file)$schema, rows(90), rows(30), private_domain = "none")$loss, "poisson")
    classes <- dpadapt_problem(dpadapt_schema(people(90), "outcome", "logistic"), people(90), people(30), "none")
    expect_error(dpadapt(classes, "squared"), "labels are classes")
})

test_that("the labels of private rows may be missing in a formula, in a column of their own", {
    source <- transform(people(90), outcome = age)
    formula <- outcome ~ colour + zone
    rows <- people(60)[c("colour", "zone")]
    expect_error(dpadapt(formula, source, rows, epsilon = 1, delta = 1e-4), "outcome: rows without labels need it, with NA")
    expect_s3_class(dpadapt(formula, source, transform(rows, outcome = NA), epsilon = 1, delta = 1e-4), "dpadapt")
})

test_that("the page of a report has the schema's names", {
    source <- transform(people(90), height = c(rep(999, 3), cos(4:90)))
    schema <- dpadapt_schema(source, "outcome", "logistic")
    fit <- dpadapt(schema, source, transform(people(90), height = cos(1:90)), epsilon = 1, delta = 1e-4)
    page <- privacy_report(fit, "html")
    expect_match(page, "Public source, height: ", fixed = TRUE)
    expect_match(page, "its label is dead or live", fixed = TRUE)
})

# What readers make of a column if all its texts are like that, and of the texts if one is not.
test_that("one odd cell changes its own record only, whatever the class of the column", {
    stamps <- c("2026-01-02 00:00:00", "2026-01-03 00:00:00")
    clocks <- structure(c(30000, 61200), class = c("hms", "difftime"), units = "secs")
    kinds <- list(complex = list(texts = c("1", "2.5"), as = as.complex, odd = "2i"),
                  numbers = list(texts = c("1", "0.1"), as = as.double, odd = "word"),
                  commas = list(texts = c("1,5", "2,5"), as = function(x) as.double(sub(",", ".", x)), odd = "word"),
                  truths = list(texts = c("T", "F"), as = as.logical, odd = "perhaps"),
                  whole = list(texts = c("3", "4"), odd = "3.5",
                               as = function(x) structure(as.double(x) * 4.9406564584124654e-324, class = "integer64")),
                  days = list(texts = c("2026-01-02", "2026-01-03"), as = as.Date, odd = "soon"),
                  stamps = list(texts = stamps, as = function(x) as.POSIXct(x, tz = "UTC"), odd = "soon"),
                  clocks = list(texts = c("08:20:00", "17:00:00"), as = function(x) clocks[match(x, c("08:20:00", "17:00:00"))],
                                odd = "soon"))
    for (name in names(kinds)) {
        kind <- kinds[[name]]
        texts <- rep(kind$texts, 30)
        forms <- list(texts, kind$as(texts), factor(texts))
        with_odd <- c(kind$odd, texts[-1])
        odd <- list(with_odd, factor(with_odd))
        if (name == "complex") odd <- c(odd, list(c(2i, as.complex(texts[-1]))))
        if (name == "stamps") odd <- c(odd, list(as.POSIXct(c("2026-01-02 10:30:00", texts[-1]), tz = "UTC")))
        for (learnt in forms) {
            frame <- function(values) {
                rows <- data.frame(value = 1:60, other = cos(1:60), y = sin(1:60))
                rows$value <- values
                rows
            }
            if (!dpadapt:::has_plain_class(learnt)) { # of public rows it says that they are no numbers
                expect_error(dpadapt_schema(frame(learnt), "y"), paste("column value is of class", class(learnt)[1]))
                next
            }
            schema <- dpadapt_schema(frame(learnt), "y")
            rows <- lapply(c(forms, odd), function(form) dpadapt:::schema_rows(schema, frame(form), TRUE)$x[-1, ])
            for (k in seq_along(rows)[-1]) expect_identical(rows[[k]], rows[[1]], info = paste(name, class(learnt)[1], k))
            if (!(name %in% c("stamps", "clocks"))) expect_gt(diff(range(rows[[1]][, 1])), 0)
        }
    }
})

# T and F are no logical where they are letters, in a table of any language.
test_that("levels are spelt as the public rows have them", {
    frame <- function(sex) data.frame(sex = sex, other = cos(seq_along(sex)), y = sin(seq_along(sex)))
    schema <- dpadapt_schema(frame(rep(c("M", "F"), 30)), "y")
    expect_false(any(grepl("FALSE", c(schema$features, schema$text))))
    mixed <- dpadapt:::schema_rows(schema, frame(rep(c("F", "M"), 3)), FALSE)$x
    women <- dpadapt:::schema_rows(schema, frame(rep(FALSE, 6)), FALSE)$x # as read.csv() has six times F
    expect_identical(women[c(1, 3, 5), 1], mixed[c(1, 3, 5), 1])
    expect_identical(unname(women[2, 1]), unname(mixed[1, 1]))
    expect_length(dpadapt:::unfit_cells(schema, frame(rep(FALSE, 6))), 0)
    learnt <- dpadapt_schema(frame(rep(c(TRUE, FALSE), 30)), "y")
    expect_identical(dpadapt:::schema_rows(learnt, frame(rep(c("T", "F"), 3)), FALSE),
                     dpadapt:::schema_rows(learnt, frame(rep(c(TRUE, FALSE), 3)), FALSE))
})

test_that("one odd label changes its own record only", {
    frame <- function(values) data.frame(x = cos(1:60), y = values)
    for (texts in list(rep(c("T", "F"), 30), rep(c("0", "1"), 30), rep(c("1.5", "2"), 30))) {
        schema <- dpadapt_schema(frame(texts), "y", "logistic")
        for (odd in c("perhaps", "2i", "0.5")) {
            values <- utils::type.convert(texts, as.is = TRUE)
            other <- utils::type.convert(c(odd, texts[-1]), as.is = TRUE)
            expect_identical(dpadapt:::schema_rows(schema, frame(other), TRUE)$y[-1],
                             dpadapt:::schema_rows(schema, frame(values), TRUE)$y[-1], info = paste(texts[1], odd))
        }
    }
})

test_that("levels that are missing say nothing", {
    frame <- function(values) data.frame(value = values, other = cos(1:60), y = sin(1:60))
    texts <- rep(c("a", "b", NA), 20)
    schema <- dpadapt_schema(frame(factor(texts)), "y")
    plain <- dpadapt:::schema_rows(schema, frame(texts), FALSE)
    for (values in list(addNA(factor(texts)), factor(texts, exclude = NULL)))
        expect_identical(dpadapt:::schema_rows(schema, frame(values), FALSE), plain)
    expect_identical(dpadapt_schema(frame(addNA(factor(texts))), "y")$features, schema$features)
    nothing <- factor(rep(NA, 60))
    expect_true(all(dpadapt:::schema_rows(schema, frame(nothing), FALSE)$x[, "value=(missing)"] == 1))
    expect_identical(dpadapt_schema(frame(nothing), "y")$features, "other")
    expect_error(dpadapt_schema(data.frame(value = nothing, y = sin(1:60)), "y"), class = "dpadapt_error_empty")
})

test_that("fits by a schema are fits, and model files hold them", {
    for (loss in c("logistic", "softmax")) {
        schema <- dpadapt_schema(people(300), "outcome", loss)
        fit <- dpadapt(schema, people(300), people(200, 3), epsilon = 1, delta = 1e-4)
        expect_s3_class(fit, "dpadapt")
        expect_identical(fit$protection, "guaranteed")
        again <- read_model(write_model(fit, tempfile()))
        new <- people(20)[c("zone", "colour", "age")]
        for (type in c("class", "prob")) expect_identical(predict(again, new, type), predict(fit, new, type))
        expect_identical(levels(predict(again, new, "class")), c("dead", "live"))
        expect_identical(coef(again), coef(fit))
        expect_identical(again[c("epsilon", "delta", "private_domain", "rows", "protection")],
                         fit[c("epsilon", "delta", "private_domain", "rows", "protection")])
        expect_output(print(again), "Differentially private (target)", fixed = TRUE)
        expect_output(print(again), "Loss logistic, of a model file;|Loss softmax, of a model file;")
    }
    schema <- dpadapt_schema(people(300), "age")
    public <- dpadapt(schema, people(300), people(200, 3), private_domain = "none")
    expect_identical(predict(read_model(write_model(public, tempfile())), people(9)), predict(public, people(9)))
})

test_that("a model is written beside the old file, and a private one for its owner", {
    folder <- tempfile()
    dir.create(folder)
    file <- file.path(folder, "model.json")
    schema <- dpadapt_schema(people(300), "age")
    public <- dpadapt(schema, people(300), people(200, 3), private_domain = "none")
    private <- dpadapt(schema, people(300), people(200, 3), epsilon = 1, delta = 1e-4)
    write_model(private, file)
    expect_identical(format(file.mode(file)), "600")
    Sys.chmod(file, "640")
    write_model(public, file)
    expect_identical(format(file.mode(file)), "640")
    expect_identical(coef(read_model(file)), coef(public))
    expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), "model.json")
    unwritable <- file.path(folder, "none", "model.json")
    expect_error(write_model(public, unwritable), "cannot write", class = "dpadapt_error_store")
    taken <- file.path(folder, "taken")
    dir.create(file.path(taken, "full"), recursive = TRUE)
    expect_error(write_model(public, taken), "cannot write", class = "dpadapt_error_store")
    expect_setequal(list.files(folder, all.files = TRUE, no.. = TRUE), c("model.json", "taken"))
})

test_that("what is no model is refused", {
    file <- tempfile()
    writeLines("{\"model\": \"AAAA\"}", file)
    expect_error(read_model(file), class = "dpadapt_error_format")
    x <- cbind(a = seq(-1, 1, length.out = 20))
    expect_error(write_model(dpadapt(x, 2 * x, x, 2 * x, private_domain = "none"), file), "this fit has no model file: fit a formula")
    expect_error(dpadapt_schema(people(9), "nothing"), "nothing", class = "dpadapt_error_invalid_argument")
    expect_error(dpadapt_schema(as.matrix(1:3), "x"), "data frames")
    expect_error(dpadapt_schema(people(90), "colour"), class = "dpadapt_error_label")
})

test_that("damaged model files are refused by member", {
    folder <- file.path(Sys.getenv("DPADAPT_SOURCE_DIR", "none"), "tests", "data", "models", "damaged")
    skip_if_not(dir.exists(folder), "the files are in the repository")
    cases <- read.table(file.path(folder, "cases.txt"), col.names = c("file", "member"))
    expect_gte(nrow(cases), 20)
    for (k in seq_len(nrow(cases)))
        expect_error(read_model(file.path(folder, cases$file[k])), cases$member[k], class = "dpadapt_error_format",
                     info = cases$file[k])
})

test_that("a problem of a schema inspects, fits and evaluates", {
    schema <- dpadapt_schema(people(200), "outcome", "logistic")
    odd <- people(100, 3)
    odd$age[1] <- NA
    odd$colour[2:3] <- "pink"
    odd$outcome[4:8] <- "alive"
    problem <- dpadapt_problem(schema, people(200), odd, epsilon = 4, delta = 1e-3)
    expect_output(print(problem), "Budget: epsilon = 4")
    found <- inspect_private(problem)
    expect_match(found[1], "^Target: 5 of 100 records count as zeros")
    expect_output(print(found), "NOT PRIVATE.*The label must be dead or live.*colour: 2 of 100 rows have a level.*outcome: 5 of 100 rows have a label that is not dead or live")
    open <- inspect_private(dpadapt_problem(schema, people(200), people(100, 3), private_domain = "none"))
    expect_false(any(grepl("NOT PRIVATE", capture.output(print(open)))))
    same <- dpadapt(dpadapt_problem(schema, people(200), odd), epsilon = 2, delta = 1e-3, unsafe_seed = 1)
    fit <- dpadapt(schema, people(200), odd, epsilon = 2, delta = 1e-3, unsafe_seed = 1)
    expect_identical(coef(same), coef(fit))
    expect_identical(fit$loss, "logistic")
    rows <- dpadapt_problem(schema, people(200), people(90, 5), epsilon = 4, delta = 1e-3)
    expect_true("accuracy" %in% as.data.frame(evaluate(fit, rows))$name)
})

test_that("what a schema is told about columns holds in every table", {
    rows <- people(90)
    rows$age <- ifelse(is.na(rows$age), "nk", rows$age)
    schema <- dpadapt_schema(rows, "outcome", "logistic", missing = "nk", positive = "dead", ignore = c("colour", "zone"))
    expect_identical(schema$features, c("age", "age=(missing)"))
    expect_output(print(schema), "live is -1, dead is \\+1")
    expect_error(dpadapt_schema(rows, "outcome", "logistic", missing = "nk", ignore = "agge"), "agge")
    rows <- data.frame(code = rep(c(1, 2, 3), 30), x = cos(1:90), y = sin(1:90))
    expect_identical(dpadapt_schema(rows, "y", categories = "code")$features, c("code=2", "code=3", "x"))
})

test_that("labels in another coding are not called used, and the right ones are named", {
    rows <- function(n, shift) {
        x <- sin(1:n * 7)
        data.frame(x = x, z = cos(1:n * 3), y = ifelse(x + shift * cos(1:n * 3) + sin(1:n * 11) > 0, "yes", "no"))
    }
    schema <- dpadapt_schema(rows(4000, 0), "y", "logistic")
    private <- rows(4000, 1)
    fit <- dpadapt(schema, rows(4000, 0), private, epsilon = 4, delta = 1e-5, unsafe_seed = 1)
    expect_output(print(fit), "The private rows were used.*its label is no or yes.*inspect_private in R")
    private$y <- c(no = "1.5", yes = "2.5")[private$y]
    fit <- dpadapt(schema, rows(4000, 0), private, epsilon = 4, delta = 1e-5, unsafe_seed = 2)
    expect_output(print(fit), "were hardly used.*its label is no or yes")
    fit <- dpadapt(y ~ ., rows(4000, 0), private, loss = "logistic", epsilon = 4, delta = 1e-5, unsafe_seed = 1,
        labelled_share = 1)
    expect_output(print(fit), "Whether any private row counted cannot be told.*its label is no or yes;")
})

test_that("rows to predict that do not fit are counted, column by column", {
    schema <- dpadapt_schema(people(200), "outcome", "logistic")
    fit <- dpadapt(schema, people(200), people(100, 3), private_domain = "none")
    rows <- people(9)
    expect_silent(predict(fit, rows))
    rows$age <- as.character(rows$age)
    rows$age[3] <- "old"
    rows$colour[1:2] <- "pink"
    expect_warning(found <- predict(fit, rows), "age: 1 of 9 rows has a value that is no number: \"old\"; colour: 2 of 9 rows have a level that the schema does not know: \"pink\"")
    rows$age[3] <- NA
    rows$colour[1:2] <- NA
    expect_identical(predict(fit, rows)[3], found[3])
})

test_that("public rows without a label are counted", {
    rows <- people(90)
    rows$outcome[1:7] <- NA
    schema <- dpadapt_schema(rows, "outcome", "logistic")
    expect_output(print(schema), "7 public rows have no label and were left out")
    problem <- dpadapt_problem(schema, rows, people(60))
    expect_output(print(problem), "7 public rows have no label")
})

test_that("a formula can be a model file", {
    new <- target_data[1:9, ]
    same <- function(formula, ..., source = source_data) {
        fit <- dpadapt(formula, source, target_data, epsilon = 4, delta = 1e-4, ...)
        again <- read_model(write_model(fit, tempfile()))
        expect_identical(predict(again, new, "link"), predict(fit, new, "link"))
        if (dpadapt:::has_classes(fit)) expect_identical(as.character(predict(again, new, "class")), as.character(predict(fit, new, "class")))
        fit
    }
    fit <- same(y ~ b + a)
    same(y ~ a, loss = "huber", source = transform(source_data, a = replace(a, 3, NA)))
    same(two ~ a + b, family = binomial)
    same(two ~ a + b, family = binomial, source = transform(source_data, two = factor(two, c("yes", "no"))))
    same(three ~ a + b, loss = "softmax")
    same(y ~ a * g + I(b^2))
    same(three ~ g + poly(a, 2), loss = "softmax")
    fit <- dpadapt(y ~ a + b, source_data, target_data, private_domain = "source", epsilon = 4, delta = 1e-4)
    expect_identical(predict(read_model(write_model(fit, tempfile())), new), predict(fit, new))
    refused <- function(formula, why, ...)
        expect_error(write_model(dpadapt(formula, source_data, target_data, ...), tempfile()), why, fixed = TRUE)
    refused(exp(y) ~ a, "exp(y) has no words outside R", private_domain = "none")
    refused(y ~ rank(a), "rank(a) has no words outside R", private_domain = "none")
    refused(y ~ a, "no public rows", private_domain = "both", epsilon = 4, delta = 1e-4, preprocess = "none",
            feature_radius = 3, radius = 4, clip_bound = 2, label_bound = 5, kappa_1 = 1)
    schema <- dpadapt_schema(source_data, "y", compute = c(product = "a * b", "a^2"), ignore = "b")
    expect_identical(utils::tail(schema$features, 2), c("product", "a^2"))
    expect_error(dpadapt_schema(source_data, "y", compute = "a +"), "cannot be read", class = "dpadapt_error_invalid_argument")
})

test_that("columns of a schema's rows may be weights and scores", {
    rows <- function(n) cbind(people(n), w = seq_len(n) %% 3 + 1, s = seq_len(n) / n)
    schema <- dpadapt_schema(rows(90), "outcome", "logistic", ignore = c("w", "s"))
    fit <- function(...) coef(dpadapt(schema, rows(90), rows(60), private_domain = "none", ...))
    listed <- list(source = rows(90)$w, target = rows(60)$w)
    expect_identical(fit(weights = "w"), fit(weights = listed))
    expect_false(identical(fit(weights = "w"), fit()))
    number <- dpadapt_schema(rows(90), "age", ignore = c("w", "s", "outcome"))
    scored <- function(scores) coef(dpadapt(number, rows(90), rows(60), private_domain = "none", scores = scores))
    expect_identical(scored("s"), scored(list(source = rows(90)$s, target = rows(60)$s)))
    expect_output(print(dpadapt_problem(schema, rows(90), rows(60), weights = "w")), "were not read")
})
