# The cases that all languages share, in tests/data/levels, where the source tree is at hand.
level_cases <- function() {
    file <- file.path(Sys.getenv("DPADAPT_SOURCE_DIR", "none"), "tests", "data", "levels", "cases.csv")
    skip_if_not(file.exists(file), "the source tree")
    read.csv(file, colClasses = "character", na.strings = character(), strip.white = FALSE)
}

level_rows <- function(levels) {
    counts <- 20 - seq_along(levels) + 1
    k <- rep(seq_along(levels), counts)
    i <- sequence(counts) - 1
    data.frame(level = levels[k], x = i %% 5, y = 10 * (k - 1) + i %% 5)
}

test_that("a cell means the level that it means in every language", {
    all <- level_cases()
    for (one in split(all, all$levels)) {
        levels <- strsplit(one$levels[1], "|", fixed = TRUE)[[1]]
        rows <- level_rows(levels)
        fit <- dpadapt(dpadapt_schema(rows, "y"), rows, rows, private_domain = "none")
        for (i in seq_len(nrow(one))) {
            cell <- switch(one$cell[i], "<true>" = TRUE, "<false>" = FALSE, one$cell[i])
            # The word TRUE is T for R, in a column of any type.
            if (is.logical(cell) && one$means[i] == "refused" && "t" %in% levels) next
            label <- paste(one$levels[1], one$cell[i])
            fits <- one$means[i] %in% levels
            newdata <- data.frame(level = cell, x = 0)
            if (fits) found <- predict(fit, newdata)
            else expect_warning(found <- predict(fit, newdata), "1 of 1 row has a level that the schema does not know", info = label)
            expect_equal(unname(found), if (fits) 10 * (match(one$means[i], levels) - 1) else 0, tolerance = 0.5, info = label)
        }
    }
})

test_that("new levels and labels of a public target are counted", {
    rows <- level_rows(c("A", "B"))
    target <- data.frame(level = ifelse(1:30 %% 3 == 0, "C", "A"), x = 1, y = 1)
    schema <- dpadapt_schema(rows, "y")
    expect_warning(dpadapt(schema, rows, target, private_domain = "none"),
                   "level: 10 of 30 rows have a level that the schema does not know: \"C\"", fixed = TRUE)
    expect_silent(dpadapt_problem(schema, rows, target))
})

test_that("a factor of many levels is used, or refused by name", {
    codes <- factor(paste("code", 0:19999 %% 200))
    rows <- data.frame(icd = codes, y = as.numeric(codes))
    expect_length(dpadapt_schema(rows, "y")$features, 199)
    expect_error(dpadapt_schema(data.frame(id = factor(1:3000), x = 1:3000 %% 7, y = 1), "y"),
                 "\"id\" is no category: .*1000 levels at most")
})

test_that("classes are the distinct public labels", {
    for (codes in list(c(10, 20, 30), c(0, 50, 99))) {
        data <- data.frame(x = rep(1:3, 40) + (1:120 %% 7) / 10, y = rep(codes, 40))
        fit <- dpadapt(y ~ x, data, data, loss = "softmax", private_domain = "none")
        expect_equal(dim(coef(fit)), c(2, 3))
        expect_equal(colnames(coef(fit)), as.character(codes))
        expect_setequal(predict(fit, data, "class"), codes)
        expect_error(dpadapt(y ~ x, data, transform(data, y = 40), loss = "softmax", private_domain = "none"),
                     "the target has the label 40")
    }
    data <- data.frame(x = rep(1:3, 40), y = rep(c(0, 1, 3), 40))
    fit <- dpadapt(y ~ x, data, data, loss = "softmax", classes = 4, private_domain = "none")
    expect_equal(dim(coef(fit)), c(2, 4))
})

test_that("ids that differ in spelling are one person", {
    persons <- function(ids) max(dpadapt_problem(y ~ a + b, source_data, target_data, groups = ids)$groups)
    i <- seq_len(nrow(target_data)) - 1
    expect_equal(persons(paste0(c("P", "p")[i %% 2 + 1], i %/% 2)), 60)
    expect_equal(persons(paste0(i %/% 2, c("", ".0")[i %% 2 + 1])), 60)
    expect_equal(persons(paste0("A", i %/% 2, c("", " ")[i %% 2 + 1])), 60)
    expect_equal(persons(ifelse(i < 4, NA, i)), nrow(target_data) - 3)
    expect_equal(persons(c("", "NA", " n/a", ".", "NULL", "?", "nan", NA, i[-(1:8)])), nrow(target_data) - 7)
})

