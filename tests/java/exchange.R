# exchange.R JAVA...: a solution of R predicts the same in Java, and one of Java the same in R, up
# to the rounding of a sum in another order, because R keeps matrices by columns and Java by rows.
# JAVA... is the command that runs Exchange.java.
library(dpadapt)
command <- commandArgs(TRUE)
wind <- read.csv(system.file("extdata", "wind.csv.gz", package = "dpadapt"))
samples <- split(wind[5:16], wind$domain)
x <- lapply(samples, function(sample) as.matrix(sample[1:11]))
fit <- dpadapt(x$source, samples$source$MAL, x$target, samples$target$MAL, private_domain = "none")

files <- file.path(tempdir(), c("model_of_r", "rows", "predicted_model_of_r", "model_of_java", "predicted_model_of_java"))
writeBin(fit$bytes, files[1])
writeBin(as.vector(t(x$target)), files[2])
stopifnot(system2(command[1], c(command[-1], files)) == 0)

same <- function(fit, file) {
    ours <- predict(fit, x$target)
    theirs <- readBin(file, "double", length(ours))
    w <- coef(fit)
    sizes <- cbind(1, abs(x$target)) %*% abs(w) # a sum of k products is off by k + 1 roundings of them at most
    stopifnot(abs(ours - theirs) <= 2 * (length(w) + 1) * .Machine$double.eps * sizes)
}
same(fit, files[3])

of_java <- fit
of_java$bytes <- readBin(files[4], "raw", file.size(files[4]))
stopifnot(!identical(of_java$bytes, fit$bytes))
same(of_java, files[5])
cat("the same predictions\n")
