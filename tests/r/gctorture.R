# gctorture.R STEP: results are the same where R collects its memory at every STEP-th allocation: the
# wrappers protect all that they hold. What was freed too early is overwritten, so it would be found.
library(dpadapt)
step <- as.integer(commandArgs(TRUE))
set.seed(1)
draw <- function(rows) {
    d <- data.frame(a = rnorm(rows), g = factor(sample(c("p", "q"), rows, TRUE)))
    d$y <- d$a + rnorm(rows)
    d
}
source_rows <- draw(60)
target_rows <- draw(30)
x <- as.matrix(source_rows["a"])
square <- custom_loss(function(x, y, theta) {
    residual <- drop(x %*% theta) - y
    list(loss = residual^2, gradient = 2 * residual * x)
})

cases <- list(
    formula = function() coef(dpadapt(y ~ a + g, source_rows, target_rows, private_domain = "none")),
    private = function() coef(dpadapt(y ~ a + g, source_rows, target_rows, epsilon = 1, delta = 1e-5,
                                      unsafe_seed = 7)),
    loss = function() coef(dpadapt(x, source_rows$y, x, source_rows$y, private_domain = "none",
                                   loss = square, alpha = 0.5, radius = 3, iterations = 3)),
    progress = function() {
        lines <- character(0)
        withCallingHandlers(
            dpadapt(x, source_rows$y, x, source_rows$y, private_domain = "none", alpha = 0.5, verbose = TRUE),
            message = function(m) {
                lines <<- c(lines, conditionMessage(m))
                invokeRestart("muffleMessage")
            })
        lines
    },
    saved = function() {
        fit <- dpadapt(y ~ a + g, source_rows, target_rows, private_domain = "none")
        predict(unserialize(serialize(fit, NULL)), target_rows)
    },
    evaluated = function() {
        fit <- dpadapt(y ~ a + g, source_rows, target_rows, private_domain = "none")
        evaluate(fit, dpadapt_problem(y ~ a + g, source_rows, target_rows, private_domain = "none"))$estimate
    },
    refused = function() tryCatch(dpadapt(x, 1, x, source_rows$y), dpadapt_error = conditionMessage))

calm <- lapply(cases, function(case) case())
for (name in names(cases)) {
    gctorture2(step, inhibit_release = TRUE)
    tortured <- cases[[name]]()
    gctorture2(0)
    if (!identical(tortured, calm[[name]])) stop(name, " differs where memory is collected often")
    cat(name, "is the same\n")
}
