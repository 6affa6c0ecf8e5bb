weights.dpadapt <- function(object, domain = c("both", "source", "target"), ...) {
    domain <- match.arg(domain)
    with_solution(object, function(handle) {
        source <- function() native(R_swig_dpa_solution_source_weights, handle, object$rows[["source"]])
        target <- function() native(R_swig_dpa_solution_target_weights, handle, object$rows[["target"]])
        switch(domain, source = source(), target = target(),
               both = list(source = released_or_null(source()), target = released_or_null(target())))
    })
}

released_or_null <- function(value) {
    tryCatch(value, dpadapt_error_not_releasable = function(e) NULL)
}
