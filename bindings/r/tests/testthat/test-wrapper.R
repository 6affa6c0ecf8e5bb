# What SWIG does by default crashes or leaks on these inputs; the typemaps must not.
wrapper <- function(name) getFromNamespace(paste0("R_swig_dpa_", name), "dpadapt")
new_problem <- function() native(wrapper("problem_create"))
close_problem <- function(handle) .Call(wrapper("problem_destroy"), handle)
expect_dpadapt_error <- function(value, kind) expect_error(value, class = paste0("dpadapt_error_", kind))

test_that("a handle of another type is refused", {
    expect_dpadapt_error(native(wrapper("problem_shape"), new_options()), "handle")
    expect_dpadapt_error(native(wrapper("solve"), new_options(), NULL, NULL), "handle")
    expect_dpadapt_error(native(wrapper("solve"), new_problem(), NULL, new_problem()), "handle")
})

test_that("what is no handle is refused", {
    for (no_handle in list("dpa_problem", 1, list(), quote(x), globalenv(), as.raw(1)))
        expect_dpadapt_error(native(wrapper("problem_shape"), no_handle), "handle")
    expect_dpadapt_error(native(wrapper("problem_shape"), NULL), "handle")
})

test_that("a restored handle is refused", {
    restored <- unserialize(serialize(new_problem(), NULL))
    expect_dpadapt_error(native(wrapper("problem_shape"), restored), "handle")
    expect_dpadapt_error(close_problem(restored), "handle")
})

test_that("a closed handle is refused, and closed once", {
    handle <- new_problem()
    close_problem(handle)
    expect_dpadapt_error(native(wrapper("problem_shape"), handle), "handle")
    expect_dpadapt_error(close_problem(handle), "handle")
    expect_null(close_problem(NULL))
})

test_that("arrays must be doubles, and have the size of their matrix", {
    handle <- new_problem()
    lend <- function(x, y) native(wrapper("problem_lend_sample"), handle, 0, x, y)
    expect_dpadapt_error(lend(matrix(1:4, 2), c(1, 2)), "invalid_argument")
    expect_dpadapt_error(lend(c(1, 2), c(1, 2)), "invalid_argument")
    expect_dpadapt_error(lend(matrix(c(1, 2)), 1:2), "invalid_argument")
    expect_dpadapt_error(lend(matrix(c(1, 2)), "1"), "invalid_argument")
    expect_dpadapt_error(lend(matrix(c(1, 2)), c(1, 2, 3)), "dimension")
    for (no_domain in list(2, -1, "source", NULL))
        expect_dpadapt_error(native(wrapper("problem_lend_sample"), handle, no_domain, matrix(1), 1), "invalid_argument")
    expect_equal(native(wrapper("problem_shape"), handle), c(source_rows = 0, target_rows = 0, features = 0))
})

test_that("integers are converted for users, to the same result", {
    x <- cbind(a = 1:9, b = c(3L, 1L, 2L))
    fit <- function(x, y) dpadapt(x, y, x, y, private_domain = "none", kappa_1 = 1)
    expect_identical(coef(fit(x, 1:9)), coef(fit(x + 0, 1:9 + 0)))
})

test_that("long vectors are refused before they are expanded", {
    long <- seq_len(2^31) # compact: expanded it would take 16 GB
    expect_dpadapt_error(native(wrapper("problem_lend_sample"), new_problem(), 0, matrix(1), long), "overflow")
})

test_that("numbers beyond 32 bits arrive as they are", {
    options <- new_options(unsafe_seed = 2^53 - 1)
    expect_identical(dpadapt:::native_filled(wrapper("options_get"), options, "unsafe_seed"), "9007199254740991")
    expect_null(.Call(wrapper("option_text"), 2^32, "name"))
    expect_dpadapt_error(.Call(wrapper("option_text"), -1, "name"), "invalid_argument")
    expect_dpadapt_error(.Call(wrapper("option_text"), NA, "name"), "invalid_argument")
    expect_dpadapt_error(.Call(wrapper("option_text"), 0.5, "name"), "invalid_argument")
    expect_dpadapt_error(native(wrapper("plan_create"), 2^40 + 1, 10, 1, options), "overflow")
    expect_dpadapt_error(native(wrapper("plan_create"), 2^54, 10, 1, options), "invalid_argument")
})

test_that("lists of handles hold handles of their type", {
    select <- function(candidates) native(wrapper("select"), new_problem(), candidates, NULL)
    problem <- new_problem()
    expect_dpadapt_error(select(list(problem)), "handle")
    expect_dpadapt_error(select(problem), "invalid_argument")
    expect_dpadapt_error(native(wrapper("search_value"), native(wrapper("search_create")), "loss", -1), "invalid_argument")
})

test_that("names are one string", {
    options <- new_options()
    for (name in list(c("alpha", "mu"), NA_character_, 1, NULL, character()))
        expect_dpadapt_error(native(wrapper("options_set"), options, name, 1), "invalid_argument")
    expect_dpadapt_error(native(wrapper("options_set"), options, "alpha", c(0.1, 0.2)), "invalid_argument")
})

test_that("an array of another length is refused", {
    fit <- public_fit()
    expect_dpadapt_error(dpadapt:::with_solution(fit, function(h) native(wrapper("solution_array"), h, "coefficients", 3)), "dimension")
    expect_dpadapt_error(dpadapt:::with_solution(fit, function(h) native(wrapper("solution_array"), h, "coefficients", -1)),
                         "invalid_argument")
    expect_dpadapt_error(dpadapt:::with_solution(fit, function(h) native(wrapper("solution_array"), h, "weights", 2)), "option_name")
    expect_dpadapt_error(native(wrapper("solution_deserialize"), as.raw(1:9)), "format")
    expect_dpadapt_error(native(wrapper("solution_deserialize"), "bytes"), "invalid_argument")
})
