repeated <- function(data, times) data[rep(seq_len(nrow(data)), times), ]

test_that("a row of weight 2 counts like two rows", {
    times <- rep(0:2, length.out = 200)
    weighted <- cbind(source_data, w = times)
    settings <- list(private_domain = "none", alpha = 0.5, tolerance = 1e-14)
    fit_to <- function(source, ...) do.call(dpadapt, c(list(y ~ a + b, source, target_data), settings, ...))
    expected <- fit_to(repeated(source_data, times))
    expect_equal(coef(fit_to(weighted, list(weights = "w"))), coef(expected), tolerance = 1e-9)
    expect_equal(coef(fit_to(source_data, list(weights = list(source = times)))), coef(expected), tolerance = 1e-9)
    dotted <- dpadapt(y ~ . - g - two - three, weighted, target_data, private_domain = "none", weights = "w")
    expect_named(coef(dotted), c("(Intercept)", "a", "b"))
    x <- as.matrix(source_data[c("a", "b")])
    by_matrix <- dpadapt(x, source_data$y, as.matrix(target_data[c("a", "b")]), target_data$y, private_domain = "none",
                         alpha = 0.5, tolerance = 1e-14, weights = list(source = times))
    expect_equal(unname(coef(by_matrix)), unname(coef(expected)), tolerance = 1e-9)
})

test_that("rows that na.action leaves out take their weights along", {
    holes <- cbind(source_data, w = seq_len(200))
    holes$a[c(3, 70)] <- NA
    fit <- dpadapt(y ~ a + b, holes, target_data, private_domain = "none", alpha = 0.5, weights = "w")
    whole <- dpadapt(y ~ a + b, holes[-c(3, 70), ], target_data, private_domain = "none", alpha = 0.5, weights = "w")
    expect_identical(coef(fit), coef(whole))
})

test_that("a column of weights that the formula names is there", {
    weighted <- cbind(source_data, w = 1 + seq_len(200) %% 3)
    fit <- function(...) coef(dpadapt(y / w ~ a, weighted, weighted, private_domain = "none", alpha = 0, ...))
    expect_equal(fit(weights = "w", form = "general"), coef(lm(y / w ~ a, weighted, weights = w)))
})

test_that("errors and choices on public rows follow weights", {
    times <- rep(0:2, length.out = 120)
    fits <- lapply(c(0, 0.9), function(alpha) public_fit(alpha = alpha))
    rows <- function(target, ...) dpadapt_problem(y ~ a + b, source_data, target, private_domain = "none", ...)
    weighted <- rows(target_data, weights = list(target = times))
    found <- as.data.frame(evaluate(fits, weighted))
    expected <- as.data.frame(evaluate(fits, rows(repeated(target_data, times))))
    last <- found$name == "effective_rows"
    expect_equal(found$estimate[last], sum(times)^2 / sum(times^2))
    expect_equal(found$estimate[!last], expected$estimate, tolerance = 1e-9)
    losses <- sapply(fits, function(fit) (target_data$y - predict(fit, target_data))^2)
    for (k in 1:2) {
        favoured <- as.numeric(losses[, k] < losses[, 3 - k])
        expect_equal(dpadapt_select(fits, rows(target_data, weights = list(target = favoured))), k)
    }
})

test_that("weights of a private sample are not followed", {
    both <- lapply(list(source = source_data, target = target_data), function(data) cbind(data, w = seq_len(nrow(data))))
    fit <- dpadapt(y ~ a + b, both$source, both$target, epsilon = 1, delta = 1e-4, weights = "w", unsafe_seed = 1)
    without <- dpadapt(y ~ a + b, both$source, target_data, epsilon = 1, delta = 1e-4, weights = "w", unsafe_seed = 1)
    expect_identical(coef(fit), coef(without))
    expect_output(print(fit), "Weights of the private target were not read: they need row_weight_bound")
    expect_no_match(capture.output(print(without)), "not read")
    expect_error(private_fit(weights = list(target = rep(1, 120))), class = "dpadapt_error_unsupported")
    expect_error(public_fit(weights = list(source = c(-1, rep(1, 199)))), class = "dpadapt_error_invalid_argument")
    expect_error(public_fit(weights = list(source = 1)), class = "dpadapt_error_dimension")
    expect_error(public_fit(weights = "nobody"), "nobody")
})

test_that("weights of a private sample are clipped to a public bound", {
    weights <- rep(c(0, 1, 2, 2), 30)
    fit_with <- function(weights, ...) coef(private_fit(weights = list(target = weights), row_weight_bound = 2, unsafe_seed = 1, ...))
    expected <- fit_with(weights)
    strange <- as.character(weights)
    strange[weights == 2] <- "1e300"
    strange[c(1, 5, 9)] <- c("heavy", "-4", NA)
    expect_identical(fit_with(strange), expected)
    expect_false(identical(fit_with(rep(1, 120)), expected))
    expect_false(identical(fit_with(weights, labelled_share = 0.625), expected))
    expect_error(private_fit(row_weight_bound = 2), class = "dpadapt_error_option")
})

