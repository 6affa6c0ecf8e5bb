# raw_tables.R SOURCE TARGET LABEL LOSS MODEL: from raw CSV to a private report in three lines.
library(dpadapt)
given <- commandArgs(TRUE)
source <- read.csv(given[1])
fit <- dpadapt(dpadapt_schema(source, given[3], given[4]), source, read.csv(given[2]), epsilon = 1, delta = 1e-6)
privacy_report(fit)
write_model(fit, given[5])
