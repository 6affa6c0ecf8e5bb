# same_bits.R FOLDER CASES: writes both samples for the command with all digits, and prints the coefficients of each case, one a
# line, as hexadecimal numbers. A case is a label and options: label key=value ...
library(dpadapt)
arguments <- commandArgs(TRUE)
wind <- read.csv(system.file("extdata", "wind.csv.gz", package = "dpadapt"))
wind$two <- ifelse(wind$MAL > 15, 1, -1)
samples <- split(wind[5:17], wind$domain)
for (name in names(samples)) {
    text <- vapply(samples[[name]], sprintf, character(nrow(samples[[name]])), fmt = "%.17g")
    write.csv(text, file.path(arguments[1], paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
}

for (case in arguments[-1]) {
    words <- strsplit(case, " ")[[1]]
    options <- strsplit(words[-1], "=")
    values <- lapply(options, function(option) utils::type.convert(option[2], as.is = TRUE))
    x <- lapply(samples, function(sample) as.matrix(sample[1:11]))
    fit <- do.call(dpadapt, c(list(x$source, samples$source[[words[1]]], x$target, samples$target[[words[1]]]),
                              stats::setNames(values, vapply(options, `[`, "", 1))))
    cat(sprintf("%a", coef(fit)), "\n")
}
