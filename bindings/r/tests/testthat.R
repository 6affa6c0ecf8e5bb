library(testthat)
library(dpadapt)

test_check("dpadapt")
