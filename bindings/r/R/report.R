privacy_report <- function(x, format = c("text", "json", "html"), ...) UseMethod("privacy_report")

privacy_report.dpadapt <- function(x, format = c("text", "json", "html"), ...) {
    format <- one_of(format)
    report <- function(handle) as_report(R_swig_dpa_solution_privacy_report, handle, format, ...)
    known <- model_schema(x)
    if (format != "html" || is.null(known) || x$loss == "custom") return(with_solution(x, report))
    # The page has the names of columns and labels that a model file has.
    text <- with_solution(x, function(solution) with_schema(known, function(schema) native_filled(R_swig_dpa_schema_model, schema, solution, 0L)))
    model <- native(R_swig_dpa_solution_deserialize, charToRaw(text))
    on.exit(native_close(R_swig_dpa_solution_destroy, model))
    report(model)
}

privacy_report.dpadapt_problem <- function(x, format = c("text", "json", "html"), ...) {
    format <- one_of(format)
    as_report(R_swig_dpa_problem_privacy_report, x$handle, format, ...)
}

privacy_report.dpadapt_ledger <- function(x, format = c("text", "json"), ...) {
    format <- one_of(format)
    as_report(R_swig_dpa_ledger_report, x$handle, format, ...)
}

privacy_report.dpadapt_plan <- function(x, format = c("text", "json"), ...) {
    nothing_else("privacy_report", ...)
    structure(x$text[[one_of(format)]], class = "dpadapt_report")
}

read_report <- function(wrapper, handle) {
    c(json = native_filled(wrapper, handle, 0), text = native_filled(wrapper, handle, 1))
}

as_report <- function(wrapper, handle, format, ...) {
    nothing_else("privacy_report", ...)
    structure(native_filled(wrapper, handle, c(json = 0, text = 1, html = 3)[[format]]), class = "dpadapt_report")
}

print.dpadapt_report <- function(x, ...) {
    cat(x, "\n", sep = "")
    invisible(x)
}
