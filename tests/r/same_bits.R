# same_bits.R PROGRAM: the package computes the bits that a C program computes from the same
# matrices: the same core, compiled twice, and the same BLAS.
library(dpadapt)
program <- commandArgs(TRUE)
wind <- read.csv(system.file("extdata", "wind.csv.gz", package = "dpadapt"))
wind$two <- ifelse(wind$MAL > 15, 1, -1)

by_package <- function(label, options) {
    x <- lapply(samples, function(sample) as.matrix(sample[1:11]))
    coef(do.call(dpadapt, c(list(x$source, samples$source[[label]], x$target, samples$target[[label]]), options)))
}

by_program <- function(label, options) {
    file <- tempfile()
    on.exit(unlink(file))
    numbers <- lapply(samples, function(sample) c(as.matrix(sample[1:11]), sample[[label]]))
    writeBin(c(nrow(samples$source), nrow(samples$target), 11, numbers$source, numbers$target), file)
    as.numeric(system2(program, c(file, paste0(names(options), "=", unlist(options))), stdout = TRUE))
}

samples <- split(wind[5:17], wind$domain)
for (case in list(list("MAL", private_domain = "none"),
                  list("MAL", private_domain = "none", kappa_2 = 0.5, preprocess = "whiten"),
                  list("MAL", private_domain = "none", loss = "huber"),
                  list("two", private_domain = "none", loss = "logistic"),
                  list("MAL", epsilon = 1, delta = 1e-5, unsafe_seed = 7),
                  list("MAL", epsilon = 4, delta = 1e-5, unsafe_seed = 7, alpha = 0.5),
                  list("two", epsilon = 4, delta = 1e-5, unsafe_seed = 7, loss = "logistic"))) {
    ours <- unname(by_package(case[[1]], case[-1]))
    theirs <- by_program(case[[1]], case[-1])
    if (!identical(ours, theirs)) {
        print(cbind(ours, theirs, difference = ours - theirs), digits = 17)
        stop("other bits")
    }
}
cat("the same bits\n")
