# run_tests.R FOLDER: the package's tests, with the installed package.
library(testthat)
library(dpadapt)
test_dir(commandArgs(TRUE), package = "dpadapt", load_package = "installed", reporter = "check")
