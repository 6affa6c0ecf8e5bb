# One record changes one row of what the library is given, whatever the formula.
design_of <- function(formula) {
    dpadapt:::private_design(dpadapt:::learn_design(formula, source_data, NULL, NULL, na.omit), source_data)
}
rows_of <- function(formula, data) {
    sample <- dpadapt:::private_sample(design_of(formula), data)
    cbind(sample$x, if (is.numeric(sample$y)) sample$y else match(sample$y, c("no", "yes")))
}
third <- function(x) x / 3
midnight <- as.POSIXct("2020-01-01", tz = "UTC")
zero <- structure(0, class = "centring")
Ops.centring <- function(e1, e2) get(.Generic)(unclass(e1) - mean(unclass(e1)), unclass(e2))
registerS3method("Ops", "centring", Ops.centring)
log.AsIs <- function(x, ...) log(unclass(x)) - mean(log(unclass(x)))
registerS3method("log", "AsIs", log.AsIs)

test_that("one record changes one row", {
    changes <- list(list(a = 1e6), list(a = NA), list(a = Inf), list(a = -1e300), list(a = -5, b = 0), list(g = "unseen"), list(g = "u"), list(y = NA))
    formulas <- list(y ~ a + b + g, y ~ log(abs(a)) + I(b^2), y ~ poly(a, 3) + g:b, y ~ scale(a), y ~ splines::ns(a, 3) + b,
                     y ~ factor(g) * a, y ~ third(a), y ~ pmax(a, b), third(y) ~ a, factor(two) ~ a + g, y ~ factor(a > 0),
                     y ~ as.numeric((midnight + a) - midnight), y ~ as.character(midnight + round(abs(a)) * 86400),
                     y ~ I(g == "u") + I(b), y ~ ifelse(a > -4, b, "low"), y ~ b + ifelse(a > -4, TRUE, 0), y ~ as.character(a > 0))
    for (formula in formulas) {
        before <- rows_of(formula, target_data)
        expect_identical(dim(before), c(120L, length(design_of(formula)$columns) + 1L))
        for (change in changes) {
            data <- target_data
            data[60, names(change)] <- change
            expect_identical(rows_of(formula, data)[-60, ], before[-60, ], info = deparse(formula))
        }
    }
})

test_that("private rows have the form of public ones", {
    for (formula in list(y ~ a + g, y ~ poly(a, 2) + log(abs(b)), y ~ third(a) + factor(g), y ~ splines::ns(a, 3),
                         y ~ a * g - 1, y ~ I(a * 2) + ifelse(b > 0, 1, b))) {
        design <- design_of(formula)
        private <- dpadapt:::private_sample(design, source_data)
        expect_equal(private$x, unname(design$sample$x), tolerance = 1e-12, info = deparse(formula))
        expect_equal(private$y, design$sample$y, ignore_attr = TRUE)
    }
})

test_that("an unseen level counts as zeros", {
    data <- transform(target_data[1, ], g = "unseen", a = 3, b = 2)
    expect_equal(rows_of(y ~ a + g, data)[, 1:3], c(3, 0, 0))
    expect_equal(rows_of(y ~ b + a:g, data)[, 1:4], c(2, 0, 0, 0))
})

test_that("a column of another kind, or of a class with methods of its own, stays with its record", {
    design <- design_of(y ~ a + g)
    words <- transform(target_data, a = ifelse(a > 2, "word", sprintf("%.17g", a)))
    usable <- target_data$a <= 2
    private <- dpadapt:::private_sample(design, words)
    expect_same_numbers(private$x[usable, ], dpadapt:::private_sample(design, target_data)$x[usable, ])
    expect_true(all(is.nan(private$x[!usable, ])))
    expect_same_numbers(dpadapt:::private_sample(design, transform(target_data, a = I(as.list(a)))),
                        dpadapt:::private_sample(design, target_data))
    expect_identical(dpadapt:::numeric_matrix(data.frame(a = c("0.1", "x"), b = c(1 / 3, 1)), TRUE),
                     cbind(a = c(0.1, NA), b = c(1 / 3, 1)))

    Ops.centred <- function(e1, e2) get(.Generic)(unclass(e1) - mean(unclass(e1)), e2)
    registerS3method("Ops", "centred", Ops.centred)
    centred <- function(data) transform(data, a = structure(a, class = "centred"))
    expect_error(dpadapt(y ~ I(a * 2), centred(source_data), centred(target_data), epsilon = 1, delta = 1e-4), "own record")
})

