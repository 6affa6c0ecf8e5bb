# Times for the library: those of an event as they are, others with a minus sign.

dpadapt_survival <- function(formula, source, target, epsilon = NULL, delta = NULL, ...) {
    if ("loss" %in% ...names()) refuse("dpadapt_survival has its own loss, \"survival\"")
    if (!has_times(formula))
        refuse("the formula must begin with Surv(time, event) ~, as in survival::coxph()")
    call <- match.call()
    call[[1]] <- dpadapt
    call$loss <- "survival"
    fit <- eval(call, parent.frame())
    fit$call <- user_call(match.call())
    fit
}

has_times <- function(formula) {
    inherits(formula, "formula") && length(formula) == 3 && is.call(formula[[2]]) &&
        deparse(formula[[2]][[1]])[1] %in% c("Surv", "survival::Surv")
}

# How rows get signed times in the place of the columns of Surv(): where a sample is private, by the kinds of these
# columns in public rows, because one odd private cell changes the class of a column; and by the codes of events.
# @param samples  Source and target.
times_of <- function(formula, samples, private_domain) {
    given <- survival_response(formula)
    if (private_domain == "both") refuse("loss = \"survival\" needs a public sample, which tells the baseline's hazard")
    public <- as.data.frame(if (private_domain == "source") samples$target else samples$source)
    check_elementwise(given, names(public), environment(formula))
    used <- all.vars(formula[[2]])
    read <- intersect(used, names(public))
    times <- list(given = given, environment = environment(formula), response = formula[[2]], used = used, read = read,
                  kinds = if (private_domain != "none") Map(kind_of_time, as.list(public)[read], read),
                  name = deparse1(call("Surv", given$time, given$event))) # one for all problems of these times
    times$codes <- event_codes(given_times(times, public[read])$event)
    times
}

# Text in the place of a factor, which has no values but those of the public rows.
kind_of_time <- function(column, name)
    kind_of_column(if (is.factor(column) && !is.ordered(column)) as.character(column) else column, name)

# @param name  Of the sample, if it is public.
timed_rows <- function(times, rows, name) {
    rows <- without_integer64(as.data.frame(rows))
    absent <- setdiff(times$read, names(rows))
    if (length(absent)) refuse("a sample has no column ", absent[1])
    columns <- rows[times$read]
    if (is.null(name)) check_private_columns(columns)
    given <- if (is.null(name)) sealed(given_times(times, columns)) else given_times(times, columns)
    rows[[times$name]] <- signed_times(given$time, given$event, times$codes)
    wrong <- if (!is.null(name)) which(Reduce(`&`, lapply(columns, is_present), is.nan(rows[[times$name]])))
    if (length(wrong))
        raise(-14L, "DPA_E_LABEL", paste0("row ", wrong[1], " of the ", name, " has no time above 0, or no event that is ",
                                          times$codes[1], " or ", times$codes[2]))
    rows[setdiff(names(rows), times$used)]
}

is_present <- function(column) {
    if (is.character(column) || is.factor(column)) !(without_blanks_around(texts_of(column)) %in% c("", NA))
    else !is.na(column)
}

# Time and event of rows, of which private ones change nothing of each other.
given_times <- function(times, columns) {
    if (is.null(times$kinds))
        return(suppressWarnings(lapply(times$given, eval, as.list(columns), times$environment)))
    columns <- Map(function(column, kind) private_column(column, kind$example, kind$known)$values,
                   as.list(columns), times$kinds)
    lapply(times$given, by_record, columns, times$environment)
}

# A class has methods, such as that of dates and texts, which fail for all rows where they fail for one.
by_record <- function(expression, columns, environment) {
    if (is.symbol(expression)) return(eval(expression, columns, environment))
    whole <- if (is_elementwise(expression, plain_columns(columns), environment))
        quiet(eval(expression, columns, environment))
    if (!is.null(whole)) return(whole)
    number <- function(value) if (is.logical(value)) as.double(value) else numbers_of(value)
    vapply(seq_along(columns[[1]]), function(i) {
        one <- quiet(number(eval(expression, lapply(columns, `[`, i), environment)))
        if (length(one) == 1) one else NA_real_
    }, 0)
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
check_elementwise <- function(given, columns, environment) {
    known <- structure(columns, alone = columns, columns = columns)
    for (expression in given) if (!is.symbol(expression) && !is_elementwise(expression, known, environment))
        refuse("in Surv() each record must be computed by itself: columns, arithmetic and comparisons")
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

# Types are those of predict.coxph(), with those of predict.dpadapt(); times are in the units of the fit's.
predict.dpadapt_survival <- function(object, newdata, type = c("lp", "risk", "survival", "link", "response"),
                                     times = NULL, conf.level = NULL, ..., levels = c("known", "other")) {
    type <- one_of(type)
    levels <- one_of(levels)
    nothing_else("predict", ...)
    if (type != "survival") {
        if (!is.null(times) || !is.null(conf.level)) refuse("times and conf.level are for type = \"survival\"")
        return(predict.dpadapt(object, newdata, switch(type, lp = "link", risk = "response", type), levels = levels))
    }
    if (!is.numeric(times) || !length(times)) refuse("type = \"survival\" needs times, numbers in the units of the fit's")
    if (!is.null(conf.level)) check_level(conf.level, "conf.level")
    if (missing(newdata)) refuse("newdata is needed: a fit keeps no data")
    x <- new_rows(object, newdata, levels == "other")
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