test_that("levels = other takes texts for factors", {
    data <- transform(source_data, g = factor(g))
    fit <- dpadapt(y ~ a + g, data, data, private_domain = "none")
    newdata <- data.frame(a = 1, g = c("u", "zz"))
    found <- predict(fit, newdata, levels = "other")
    expect_equal(found, predict(fit, transform(newdata, g = factor(g)), levels = "other"))
    expect_equal(found[1], predict(fit, newdata[1, ]))
    texts <- dpadapt(y ~ a + g, transform(data, g = as.character(g)), transform(data, g = as.character(g)),
                     private_domain = "none")
    expect_equal(predict(texts, transform(newdata, g = factor(g)), levels = "other"), found)
})

test_that("a private value of a formula means the level that it means in every language", {
    all <- level_cases()
    for (one in split(all, all$levels)) {
        levels <- strsplit(one$levels[1], "|", fixed = TRUE)[[1]]
        for (i in seq_len(nrow(one))) {
            cell <- switch(one$cell[i], "<true>" = TRUE, "<false>" = FALSE, one$cell[i])
            if (is.logical(cell) && one$means[i] == "refused" && "t" %in% levels) next # TRUE is T for R
            found <- levels[dpadapt:::match_levels(c("other level", cell), levels)]
            expect_identical(found, c(NA, c(one$means[i])[one$means[i] %in% levels], NA)[1:2], info = paste(one$levels[1], one$cell[i]))
        }
    }
})

test_that("a private blank is the public level that is blank, and missing where there is none", {
    for (known in list(c("", "a", "b"), c("a", "b"))) for (as in list(identity, factor)) {
        found <- dpadapt:::private_column(c("a", "", NA, " ", "z"), as(known), known)
        expect_identical(as.character(found$values)[1:4], if ("" %in% known) c("a", "", "", "") else c("a", NA, NA, NA))
        expect_identical(found$missing[1:4], c(FALSE, rep(!"" %in% known, 3)))
    }
})

test_that("private classes in another spelling are the same classes", {
    class <- ifelse(source_data$a + source_data$b > 0, "Yes", "No")
    spellings <- list(tolower(class), toupper(class), factor(tolower(class)), class == "Yes", +(class == "Yes"),
                      2 * (class == "Yes") - 1, ifelse(class == "Yes", " t", "f"))
    for (known in list(factor(class), class, class == "Yes", +(class == "Yes"), 2 * (class == "Yes") - 1)) {
        public <- cbind(source_data[c("a", "b")], y = known)
        fit <- function(y) coef(dpadapt(y ~ a + b, public, cbind(source_data[c("a", "b")], y = y), loss = "logistic", epsilon = 4,
                                        delta = 1e-4, alpha = 0, unsafe_seed = 1))
        wanted <- fit(known)
        for (spelling in spellings) expect_identical(fit(spelling), wanted)
        expect_false(identical(fit(rep("maybe", 200)), wanted))
        matrix_fit <- function(y) coef(dpadapt(as.matrix(source_data[c("a", "b")]), known, as.matrix(source_data[c("a", "b")]), y,
                                               loss = "logistic", epsilon = 4, delta = 1e-4, alpha = 0, unsafe_seed = 1))
        for (spelling in spellings) expect_identical(matrix_fit(spelling), matrix_fit(known))
    }
    flags <- cbind(source_data, flag = source_data$b > 0)
    fit <- function(flag) coef(dpadapt(y ~ a + flag, flags, cbind(source_data, flag = flag), epsilon = 4, delta = 1e-4, unsafe_seed = 1))
    expect_identical(fit(ifelse(flags$flag, "yes", "No")), fit(flags$flag))
})

test_that("control characters of levels do not reach the terminal", {
    rows <- data.frame(g = rep(c("a", "\x1b[31mred"), 30), x = 1:60 %% 7, y = 1:60 %% 2)
    shown <- paste(capture.output(print(dpadapt_schema(rows, "y"))), collapse = "\n")
    expect_match(shown, "\\x1b[31mred", fixed = TRUE)
    expect_false(grepl("\x1b", shown, fixed = TRUE))
    new <- transform(rows, g = "\x1b[31mnew")
    expect_error(dpadapt(y ~ g + x, rows, new, private_domain = "none"), "new level \\x1b[31mnew", fixed = TRUE)
})
