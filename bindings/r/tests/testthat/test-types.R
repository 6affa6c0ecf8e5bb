# What a column of each class is: a number, a category, or refused by name; in fits, predictions and
# errors alike. docs/types.md has the table.

# What bit64::as.integer64() makes of whole numbers, whose package need not be there.
integer64 <- function(numbers) {
    low <- numbers %% 2^32
    high <- floor(numbers / 2^32) %% 2^32
    halves <- rbind(low, high)
    signed <- ifelse(halves >= 2^31, halves - 2^32, halves)
    bytes <- writeBin(as.integer(ifelse(signed == -2^31, NA, signed)), raw(), endian = "little")
    structure(readBin(bytes, "double", length(numbers), endian = "little"), class = "integer64")
}
rows_of <- function(n, as = identity) {
    k <- seq_len(n)
    data <- data.frame(x = 5 * (k %% 40), y = 0.1 * 5 * (k %% 40) + (k %% 7 - 3) / 70)
    data$x <- as(data$x) # data.frame() would ask methods that are not there
    data
}
public <- function(formula, source, target = source, ...) dpadapt(formula, source, target, private_domain = "none", ...)

test_that("64-bit integers are numbers, whatever packages are loaded", {
    expect_false("bit64" %in% loadedNamespaces())
    plain <- rows_of(200)
    large <- rows_of(200, integer64)
    wanted <- public(y ~ x, plain)
    for (fit in list(public(y ~ x, large), public(y ~ x, large, plain), public(y ~ x, plain, large), public(y ~ I(x + 0), large)))
        expect_equal(unname(coef(fit)), unname(coef(wanted)))
    expect_identical(predict(wanted, large), predict(wanted, plain))
    several <- dpadapt(y ~ x, list(large, plain), plain, private_domain = "none")
    expect_equal(coef(several), coef(dpadapt(y ~ x, list(plain, plain), plain, private_domain = "none")))
    matrix_fit <- function(data) dpadapt(data["x"], data$y, data["x"], data$y, private_domain = "none")
    expect_identical(coef(matrix_fit(large)), coef(matrix_fit(plain)))
    expect_identical(predict(matrix_fit(plain), large["x"]), predict(matrix_fit(plain), plain["x"]))
    private <- function(source, target) coef(dpadapt(y ~ x, source, target, epsilon = 1, delta = 1e-4, unsafe_seed = 1))
    expect_identical(private(plain, large), private(plain, plain))
    expect_identical(private(large, plain), private(plain, plain))
    with_labels <- function(as) within(plain, y <- as(round(10 * plain$y)))
    expect_identical(coef(public(y ~ x, with_labels(integer64))), coef(public(y ~ x, with_labels(identity))))
    weighted <- function(as) coef(dpadapt(y ~ x, within(plain, w <- as(1 + seq_len(200) %% 3)), cbind(plain, w = 1),
                                          private_domain = "none", weights = "w"))
    expect_identical(weighted(integer64), weighted(identity))
    plain$y <- round(10 * plain$y)
    large <- plain
    large[] <- lapply(plain, integer64)
    by_folds <- function(data) dpadapt_search(y ~ x, data, data, list(alpha = c(0, 0.5)),
                                              folds = 2, private_domain = "none")
    expect_identical(by_folds(large)$search, by_folds(plain)$search)
    error <- function(test) privacy_utility(y ~ x, plain, plain, test, 1, 1e-4,
                                            unsafe_seed = 1)$curve
    expect_identical(error(large), error(plain))
})

test_that("64-bit integers are exact up to 2^53, and rounded beyond", {
    numbers <- c(0, 1, -1, 2^31, -2^31, 2^32 - 1, 2^53, -2^53, 2^62)
    expect_identical(dpadapt:::without_integer64(integer64(numbers)), numbers)
    odd <- structure(readBin(as.raw(c(1, 0, 0, 0, 0, 0, 0x20, 0, 3, 0, 0, 0, 0, 0, 0x20, 0)), "double", 2, endian = "little"),
                     class = "integer64")
    expect_identical(dpadapt:::without_integer64(odd), c(2^53, 2^53 + 4))
})

hours <- function(k) as.difftime(k, units = "hours")
refused <- list(
    Date = list(as = function(k) as.Date("2026-01-01") + k, way = "days since 1970-01-01"),
    POSIXct = list(as = function(k) as.POSIXct("2026-01-01", tz = "UTC") + k, way = "seconds since 1970-01-01 UTC"),
    difftime = list(as = hours, way = "units = \"days\""),
    hms = list(as = function(k) structure(k, units = "secs", class = c("hms", "difftime")), way = "units = \"days\""),
    haven_labelled = list(as = function(k) structure(k, labels = c(no = 0, yes = 5), class = c("haven_labelled", "vctrs_vctr", "double")),
                          way = "as_factor"),
    complex = list(as = as.complex, way = "Re\\(\\)"),
    AsIs = list(as = function(k) I(lapply(k, function(one) c(one, one))), way = "make it numbers"),
    raw = list(as = function(k) as.raw(k %% 256), way = "make it numbers"),
    units = list(as = function(k) structure(k, class = "units"), way = "make it numbers"))

