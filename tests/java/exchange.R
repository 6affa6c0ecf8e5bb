# exchange.R JAVA...: a solution of R predicts the same in Java, and one of Java the same in R, bit for bit. JAVA... is the command
# that runs Exchange.java.
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
numbers <- function(file) readBin(file, "double", nrow(x$target))
stopifnot(identical(numbers(files[3]), predict(fit, x$target)))

of_java <- fit
of_java$bytes <- readBin(files[4], "raw", file.size(files[4]))
stopifnot(!identical(of_java$bytes, fit$bytes))
stopifnot(identical(numbers(files[5]), predict(of_java, x$target)))
cat("the same bits\n")
