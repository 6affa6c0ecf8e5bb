inspect_private <- function(problem, loss = "squared", ...) {
    if (!inherits(problem, "dpadapt_problem")) refuse("inspect_private needs a dpadapt_problem")
    run(problem, list(...), loss, FALSE,
        function(problem, options) native(R_swig_dpa_inspect_private, problem, options))$handle
}