test_that("what has no evident number is refused by the names of column and class", {
    plain <- rows_of(200)
    formula_fit <- public(y ~ x, plain)
    matrix_fit <- dpadapt(plain["x"], plain$y, plain["x"], plain$y, private_domain = "none")
    for (class in names(refused)) {
        odd <- plain
        odd$x <- refused[[class]]$as(plain$x)
        message <- paste0("x is of class ", class, ".*", refused[[class]]$way)
        calls <- list(source = function() public(y ~ x, odd, plain), target = function() public(y ~ x, plain, odd),
                      dot = function() public(y ~ ., odd), inside = function() public(y ~ identity(x), odd),
                      predict = function() predict(formula_fit, odd), predict_matrix = function() predict(matrix_fit, odd["x"]),
                      matrix = function() dpadapt(odd["x"], odd$y, plain["x"], plain$y, private_domain = "none"),
                      private_source = function() dpadapt_problem(y ~ x, odd, plain, epsilon = 1, delta = 1e-4),
                      schema = function() dpadapt_schema(odd, "y"))
        for (name in names(calls)) {
            wanted <- if (name == "inside") sub("x is", "identity\\\\(x\\\\) is", message) else message
            if (name == "inside" && class == "AsIs") wanted <- "invalid type .* for variable 'identity" # R's own
            expect_error(calls[[name]](), wanted, info = paste(class, name))
        }
        expect_error(dpadapt(plain["x"], odd$x, plain["x"], plain$y, private_domain = "none"), "label|labels", info = class)
        expect_false(is.null(dpadapt_schema(cbind(odd, z = plain$x), "y", ignore = "x")))
    }
})

test_that("the way out that a message names works", {
    data <- rows_of(200)
    data$day <- as.Date("2026-01-01") + data$x
    data$stay <- hours(24 * data$x)
    for (formula in list(y ~ as.numeric(day), y ~ as.numeric(stay, units = "days"))) {
        fit <- public(formula, data)
        expect_equal(unname(coef(fit))[2], unname(coef(public(y ~ x, data)))[2], tolerance = 1e-6)
    }
    expect_silent(private <- dpadapt(y ~ as.numeric(day), data, data, epsilon = 1, delta = 1e-4, unsafe_seed = 1))
    as_text <- transform(data, day = as.character(day))
    expect_identical(coef(dpadapt(y ~ as.numeric(day), data, as_text, epsilon = 1, delta = 1e-4, unsafe_seed = 1)), coef(private))
})

test_that("times other than dates are converted in both samples where one is private", {
    data <- rows_of(200)
    data$stay <- hours(24 * data$x)
    data$at <- as.POSIXct("2026-01-01", tz = "UTC") + data$x
    private <- function(formula, data) dpadapt(formula, data, data, epsilon = 1, delta = 1e-4,
                                               unsafe_seed = 1)
    for (formula in list(y ~ as.numeric(stay, units = "days"), y ~ as.numeric(at)))
        expect_error(private(formula, data), "make it numbers in both samples before the fit")
    for (formula in list(y ~ stay, y ~ at)) expect_error(private(formula, data),
                                                         "in both samples before the fit")
    data$stay <- as.numeric(data$stay, units = "days")
    expect_equal(coef(private(y ~ stay, data)), coef(private(y ~ x, data)), ignore_attr = TRUE)
})

test_that("a private class that no reader guesses is refused by name, one that it guesses is not", {
    plain <- rows_of(200)
    problem <- function(class) {
        odd <- plain
        odd$x <- refused[[class]]$as(plain$x)
        dpadapt_problem(y ~ x, plain, odd, epsilon = 1, delta = 1e-4)
    }
    for (class in c("haven_labelled", "raw", "units")) expect_error(problem(class), paste("x is of class", class))
    for (class in c("Date", "POSIXct", "difftime", "hms", "complex")) expect_silent(problem(class))
})

