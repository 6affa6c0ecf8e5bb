# careless.R FOLDER: the cases of cases.tsv by a schema; a line for each case and sentence.
library(dpadapt)
folder <- commandArgs(TRUE)
cases <- read.delim(file.path(folder, "cases.tsv"), header = FALSE, quote = "")
names(cases) <- c("name", "source", "target", "label", "weight", "options")
read <- function(file) read.csv(file.path(folder, file), na.strings = "")

for (i in seq_len(nrow(cases))) {
    case <- cases[i, ]
    pairs <- strsplit(strsplit(case$options, " ")[[1]], "=")
    options <- setNames(lapply(pairs, `[`, 2), vapply(pairs, `[`, "", 1))
    told <- tryCatch({
        source <- read(case$source)
        target <- read(case$target)
        if (case$weight != "-") options$weights <- list(source = source[[case$weight]], target = target[[case$weight]])
        loss <- if (is.null(options$loss)) "squared" else options$loss
        schema <- dpadapt_schema(source, case$label, loss, ignore = if (case$weight != "-") case$weight)
        options$loss <- loss
        strsplit(do.call(dpadapt, c(list(schema, source, target), options))$findings, "\n")[[1]]
    }, error = conditionMessage)
    cat(paste(case$name, told, sep = "\t"), sep = "\n")
}
