# Times for the library: those of an event as they are, others with a minus sign.

dpadapt_survival <- function(formula, source, target, epsilon = NULL, delta = NULL, ...) {
    if ("loss" %in% ...names()) refuse("dpadapt_survival has its own loss, \"survival\"")
    if (!has_times(formula))
        refuse("the formula must begin with Surv(time, event) ~, as in survival::coxph()")
    call <- match.call()
    call[[1]] <- dpadapt
    call$loss <- "survival"
    fit <- eval(call, parent.frame())
    fit$response <- formula[[2]]
    fit$call <- user_call(match.call())
    fit
}

has_times <- function(formula) {
    inherits(formula, "formula") && length(formula) == 3 && is.call(formula[[2]]) &&
        deparse(formula[[2]][[1]])[1] %in% c("Surv", "survival::Surv")
}

# How rows get signed times in the place of the columns of Surv(): by the kinds of these columns in
# public rows, because one odd private cell changes the class of a column, and by the codes of events.
# @param samples  Source and target.
times_of <- function(formula, samples, private_domain) {
    given <- survival_response(formula)
    scope <- environment(formula)
    if (private_domain == "both") refuse("loss = \"survival\" needs a public sample, which tells the baseline's hazard")
    public <- if (private_domain == "source") samples$target else samples$source
    used <- all.vars(formula[[2]])
    read <- as.list(public)[intersect(used, names(public))]
    list(given = given, environment = scope, used = used,
         kinds = Map(kind_of_column, read, names(read)),
         codes = event_codes(evaluated(given$event, public, scope)),
         name = deparse1(call("Surv", given$time, given$event))) # one for all problems of these times
}

# @param name  Of the sample, if it is public.
timed_rows <- function(times, rows, name) {
    rows <- without_integer64(as.data.frame(rows))
    absent <- setdiff(names(times$kinds), names(rows))
    if (length(absent)) refuse("a sample has no column ", absent[1])
    for (column in names(times$kinds)) {
        kind <- times$kinds[[column]]
        rows[[column]] <- private_column(rows[[column]], kind$example, kind$known)$values
    }
    value <- function(part) evaluated(times$given[[part]], rows, times$environment)
    time <- value("time")
    event <- value("event")
    rows[[times$name]] <- signed_times(time, event, times$codes)
    wrong <- if (!is.null(name)) which(is.nan(rows[[times$name]]) & !is.na(time) & !is.na(event))
    if (length(wrong))
        raise(-14L, "DPA_E_LABEL", paste0("row ", wrong[1], " of the ", name, " has no time above 0, or no event that is ",
                                          times$codes[1], " or ", times$codes[2]))
    rows[setdiff(names(rows), times$used)]
}

# The two arguments of Surv(time, event), of which no value is looked at.
survival_response <- function(formula) {
    of_coxph <- intersect(all.names(formula[[3]]), c("strata", "cluster", "tt", "frailty", "pspline", "ridge"))
    if (length(of_coxph)) refuse(of_coxph[1], "() is not offered: all rows have one baseline, and each column one coefficient")
    given <- as.list(match.call(function(time, time2, event, type, origin) NULL, formula[[2]]))[-1]
    if (is.null(given$event) && !is.null(given$time2)) {
        given$event <- given$time2
        given$time2 <- NULL
    }
    if (!identical(sort(names(given)), c("event", "time")))
        refuse("only right-censored times are offered: Surv(time, event) without start, stop or type")
    given
}

# Each record by itself, like arithmetic and comparisons of columns.
evaluated <- function(expression, rows, environment) {
    names <- as.list(stats::setNames(nm = names(rows)))
    design <- structure(names(rows), alone = names(rows), columns = names(rows))
    if (!is.symbol(expression) && !is_elementwise(expression, design, environment))
        refuse("in Surv() each record must be computed by itself: columns, arithmetic and comparisons")
    suppressWarnings(eval(expression, as.list(rows), environment))
}

# What stands for no event and for one, by the public rows: as Surv() takes them.
event_codes <- function(public) {
    if (is.logical(public)) return(c(FALSE, TRUE))
    values <- sort(unique(numbers_of(public)))
    values <- values[is.finite(values)]
    for (codes in list(c(0, 1), c(1, 2))) if (length(values) && all(values %in% codes)) return(codes)
    refuse("the event must be 0 and 1, 1 and 2, or FALSE and TRUE in the public rows")
}

# NaN where there is no time above 0, or no code.
signed_times <- function(time, event, codes) {
    time <- as.double(numbers_of(time))
    sign <- c(-1, 1)[match(as.double(numbers_of(event)), as.double(codes))]
    ifelse(is.finite(time) & time > 0 & !is.na(sign), sign * time, NaN)
}

# Types are those of predict.coxph(); times are in the units of the fit's.
predict.dpadapt_survival <- function(object, newdata, type = c("lp", "risk", "survival"), times = NULL, conf.level = NULL, ...) {
    type <- one_of(type)
    nothing_else("predict", ...)
    if (type != "survival") {
        if (!is.null(times) || !is.null(conf.level)) refuse("times and conf.level are for type = \"survival\"")
        return(predict.dpadapt(object, newdata, if (type == "lp") "link" else "response"))
    }
    if (!is.numeric(times) || !length(times)) refuse("type = \"survival\" needs times, numbers in the units of the fit's")
    if (!is.null(conf.level)) check_level(conf.level, "conf.level")
    if (missing(newdata)) refuse("newdata is needed: a fit keeps no data")
    x <- new_rows(object, newdata)
    names <- list(rownames(x), times)
    with_solution(object, function(handle) {
        curves <- function(confidence, count)
            array(native(R_swig_dpa_solution_survival, handle, confidence, x, as.double(times), nrow(x) * length(times) * count),
                  c(nrow(x), length(times), count))
        fit <- matrix(curves(0, 1), nrow(x), dimnames = names)
        if (is.null(conf.level)) return(fit)
        ends <- curves(conf.level, 2)
        list(fit = fit, lower = matrix(ends[, , 1], nrow(x), dimnames = names),
             upper = matrix(ends[, , 2], nrow(x), dimnames = names))
    })
}
