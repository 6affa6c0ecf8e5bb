# Two small samples: numbers, a factor, labels of each kind. The target is shifted by 1.
sample_of <- function(rows, shift, seed) {
    set.seed(seed)
    data <- data.frame(a = rnorm(rows), b = rnorm(rows), g = sample(c("u", "v", "w"), rows, TRUE))
    data$y <- 2 * data$a + data$b + (data$g == "v") + shift + rnorm(rows) / 10
    data$two <- factor(ifelse(data$a + data$b > 0, "yes", "no"))
    data$three <- factor(c("p", "q", "r")[1 + (data$a > 0) + (data$b > 0)])
    data
}
source_data <- sample_of(200, 0, 1)
target_data <- sample_of(120, 1, 2)

public_fit <- function(formula = y ~ a + b, ..., form = NULL) {
    dpadapt(formula, source_data, target_data, private_domain = "none", form = form, ...)
}
private_fit <- function(formula = y ~ a + b, target = target_data, ...) {
    dpadapt(formula, source_data, target, epsilon = 1, delta = 1e-4, ...)
}

# Told once a session, in a test of its own.
assign("told", TRUE, dpadapt:::session)

new_options <- function(...) dpadapt:::make_options(list(...))
native <- dpadapt:::native
interrupt_myself <- function() tools::pskill(Sys.getpid(), tools::SIGINT)

# Where long doubles are no longer than doubles, as under valgrind, R reads its own digits but for the last one.
expect_same_numbers <- function(object, expected) {
    reads_exactly <- identical(as.numeric(sprintf("%.17g", 1 / 3)), 1 / 3)
    if (reads_exactly) expect_identical(object, expected) else expect_equal(object, expected, tolerance = 1e-14)
}