test_that("a formula that mixes records is refused", {
    for (formula in list(y ~ I(a - mean(a)), y ~ rank(a), y ~ log(scale(a)^2), y ~ cumsum(a), I(y - mean(y)) ~ a,
                         y ~ as.numeric(factor(a)), y ~ I(rev(a)), y ~ I(a + zero), y ~ log(I(abs(a))), y ~ cut(a, 3), y ~ poly(a, b - mean(b), degree = 2),
                         y ~ poly(degree = 2, x = cumsum(a)), y ~ scale(center = TRUE, x = cumsum(a))))
        expect_error(suppressWarnings(private_fit(formula)), "own record", info = deparse(formula))
    log <- function(x) x - mean(x)
    expect_error(private_fit(y ~ log(a)), "own record")
})

test_that("a function cannot keep what it is given", {
    lowest <- Inf
    running <- function(x) {
        lowest <<- min(lowest, x)
        x - lowest
    }
    expect_error(private_fit(y ~ running(a)), "locked")
    writing <- function(x) {
        if (any(x < -6)) never_seen <<- x
        x
    }
    private_fit(y ~ writing(a), transform(target_data, a = replace(a, 3, -7)))
    expect_false(exists("never_seen"))
    cache <- new.env()
    inlined <- eval(bquote(function(x) {
        assign("kept", x, envir = .(cache))
        x
    }))
    expect_error(private_fit(y ~ inlined(a)), "object inside")
    set.seed(1)
    before <- .Random.seed
    private_fit(y ~ third(a), transform(target_data, a = ifelse(a > 0, NA, a)))
    drawing <- function(x) if (any(x < -6)) x + 0 * runif(1) else x
    private_fit(y ~ drawing(a), transform(target_data, a = replace(a, 3, -7)))
    expect_identical(.Random.seed, before)
    # What could be the column of a small private sample is no constant.
    reference <- target_data$a[1:20]
    expect_error(private_fit(y ~ I(a - reference[1]), target_data[1:20, ]), "neither a column")
})

test_that("a variable from outside is a number, or refused", {
    k <- 2
    expect_silent(private_fit(y ~ I(a / k)))
    outside <- target_data$a
    expect_error(private_fit(y ~ outside))
    expect_error(private_fit(y ~ a + b, subset(target_data, select = -b)), "no column b")
})

test_that("one variable at a time gives the bits of one row at a time, faster", {
    odd <- function(x) {
        if (length(x) == 1 && x > 1.5) stop("no such record")
        if (length(x) == 1 && x < -1.5) return(c(x, x))
        if (length(x) == 1 && abs(x) < 0.05) return("text")
        x^2
    }
    level <- function(x) ifelse(x > 0.5, "big", ifelse(x < -2, "unknown", "small"))
    pair <- function(x) cbind(p = x, q = x * 3)
    calm <- source_data[abs(source_data$a) < 1.5 & abs(source_data$a) > 0.05, ]
    rows <- sample_of(400, 0, 5)
    for (formula in list(y ~ odd(a) + b, y ~ level(a) * b + g, y ~ pair(b) + odd(a), odd(a) ~ b, y ~ odd(a):g,
                         factor(level(a)) ~ b, y ~ splines::ns(b, 3) + odd(a))) {
        design <- dpadapt_problem(formula, calm, calm)$design
        columns <- intersect(names(design$private), names(rows))
        kept <- as.data.frame(lapply(stats::setNames(nm = columns), function(name) {
            dpadapt:::private_column(rows[[name]], design$private[[name]]$example, design$private[[name]]$known)$values
        }))
        fast <- dpadapt:::variables_by_row(design, kept)
        slow <- dpadapt:::rows_by_row(design, kept)
        expect_false(is.null(fast))
        expect_identical(is.nan(fast$x), is.nan(slow$x))
        expect_identical(fast$x, slow$x)
        expect_identical(fast$y, slow$y)
    }
    design <- dpadapt_problem(y ~ odd(a) + b, calm, calm)$design
    many <- sample_of(2000, 0, 6)[c("y", "a", "b")]
    fast <- system.time(dpadapt:::variables_by_row(design, many))[["elapsed"]]
    slow <- system.time(dpadapt:::rows_by_row(design, many))[["elapsed"]]
    expect_lt(fast, slow / 2)
})
