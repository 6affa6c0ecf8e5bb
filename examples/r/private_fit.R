# Visits of a clinic: many public rows of other clinics, fewer private ones of our own.
library(dpadapt)

set.seed(1) # of the data only: the noise of a private fit comes from the operating system
visits <- function(rows, shift) {
    age <- runif(rows, 20, 90)
    ward <- factor(sample(c("surgery", "medicine", "eyes"), rows, replace = TRUE))
    days <- 2 + age / 20 + c(surgery = 3, medicine = 1, eyes = 0)[as.character(ward)] + shift + rnorm(rows)
    data.frame(age, ward, days)
}
others <- visits(20000, 0)
ours <- visits(3000, 1.5)
later <- visits(3000, 1.5)

plan <- privacy_plan(days ~ ., source = others, target = ours, epsilon = 1, delta = 1e-6)
print(plan)

fit <- dpadapt(days ~ ., source = others, target = ours, epsilon = 1, delta = 1e-6)
print(fit)
writeLines(strwrap(strsplit(privacy_report(fit), "\n")[[1]], 100))

# The error on later visits, which are private too: it is released with noise, and paid for.
rows <- dpadapt_problem(days ~ ., source = others, target = later, epsilon = 1, delta = 1e-6)
without <- dpadapt_baseline(days ~ ., source = others, target = others, "source_only", private_domain = "none")
found <- evaluate(list(without, fit), rows)
print(found)
better <- subset(as.data.frame(found), name == "squared_error_difference")
cat("adaptation helped:", better$upper < 0, "\n")
stopifnot(better$upper < 0)