test_that("a schema reads columns and labels by the same rule, and ignores others", {
    plain <- rows_of(200)
    schema <- dpadapt_schema(plain, "y")
    fit <- dpadapt(schema, plain, plain, private_domain = "none")
    problem <- function(...) dpadapt_problem(schema, ...)
    for (class in names(refused)) {
        odd <- odd_label <- plain
        odd$x <- refused[[class]]$as(plain$x)
        odd_label$y <- refused[[class]]$as(plain$x)
        wanted <- paste0("x is of class ", class, ".*", refused[[class]]$way)
        expect_error(problem(odd, plain), wanted)
        expect_error(problem(plain, odd, "none"), wanted)
        expect_error(predict(fit, odd), wanted)
        expect_error(problem(odd_label, plain), paste("column y is of class", class))
        expect_identical(predict(fit, odd_label), predict(fit, plain))
        guessed <- !(class %in% c("haven_labelled", "raw", "units"))
        for (private in list(list(odd, "column x"), list(odd_label, "column y")))
            if (guessed) expect_silent(problem(plain, private[[1]]))
            else expect_error(problem(plain, private[[1]]),
                              paste(private[[2]], "is of class", class))
        unread <- cbind(plain, z = 1)
        without_z <- dpadapt_schema(unread, "y", ignore = "z")
        unread$z <- odd$x
        expect_silent(dpadapt_problem(without_z, unread, unread))
        expect_silent(dpadapt_problem(without_z, unread, unread, "none"))
    }
    expect_error(problem(plain, within(plain, x <- cbind(x, x))), "column x is a matrix")
    doubled <- within(plain, z <- 2 * x)
    computed <- dpadapt_schema(doubled, "y", ignore = "z", compute = "half = z / 4")
    expect_error(dpadapt_problem(computed, doubled, within(plain, z <- as.raw(x %% 256))),
                 "column z is of class raw")
})

test_that("ids of sources are exact, whatever packages are loaded", {
    of_halves <- function(low, high) {
        bytes <- writeBin(as.integer(rbind(low, high)), raw(), endian = "little")
        structure(readBin(bytes, "double", length(low), endian = "little"), class = "integer64")
    }
    plain <- rows_of(200)
    wanted <- rep(1:2, each = 100)
    large <- list(of_halves(wanted, 300000), of_halves(wanted, 2^30), of_halves(wanted, -1),
                  2^52 + wanted, of_halves(c(0, -1)[wanted], c(-1, 0)[wanted]), factor(wanted),
                  c("u", NA)[wanted])
    schema <- dpadapt_schema(plain, "y")
    for (ids in large) {
        rows <- plain
        rows$place <- ids
        x <- plain["x"]
        problems <- list(dpadapt_problem(y ~ x, plain, plain, "none", sources = ids),
                         dpadapt_problem(y ~ x, rows, plain, "none", sources = "place"),
                         dpadapt_problem(x, plain$y, x, plain$y, "none", sources = ids),
                         dpadapt_problem(schema, plain, plain, "none", sources = ids))
        for (problem in problems) expect_identical(problem$values$sources$source, wanted)
    }
    expect_error(dpadapt_problem(schema, plain, plain, "none", sources = as.list(wanted)),
                 "sources must be")
})

test_that("a list whose elements have its class is refused by name, and is missing in a cell", {
    plain <- rows_of(20)
    pairs <- structure(list(a = as.double(1:20), b = 1:20), class = c("vctrs_rcrd", "vctrs_vctr"))
    for (odd in list(numeric_version(as.character(1:20)), pairs)) {
        wanted <- paste("is of class", class(odd)[1])
        private <- plain["y"]
        private$x <- as.double(1:20)
        if (length(odd) == 20) {
            private$x <- odd
            expect_error(dpadapt_problem(y ~ x, plain, private), paste("column x", wanted))
            expect_error(dpadapt_problem(plain["x"], plain$y, private["x"], plain$y),
                         paste("column x", wanted))
        }
        expect_error(dpadapt_problem(plain["x"], plain$y, plain["x"], odd),
                     paste("the label", wanted))
        expect_error(dpadapt_problem(y ~ x, plain, plain, groups = odd), paste("groups", wanted))
        scores <- list(source = plain$x, target = odd)
        expect_error(dpadapt_problem(y ~ x, plain, plain, scores = scores), paste("scores", wanted))
        expect_error(vote_shards(20, 3, odd), paste("groups", wanted))
        within <- c(as.list(1:19), list(odd))
        expect_identical(dpadapt:::numbers_of(within), c(as.double(1:19), NA))
        expect_identical(dpadapt:::numbers_of(I(within)), c(as.double(1:19), NA))
    }
    cells <- structure(list(1, "2"), class = c("vctrs_list_of", "vctrs_vctr", "list"))
    expect_identical(dpadapt:::numbers_of(cells), c(1, 2))
})

test_that("a sample without rows is told by its name", {
    plain <- rows_of(50)
    for (domain in c("none", "target")) {
        expect_error(dpadapt_problem(y ~ x, plain, plain[0, ], private_domain = domain), "the target has no rows")
        expect_error(dpadapt_problem(y ~ x, plain[0, ], plain, private_domain = domain), "the source has no rows")
        expect_error(dpadapt_problem(plain["x"], plain$y, plain[0, "x", drop = FALSE], numeric(), private_domain = domain), "the target has no rows")
    }
    expect_error(dpadapt_problem(dpadapt_schema(plain, "y"), plain, plain[0, ]), "the target has no rows")
})

