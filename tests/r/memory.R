# memory.R CYCLES: problems, options and solutions are collected; after the first tenth the process
# does not grow.
library(dpadapt)
cycles <- as.integer(commandArgs(TRUE))
set.seed(1)
x <- matrix(rnorm(2000), 200)
y <- x[, 1] + rnorm(200)
errors <- 0

cycle <- function(i) {
    fit <- if (i %% 2) dpadapt(x, y, x, y, private_domain = "none", alpha = 0.5, iterations = 3)
           else dpadapt(x, y, x, y, epsilon = 1, delta = 1e-5)
    predict(fit, x)
    # Failing calls release what they have made, too.
    tryCatch(dpadapt(x, y, x, y), dpadapt_error = function(e) errors <<- errors + 1)
    # Left to the collector, the finalizers release it.
    handle <- dpadapt:::native(dpadapt:::R_swig_dpa_solution_deserialize, fit$bytes)
    dpadapt:::solution_value(handle, "dimension")
    if (i %% 100 == 0) invisible(gc())
}
resident <- function() {
    line <- grep("^VmRSS", readLines("/proc/self/status"), value = TRUE)
    as.numeric(gsub("[^0-9]", "", line)) / 1024
}

for (i in seq_len(cycles %/% 10)) cycle(i)
invisible(gc())
before <- resident()
for (i in seq_len(cycles)) cycle(i)
invisible(gc())
grown <- resident() - before
cat(cycles, "cycles, grown by", grown, "MB\n")
# A leak of one solution in each cycle would be 3 kB x 1500 = 4.5 MB.
stopifnot(errors == cycles + cycles %/% 10, grown < 3)