test_that("scores of a model are taken from the labels", {
    scored <- lapply(list(source = source_data, target = target_data), function(data) cbind(data, vendor = data$y / 2))
    corrected <- lapply(scored, function(data) within(data, y <- y - vendor))
    fit <- dpadapt(y ~ a + b, scored$source, scored$target, private_domain = "none", scores = "vendor")
    expected <- dpadapt(y ~ a + b, corrected$source, corrected$target, private_domain = "none")
    expect_equal(coef(fit), coef(expected), tolerance = 1e-12)
    expect_error(dpadapt(y ~ a + b, scored$source, target_data, private_domain = "none", scores = "vendor"),
                 class = "dpadapt_error_state")
})

test_that("the source's columns are mapped to the target's", {
    wide <- with(source_data, data.frame(y, sum = a + b, difference = a - b))
    map <- rbind(a = c(sum = 0.5, difference = 0.5, "(constant)" = 0), b = c(0.5, -0.5, 0))
    by_hand <- with(wide, data.frame(y, a = 0 + 0.5 * sum + 0.5 * difference, b = 0 + 0.5 * sum + -0.5 * difference))
    fit <- dpadapt(y ~ ., wide, target_data[c("y", "a", "b")], private_domain = "none", source_map = map)
    expected <- dpadapt(y ~ ., by_hand, target_data[c("y", "a", "b")], private_domain = "none")
    expect_identical(coef(fit), coef(expected))
    expect_length(predict(fit, target_data), 120)
    by_matrix <- function(x, ...) coef(dpadapt(x, wide$y, as.matrix(target_data[c("a", "b")]), target_data$y, epsilon = 1, delta = 1e-4,
                                               private_domain = "source", unsafe_seed = 1, ...))
    expect_identical(by_matrix(as.matrix(wide[2:3]), source_map = map), by_matrix(as.matrix(by_hand[c("a", "b")])))
    of_words <- within(wide, sum <- as.character(sum))
    of_words$sum[7] <- "high"
    missing <- within(by_hand, a[7] <- b[7] <- NA)
    of_source <- function(source, ...) coef(dpadapt(y ~ ., source, target_data[c("y", "a", "b")], private_domain = "source", epsilon = 1,
                                                    delta = 1e-4, unsafe_seed = 1, ...))
    expect_equal(of_source(of_words, source_map = map), of_source(missing), tolerance = 1e-9)
    public <- function(...) dpadapt(y ~ ., wide, target_data[c("y", "a", "b")], private_domain = "none", ...)
    expect_error(public(source_map = map[, -3] / 0), "finite")
    expect_error(public(source_map = cbind(map, nobody = 1)), "nobody")
    expect_error(dpadapt(y ~ ., of_words, target_data, private_domain = "none", source_map = map), "numbers")
})

test_that("columns that one sample lacks are told", {
    target <- cbind(target_data[c("y", "a", "b")], own = 1, more = 2)
    source <- source_data[c("y", "a", "b")]
    for (domain in c("none", "target")) {
        budget <- if (domain == "target") list(epsilon = 1, delta = 1e-4)
        fit <- do.call(dpadapt, c(list(y ~ ., source, target, private_domain = domain), budget))
        expect_output(print(fit), "Not used, because only the target has them: own, more", fixed = TRUE)
        expect_error(do.call(dpadapt, c(list(y ~ ., target, source, private_domain = domain), budget)), "no column own")
    }
    expect_output(print(dpadapt_problem(y ~ ., target, source, private_domain = "source")), "only the source has them: own, more")
    expect_false(any(grepl("Not used", capture.output(print(public_fit())))))
    expect_error(dpadapt(as.matrix(target[-1]), target$y, as.matrix(source[-1]), source$y, private_domain = "none"),
                 "must have 4 columns as the source, but has 2")
})

test_that("a private target chooses its source, in one ledger", {
    sources <- list(source_data, within(source_data, y <- -y))
    fits <- lapply(sources, function(one) dpadapt_baseline(y ~ a + b, one, one, "source_only", private_domain = "none"))
    ledger <- privacy_ledger(epsilon = 1, delta = 1e-4, selection_epsilon = 0.3)
    rows <- dpadapt_problem(y ~ a + b, source_data, target_data, ledger = ledger)
    chosen <- dpadapt_select(rev(fits), rows, selection_epsilon = 0.3, selection_bound = 20)
    expect_identical(chosen, 2)
    fit <- dpadapt(y ~ a + b, rev(sources)[[chosen]], target_data, epsilon = 0.7, delta = 1e-4, ledger = ledger)
    expect_identical(c(fit$epsilon, fit$delta), c(1, 1e-4))
    expect_error(dpadapt(y ~ a + b, source_data, target_data, epsilon = 0.7, delta = 1e-4, ledger = ledger),
                 class = "dpadapt_error_budget")
})

test_that("a poisoned source has no weight", {
    poisoned <- within(source_data, y <- -y)
    fit <- dpadapt(y ~ a + b, list(good = source_data, bad = poisoned), target_data, private_domain = "none")
    expect_identical(sum(weights(fit, "source")[201:400]), 0)
    rows <- cbind(rbind(source_data, poisoned), place = rep(c("here", "there"), each = 200))
    by_column <- dpadapt(y ~ a + b, rows, target_data, private_domain = "none", sources = "place")
    expect_identical(coef(by_column), coef(fit))
    expect_error(dpadapt(y ~ a + b, rows, target_data, epsilon = 1, delta = 1e-4, sources = "place"),
                 class = "dpadapt_error_unsupported")
})
