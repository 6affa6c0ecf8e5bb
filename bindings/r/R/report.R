privacy_report <- function(x, format = c("text", "json"), ...) UseMethod("privacy_report")

privacy_report.dpadapt <- function(x, format = c("text", "json"), ...) {
    both <- with_solution(x, function(handle) read_report(R_swig_dpa_solution_privacy_report, handle))
    as_report(both, format, ...)
}

privacy_report.dpadapt_problem <- function(x, format = c("text", "json"), ...) {
    as_report(read_report(R_swig_dpa_problem_privacy_report, x$handle), format, ...)
}

privacy_report.dpadapt_ledger <- function(x, format = c("text", "json"), ...) {
    as_report(read_report(R_swig_dpa_ledger_report, x$handle), format, ...)
}

privacy_report.dpadapt_plan <- function(x, format = c("text", "json"), ...) as_report(x$text, format, ...)

read_report <- function(wrapper, handle) {
    c(json = native_filled(wrapper, handle, 0), text = native_filled(wrapper, handle, 1))
}

as_report <- function(both, format, ...) {
    nothing_else("privacy_report", ...)
    if (identical(format, "html"))
        refuse("the page is the command's, from the model file of a schema: write_model(fit, file), then dpadapt report --model ",
               "file --report report.html")
    structure(both[[match.arg(format, c("text", "json"))]], class = "dpadapt_report")
}

print.dpadapt_report <- function(x, ...) {
    cat(x, "\n", sep = "")
    invisible(x)
}
