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
