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
            schema <- dpadapt_schema(frame(learnt), "y")
            rows <- lapply(c(forms, odd), function(form) dpadapt:::schema_rows(schema, frame(form), TRUE)$x[-1, ])
            for (k in seq_along(rows)[-1]) expect_identical(rows[[k]], rows[[1]], info = paste(name, class(learnt)[1], k))
            if (!(name %in% c("stamps", "clocks"))) expect_gt(diff(range(rows[[1]][, 1])), 0)
        }
    }
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
        expect_identical(levels(predict(again, new)), c("dead", "live"))
        expect_identical(coef(again), coef(fit))
        expect_identical(again[c("epsilon", "delta", "private_domain", "rows", "protection")],
                         fit[c("epsilon", "delta", "private_domain", "rows", "protection")])
        expect_output(print(again), "Differentially private (target)", fixed = TRUE)
    }
    schema <- dpadapt_schema(people(300), "age")
    public <- dpadapt(schema, people(300), people(200, 3), private_domain = "none")
    expect_identical(predict(read_model(write_model(public, tempfile())), people(9)), predict(public, people(9)))
})

test_that("what is no model is refused", {
    file <- tempfile()
    writeLines("{\"model\": \"AAAA\"}", file)
    expect_error(read_model(file), class = "dpadapt_error_format")
    expect_error(write_model(public_fit(), file), "schema")
    expect_error(dpadapt_schema(people(9), "nothing"), "nothing", class = "dpadapt_error_invalid_argument")
    expect_error(dpadapt_schema(as.matrix(1:3), "x"), "data frames")
    expect_error(dpadapt_schema(people(90), "colour"), class = "dpadapt_error_label")
})
