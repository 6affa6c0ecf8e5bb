# Runs one call of the library on a problem: options from a list, labels for the loss, callbacks.
# @param loss  not_given: that of the schema, if there is one.
# @param call  function(problem handle, options handle), returns a handle.
# @return the handle, the coding of the labels, the history where nothing is private.
run <- function(problem, settings, loss, verbose, call) {
    of_schema <- problem$schema$settings
    is_given <- !identical(loss, not_given) || !is.null(settings$family)
    loss <- chosen_loss(if (identical(loss, not_given)) "squared" else loss, settings$family)
    settings$family <- NULL
    if (is.function(loss)) loss <- custom_loss(loss)
    if (!is_given && !is.null(of_schema$loss)) loss <- of_schema$loss
    if (identical(loss, "squared") && any(problem$schema$kind %in% c("binary", "classes")))
        refuse("the schema's labels are classes, which loss = squared does not take: make a schema for that loss")
    for (name in setdiff(names(of_schema), "loss")) if (is.null(settings[[name]])) settings[[name]] <- of_schema[[name]]
    check_loss(loss)
    if (!is.null(problem$times) && !identical(loss, "survival"))
        refuse("censored times (Surv) are for loss = \"survival\", and so for dpadapt_survival()")
    if (!is_flag(verbose)) refuse("verbose must be TRUE or FALSE")
    custom <- inherits(loss, "dpadapt_loss")
    name <- if (custom) "custom" else loss
    if (!is.null(settings$private_domain) &&
        !identical(settings$private_domain, problem$private_domain))
        refuse("private_domain belongs to the problem, and is ", problem$private_domain)
    for (price in c("epsilon", "delta", "discrepancy_share", "neighbours"))
        if (is.null(settings[[price]])) settings[[price]] <- problem$budget[[price]]
    if (!custom) settings$loss <- loss
    native_close(R_swig_dpa_options_destroy, make_options(settings)) # what is wrong with them is told before labels
    coding <- lend_samples(problem, label_kind(name, settings$perceptron_output),
                           !is.null(settings$classes) && !identical(settings$classes, "auto"))
    if (is.null(settings$classes) && coding$kind == "classes") settings$classes <- classes_of(coding)
    in_formula <- if (!is.null(problem$design)) attr(problem$design$terms, "intercept") == 1
    if (is.null(settings$intercept)) settings$intercept <- in_formula
    else if (isFALSE(in_formula) && !isFALSE(settings$intercept))
        refuse("the formula leaves out the intercept: intercept must be FALSE, or not given")
    settings$private_domain <- problem$private_domain

    options <- make_options(settings)
    on.exit(native_close(R_swig_dpa_options_destroy, options))
    history <- if (problem$private_domain == "none") list2env(list(rows = list()))
    failure <- new.env(parent = emptyenv())
    callbacks <- make_callbacks(verbose, history, if (custom) guarded_loss(loss$loss, failure, problem$private_domain != "none"))
    native(R_swig_glue_set_progress, options, callbacks)
    if (custom) set_loss(options, callbacks, loss, ncol(problem$source$x) + !isFALSE(settings$intercept))
    private_loss <- custom && problem$private_domain != "none"
    called <- function() with_callbacks(callbacks, call(problem$handle, options))
    handle <- with_failure(failure, if (private_loss) sealed(called()) else called())
    list(handle = handle, coding = coding, history = history_frame(history$rows), loss = name,
         intercept = !isFALSE(settings$intercept), predict = if (custom) loss$predict)
}

not_given <- structure(list(), class = "dpadapt_not_given")

check_loss <- function(loss) {
    if (inherits(loss, "dpadapt_loss") || is_text(loss)) return(invisible())
    refuse("loss must be a name, such as \"squared\", or a function; epsilon and others are given by name")
}

classes_of <- function(coding) if (!is.null(coding$levels)) max(2, length(coding$levels))

set_loss <- function(options, callbacks, loss, dimension) {
    parameters <- if (is.null(loss$parameters)) dimension else loss$parameters
    native(R_swig_glue_set_loss, options, callbacks, parameters, loss$loss_bound, loss$gradient_bound, loss$smoothness)
}

# The call of a method as its user has written it, without data: samples are named by their
# variables, or not at all, and what goes with their rows by the name of a column, too.
user_call <- function(call) {
    call[[1]] <- as.name(sub("\\..*", "", deparse1(call[[1]])))
    samples <- c("source", "target", "x", "y", "target_x", "target_y", "problem", "validation")
    of_rows <- c("groups", "weights", "scores", "sources")
    for (name in intersect(names(call), c(samples, of_rows))) {
        part <- call[[name]]
        if (name %in% of_rows && (is.null(part) || is.character(part) && length(part) == 1)) next
        if (is.atomic(part) || is.call(part) && !is_reference(part) && (name %in% samples || holds_values(part)))
            call[[name]] <- as.name("<sample>")
    }
    plain_call(call)
}

# Does it name rows, and hold none?
is_reference <- function(part) {
    of_rows <- c("[", "[[", "$", "::", "list", "subset", "head", "tail", "-", "!", ":", "==", "!=",
                 "<", ">", "<=", ">=", "&", "|", "(")
    length(all.vars(part)) > 0 && all(setdiff(all.names(part), c(all.vars(part), "")) %in% of_rows)
}

# Are values of rows written in it?
holds_values <- function(part) {
    if (missing(part) || is.symbol(part) || is.null(part)) return(FALSE)
    if (!is.call(part)) return(is.character(part) || length(part) > 1)
    identical(part[[1]], quote(c)) || any(vapply(as.list(part)[-1], holds_values, NA))
}

# What do.call() or a variable has put into a call becomes a mark of its class.
plain_call <- function(call) {
    attributes(call) <- NULL
    if (identical(call[[1]], quote(`function`))) return(call[1:3]) # without the text of its file
    for (i in seq_along(call)[-1]) {
        part <- call[[i]]
        if (missing(part) || is.symbol(part)) next
        if (is.call(part)) call[[i]] <- plain_call(part)
        else if (!is.atomic(part) || length(part) > 1 || !is.null(attributes(part)))
            if (!is.null(part)) call[[i]] <- as.name(paste0("<", class(part)[1], ">"))
    }
    call
}
