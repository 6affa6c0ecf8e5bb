custom_loss <- function(loss, parameters = NULL, loss_bound = Inf, gradient_bound = Inf, smoothness = Inf,
                        predict = NULL) {
    if (!is.function(loss)) refuse("a loss must be a function (x, y, theta)")
    if (!is.null(parameters)) check_count(parameters, "parameters")
    bounds <- list(loss_bound = loss_bound, gradient_bound = gradient_bound,
                   smoothness = smoothness)
    wrong <- !vapply(bounds, function(bound) is_number(bound) && bound > 0, NA)
    if (any(wrong)) refuse(names(bounds)[wrong][1], " must be a number above 0, or Inf")
    if (!is.null(predict) && !is.function(predict)) refuse("predict must be a function (x, theta)")
    if (!is.null(predict)) predict <- kept_function(predict, new_copies(Inf))
    structure(c(list(loss = loss, parameters = parameters, predict = predict), bounds),
              class = "dpadapt_loss")
}

# The function as the library calls it. What it does wrong on a record must not be seen, because
# that record may be private: the failure is kept, and told only if the library says that it was on
# public ones.
guarded_loss <- function(loss, failure, private) {
    evaluate <- function(x, y, theta) {
        result <- loss(x, y, theta)
        if (length(result$loss) != length(y) || length(result$gradient) != length(y) * length(theta))
            stop("it must return list(loss, gradient): a number and a row of length(theta) for each row of x")
        list(as.double(result$loss), as.double(result$gradient))
    }
    failed <- function(e) {
        failure$message <- conditionMessage(e)
        NULL
    }
    if (private) function(x, y, theta) quiet(evaluate(x, y, theta), failed)
    else function(x, y, theta) tryCatch(evaluate(x, y, theta), error = failed)
}

with_failure <- function(failure, value) {
    tryCatch(value, dpadapt_error_callback = function(e) {
        if (!is.null(failure$message)) e$message <- paste0(e$message, ": ", failure$message)
        stop(e)
    })
}

# The loss that a caller of glm() means.
# @param family  A family of glm(), its function or its name, or NULL; a loss may be one, as in glm(y ~ x, binomial).
chosen_loss <- function(loss, family = NULL) {
    if (inherits(loss, "family") || is.function(loss) && "link" %in% names(formals(loss))) {
        if (!is.null(family)) refuse("the loss is a family, and family = is given too: give one of both")
        family <- loss
        loss <- "squared"
    }
    if (is.null(family)) {
        if (is.character(loss) && any(loss %in% c("gaussian", "binomial", "Gamma", "cox"))) refuse_family(loss)
        return(loss)
    }
    if (is.function(family) && "link" %in% names(formals(family))) family <- family()
    if (identical(family, "Gamma")) family <- stats::Gamma()
    known <- c(gaussian = "squared", binomial = "logistic", poisson = "poisson", Gamma = "gamma")
    links <- c(gaussian = "identity", binomial = "logit", poisson = "log", Gamma = "log")
    name <- if (inherits(family, "family")) family$family else family
    if (!is.character(name) || length(name) != 1 || !(name %in% names(known))) refuse_family(name)
    if (inherits(family, "family") && family$link != links[[name]])
        refuse("the link of ", name, " is ", links[[name]], " here, and no other: ", name, "(link = \"", links[[name]], "\")")
    if (!identical(loss, "squared") && !identical(loss, known[[name]]))
        refuse("family = ", name, " is loss = \"", known[[name]], "\": give one of both")
    known[[name]]
}

refuse_family <- function(name) {
    if (identical(name, "gaussian") || identical(name, "binomial"))
        raise(-4L, "DPA_E_OPTION", paste0("a family is no loss: give family = \"", name, "\", or loss = \"",
                                          if (name == "binomial") "logistic" else "squared", "\""))
    raise(-4L, "DPA_E_OPTION", paste0(
        if (is.character(name)) name[1] else "this", " is no family here: there are gaussian (loss = \"squared\"), binomial ",
        "(\"logistic\"), poisson and Gamma(link = \"log\") (\"gamma\"), and the losses \"huber\", \"pinball\" and \"softmax\"; ",
        "dpadapt_survival() fits times as coxph() does; for others ?custom_loss"))
}