test_that("what nobody sees at the ends of a text is no part of it", {
    for (blank in c(" ", "\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2009")) {
        expect_identical(dpadapt:::words_of(paste0(blank, "ward A", blank)), "ward A")
        expect_identical(dpadapt:::words_of(paste0(blank, blank)), NA_character_)
        expect_identical(dpadapt:::numbers_of(paste0("1.5", blank)), 1.5)
        expect_false(dpadapt:::words_of(paste0("ward", blank, "A")) == "wardA")
    }
    expect_false(dpadapt:::words_of("Z\u00fcrich") == dpadapt:::words_of("Zu\u0308rich")) # NFC and NFD stay apart
    latin <- "Z\xfcrich"
    Encoding(latin) <- "latin1"
    expect_identical(dpadapt:::words_of(latin), "Z\u00fcrich")
})

test_that("texts in latin1 are those of UTF-8, and bytes that are no text are refused", {
    marked <- unmarked <- "caf\xe9"
    Encoding(marked) <- "latin1"
    frame <- function(name, levels)
        stats::setNames(data.frame(cos(1:60), rep(c(levels, "tea"), 30), sin(1:60)),
                        c(name, "g", "y"))
    file <- function(text) {
        name <- paste0(tempdir(), "/x.json")
        name <- sub("x(?=[.]json$)", text, enc2native(name), perl = TRUE, useBytes = TRUE)
        Encoding(name) <- Encoding(text)
        name
    }
    features <- function(word) {
        rows <- frame(word, word)
        private <- dpadapt(y ~ ., rows, rows, epsilon = 1, delta = 1e-4)
        for (fit in list(public(y ~ ., rows), private))
            expect_identical(enc2utf8(names(coef(fit)))[2:3], c("caf\u00e9", "gtea"))
        schema <- dpadapt_schema(rows, "y")
        expect_identical(schema$features, c("caf\u00e9", "g=tea"))
        fit <- dpadapt(schema, rows, rows, private_domain = "none")
        again <- read_model(write_model(fit, file(word)))
        expect_identical(predict(again, frame("caf\u00e9", "caf\u00e9")), predict(fit, rows))
    }
    if (l10n_info()$`UTF-8`) for (word in c(marked, "caf\u00e9")) features(word)

    plain <- frame("x", "u")
    fit <- public(y ~ x, plain)
    refusals <- alist(
        "name of column caf<e9> is not UTF-8" = public(y ~ ., frame(unmarked, "u")),
        "name of column caf<e9> is not UTF-8" =
            dpadapt(y ~ ., frame(unmarked, "u"), plain, epsilon = 1, delta = 1e-4),
        "name of column caf<e9> is not UTF-8" = dpadapt_schema(frame(unmarked, "u"), "y"),
        "name of column caf<e9> is not UTF-8" =
            dpadapt_problem(frame(unmarked, "u")[unmarked], plain$y, plain["x"], plain$y, "none"),
        "column g of the public rows has texts that are not" =
            dpadapt_schema(frame("x", unmarked), "y"),
        "column g of the public rows has texts that are not" = public(y ~ g, frame("x", unmarked)),
        "name of the file, .*caf<e9>.json, is no text" = write_model(fit, file(unmarked)),
        "name of the file, .*caf<e9>.json, is no text" =
            privacy_ledger(file(unmarked), epsilon = 1, delta = 1e-4),
        "no option of the name caf" = dpadapt_options(unmarked))
    for (k in seq_along(refusals))
        expect_error(eval(refusals[[k]]), names(refusals)[k], class = "dpadapt_error",
                     info = deparse1(refusals[[k]]))
    expect_silent(public(y ~ g, frame(unmarked, "u"))) # does not read it
    expect_silent(dpadapt_schema(frame("x", unmarked), "y", ignore = "g"))
})

test_that("a locale without these letters has the same model files", {
    word <- "caf\xe9"
    Encoding(word) <- "latin1"
    name <- file.path(tempdir(), "caf\u00e9.json")
    rows <- data.frame(x = cos(1:60), g = rep(c(word, "tea"), 30), y = sin(1:60))
    locale <- Sys.getlocale("LC_CTYPE")
    on.exit(Sys.setlocale("LC_CTYPE", locale))
    Sys.setlocale("LC_CTYPE", "C")
    fit <- public(y ~ x + g, rows)
    again <- read_model(write_model(fit, tempfile()))
    expect_equal(predict(again, rows), predict(fit, rows), ignore_attr = TRUE)
    expect_error(write_model(fit, name), "is no text of this locale")
})
