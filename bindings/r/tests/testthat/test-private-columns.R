# A private column is what a reader of files made of it, and that depends on all its values.
design_with <- function(formula, data) {
    dpadapt:::private_design(dpadapt:::learn_design(formula, data, NULL, NULL, na.omit), data)
}
read_column <- function(texts) read.csv(text = c("c", paste0("\"", texts, "\"")), blank.lines.skip = FALSE)
public <- data.frame(y = c(0.5, 1, 2, 3, 4, 5), number = c(1, 2.5, 3, 0, 5, 7), truth = c(TRUE, FALSE),
                     level = factor(c("1", "100000", "0.1", "TRUE", "word", "2020-01-31")),
                     text = c("1", "100000", "0.1", "TRUE", "word", "2020-01-31"), day = as.Date("2020-01-31") + 0:5)

words <- list(c("1", "0", "1"), c("1", "2", "100000"), c("1", " 1", "1.0"), c("0.1", "1e5", "1d5", "0x10"), c("T", "F", "T"),
              c("TRUE", "FALSE"), c("1", "2i", "0.1"), c("1", "", "T"), c("1", "NaN", "Inf", "-Inf", "NA"), c("1+0i", "2"),
              c("2020-01-31", "2020-02-01", ""), c("true", "false"), c("", "  "), c("3000000000", "1"),
              c("-0", "1"), c("1", "\f", " "), c("2020/1/31", "2020-01-31"))
odd_ones <- c("word", "2i", "0.5", "T", "", "NA", "2020-01-31", "3000000000")

test_that("one odd value in a file changes its own record only", {
    for (kind in c("number", "truth", "level", "text", "day")) {
        formulas <- list(y ~ c, c ~ y, y ~ I(c))
        if (kind == "day") formulas <- list(y ~ as.numeric(c)) # a bare date has no evident number
        if (kind %in% c("level", "text")) formulas <- c(formulas, list(y ~ factor(c), y ~ nchar(as.character(c))))
        for (formula in formulas) {
            design <- design_with(formula, data.frame(y = public$y, c = public[[kind]]))
            rows <- function(texts) {
                sample <- dpadapt:::private_sample(design, data.frame(y = 1:6 / 3, read_column(texts)))
                coding <- dpadapt:::label_coding(design$sample$y, if (is.numeric(design$sample$y)) "number" else "classes")
                cbind(sample$x, dpadapt:::encode_labels(sample$y, coding))
            }
            for (column in words) {
                before <- rows(rep_len(column, 6))[1:5, ]
                for (odd in odd_ones)
                    expect_identical(rows(c(rep_len(column, 5), odd))[1:5, ], before,
                                     info = paste(kind, deparse(formula), toString(column), odd))
            }
        }
    }
})

test_that("one odd value in a file changes its own record only, in the matrix interface too", {
    codings <- list(list(levels = NULL), list(levels = c(0, 1), kind = "binary"), list(levels = c(FALSE, TRUE), kind = "binary"),
                    list(levels = factor(c("1", "TRUE", "word")), kind = "classes"))
    for (column in words) for (odd in odd_ones) for (as_factors in c(FALSE, TRUE)) {
        before <- read_column(rep_len(column, 6))$c
        after <- read_column(c(rep_len(column, 5), odd))$c
        if (as_factors && is.character(after)) after <- factor(after)
        expect_identical(dpadapt:::numeric_matrix(data.frame(a = after), TRUE)[1:5], dpadapt:::numbers_of(before)[1:5])
        for (coding in codings)
            expect_identical(dpadapt:::encode_labels(after, coding)[1:5], dpadapt:::encode_labels(before, coding)[1:5])
    }
})

test_that("values of any spelling find their number, logical, level and day", {
    converted <- function(column, kind) {
        dpadapt:::private_column(column, public[[kind]][1], levels(factor(public[[kind]])))$values
    }
    expect_identical(converted(c("1", " 1.0", "T", "1e0", "x", "2+1i"), "number"), c(1, 1, 1, 1, NA, NA))
    expect_identical(converted(c("1", "0", "FALSE", "T", "x"), "truth"), c(TRUE, FALSE, FALSE, TRUE, NA))
    expect_identical(as.character(converted(c(1, 1e5, 0.1, 2), "level")), c("1", "100000", "0.1", NA))
    expect_identical(converted(c("1.0", "T", "word", "x"), "text"), c("1", "TRUE", "word", "x"))
    expect_identical(converted(factor(c("2020-02-01", "soon")), "day"), as.Date(c("2020-02-01", NA)))
    expect_identical(converted(c(1, 2), "day"), as.Date(c(NA, NA)))
})

