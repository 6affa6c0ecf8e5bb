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
published <- visits(300, 1.5)

plan <- privacy_plan(days ~ ., source = others, target = ours, epsilon = 1, delta = 1e-6)
print(plan)

fit <- dpadapt(days ~ ., source = others, target = ours, epsilon = 1, delta = 1e-6)
print(fit)
writeLines(strwrap(strsplit(privacy_report(fit), "\n")[[1]], 100))

# An error that may be shown: of rows that are public and in no fit.
error <- function(fit) mean((predict(fit, published) - published$days)^2)
without <- lm(days ~ ., others)
cat("mean squared error on published rows:", round(error(fit), 2),
    "; of the other clinics alone:", round(error(without), 2), "\n")
stopifnot(error(fit) < 1.5, error(without) > 2)
