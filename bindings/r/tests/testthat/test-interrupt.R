# An interrupt is sent from inside of a running call.
test_that("an interrupt stops a fit, and nothing else", {
    interrupted <- function(value) tryCatch({ value; FALSE }, interrupt = function(e) TRUE)
    told <- 0
    expect_true(interrupted(withCallingHandlers(public_fit(verbose = TRUE), message = function(m) {
        told <<- told + 1
        if (grepl("solve", conditionMessage(m))) interrupt_myself()
        invokeRestart("muffleMessage")
    })))
    expect_true(told > 0)
    expect_s3_class(public_fit(), "dpadapt")
})

test_that("an interrupt in a loss function stops the fit", {
    loss <- custom_loss(function(x, y, theta) {
        if (nrow(x) == 1) interrupt_myself()
        for (i in 1:2000) theta <- theta + 0
        list(loss = rep(1, length(y)), gradient = 0 * y %o% theta)
    }, loss_bound = 10, gradient_bound = 5, smoothness = 4)
    expect_true(tryCatch({
        private_fit(loss = loss, radius = 5, feature_radius = 3)
        FALSE
    }, interrupt = function(e) TRUE))
})

test_that("an error of a handler reaches its user", {
    expect_error(withCallingHandlers(public_fit(verbose = TRUE), message = function(m) stop("mine")), "mine")
    expect_s3_class(public_fit(), "dpadapt")
})

test_that("a fit may run inside a fit", {
    inner <- NULL
    withCallingHandlers(public_fit(verbose = TRUE), message = function(m) {
        inner <<- coef(public_fit())
        invokeRestart("muffleMessage")
    })
    expect_identical(inner, coef(public_fit()))
})

test_that("an interrupt of a sealed loss leaves the session able to speak", {
    calls <- 0
    interrupted <- function(x, y, theta) {
        calls <<- calls + 1
        if (calls == 500) interrupt_myself()
        r <- drop(x %*% theta) - y
        list(loss = r^2, gradient = 2 * r * x)
    }
    bounded <- custom_loss(interrupted, loss_bound = 100, gradient_bound = 20, smoothness = 10)
    before <- c(sink.number(), sink.number(type = "message"), nrow(showConnections()))
    result <- tryCatch(private_fit(y ~ a, loss = bounded, feature_radius = 3, preprocess = "none"), interrupt = function(e) "stopped")
    expect_identical(result, "stopped")
    expect_identical(c(sink.number(), sink.number(type = "message"), nrow(showConnections())), before)
})