test_that("texts of any bytes have one reading, and cause no error", {
    latin <- "Z\xfcrich"
    Encoding(latin) <- "latin1"
    bytes <- "Z\xfcrich"
    Encoding(bytes) <- "bytes"
    odd <- c("\xfcber 5", latin, bytes, enc2utf8(latin), strrep("1 ", 1e5), strrep("x", 1e5), "2020-01-31\xfc", "\u3000", "1\xa0")
    known <- c(enc2utf8(latin), "word")
    for (kind in c("number", "truth", "level", "text", "day")) for (as_factors in c(FALSE, TRUE)) {
        formula <- if (kind == "day") y ~ as.numeric(c) else y ~ c
        design <- design_with(formula, data.frame(y = public$y, c = if (kind %in% c("level", "text")) known else public[[kind]]))
        rows <- function(values) dpadapt:::private_sample(design, data.frame(y = 1, c = values, stringsAsFactors = as_factors))$x
        before <- rows(c("word", "1", latin, odd[4]))
        for (value in if (as_factors) odd[-3] else odd) expect_silent(expect_identical(rows(c(value, "1", latin, odd[4]))[2:4, ], before[2:4, ]))
        expect_identical(before[3, ], before[4, ])
    }
    expect_silent(labels <- dpadapt:::encode_labels(odd, list(levels = known, kind = "classes")))
    expect_identical(labels, c(NaN, 0, NaN, 0, NaN, NaN, NaN, NaN, NaN))
    expect_silent(dpadapt:::numeric_matrix(data.frame(a = odd), TRUE))
    expect_silent(dpadapt:::numeric_matrix(cbind(odd), TRUE))
})

test_that("columns of classes that a reader chooses by all values", {
    large <- structure(readBin(as.raw(c(0, 0x28, 0x6b, 0xee, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                        0, 0, 0, 0, 0, 0, 0, 0x80)), "double", 3, endian = "little"), class = "integer64")
    expect_identical(dpadapt:::numbers_of(large), c(4e9, -1, NA))
    times <- as.POSIXct("2020-01-01", tz = "UTC") + c(0, 3600)
    expect_identical(dpadapt:::numbers_of(times), c(NA_real_, NA))
    expect_identical(dpadapt:::numbers_of(as.POSIXlt(times)), c(NA_real_, NA))
    expect_identical(dpadapt:::words_of(structure(c(1L, 9L), levels = c("u", "v"), class = "factor")), c("u", NA))
    expect_identical(dpadapt:::words_of(times), c(NA_character_, NA))
    expect_identical(dpadapt:::numbers_of(times - times[1]), c(NA_real_, NA))
    expect_identical(dpadapt:::words_of(as.Date("2020-01-05")), dpadapt:::words_of("2020/1/5"))
})

test_that("public columns that leave the reading open are refused", {
    refused <- function(data, message) expect_error(design_with(y ~ c, data), message)
    refused(data.frame(y = public$y, c = c("01", "1")), "differ in spelling only: 01, 1")
    refused(data.frame(y = public$y, c = factor(c("T", "TRUE"))), "differ in spelling only")
    refused(data.frame(y = public$y, c = Sys.time() + 1:6), "class POSIXct")
    refused(data.frame(y = public$y, c = I(1:6)), "class AsIs")
    expect_error(dpadapt:::label_coding(c("1", "1.0"), "classes"), "differ in spelling only")
})

test_that("a list has the values of its elements", {
    lists <- list(list(1, 1 / 3, 3), list(1, 1 / 3, 1:2), list(1, 1 / 3, NULL), list("1", 1 / 3, list(4)), list(TRUE, 1 / 3, "x"),
                  list(factor(1), 1 / 3, Sys.time()))
    for (column in lists) {
        expect_same_numbers(dpadapt:::numbers_of(column)[1:2], c(1, 1 / 3))
        private <- data.frame(a = I(column), b = 1:3)
        expect_same_numbers(dpadapt:::numeric_matrix(private, TRUE)[1:2, ], cbind(a = c(1, 1 / 3), b = c(1, 2)))
        expect_silent(dpadapt:::encode_labels(column, list(levels = c("u", "v"), kind = "binary")))
    }
    expect_identical(dpadapt:::words_of(list("u", factor("v"), as.Date("2020-01-05"), NULL)), c("u", "v", "2020-01-05", NA))
})

test_that("a decimal comma is one", {
    expect_identical(dpadapt:::numbers_of(c("2,5", ",5", "-1,5e1", "1,2,3", "n.a.")), c(2.5, 0.5, -15, NA, NA))
})

test_that("with both samples private, the values of a column do not choose its form", {
    widths <- vapply(list(c(TRUE, FALSE), c(1, 0), c("1", "0"), c("T", "word")), function(values) {
        private <- data.frame(y = 1:4 / 4, flag = values)
        length(dpadapt_problem(y ~ flag, private, private, private_domain = "both")$design$columns)
    }, 1L)
    expect_identical(widths, rep(1L, 4))
})

test_that("a fit's call has no data", {
    fit <- dpadapt(y ~ a, source_data, data.frame(a = c(0.5, 0.123456789, 0.25, 1), y = c(1, 2, 3, 0.987654321)), epsilon = 1,
                   delta = 1e-4, alpha = 0.5)
    expect_false(grepl("0.12345", paste(deparse(fit$call), collapse = "")))
    expect_identical(as.character(fit$call$target), "<sample>")
    expect_identical(fit$call$source, quote(source_data))
    expect_identical(fit$call$alpha, 0.5)
})
