weights.dpadapt <- function(object, domain = c("both", "source", "target"), ...) {
    nothing_else("weights", ...)
    domain <- one_of(domain)
    with_solution(object, function(handle) {
        of <- function(side) solution_array(handle, paste0(side, "_weights"), object$rows[[side]])
        if (domain != "both") return(of(domain))
        list(source = released_or_null(of("source")), target = released_or_null(of("target")))
    })
}

released_or_null <- function(value) {
    tryCatch(value, dpadapt_error_not_releasable = function(e) NULL)
}
