# Any model, adapted privately: teachers on disjoint shards, and their answers with noise.

# The teacher of each of the private rows, counted from 1; a person, by groups, has one.
vote_shards <- function(rows, teachers, groups = NULL) {
    check_count(rows, "rows")
    if (is.null(groups)) return(native(R_swig_dpa_votes_shard, integer(), teachers, rows) + 1)
    groups <- without_list(groups, "groups")
    if (!is.atomic(groups) || length(groups) != rows)
        raise(-2L, "DPA_E_DIMENSION", "groups must have a value for each of the rows")
    native(R_swig_dpa_votes_shard, own_ids(groups), teachers, rows) + 1
}

# A number for each person that follows from the id alone, whoever else there is.
own_ids <- function(groups) {
    hash <- function(codes) {
        found <- 7
        for (code in codes) found <- (found * 257 + code) %% 2147483647
        as.integer(found)
    }
    words <- person_words(groups)
    vapply(words, function(word) hash(if (is.na(word)) 0 else as.integer(charToRaw(word))), 0L, USE.NAMES = FALSE)
}

# Mean answers to each query; or, with classes, counts: a row for each query and a column for each class.
release_votes <- function(answers, classes = NULL, low = NULL, high = NULL, epsilon = NULL, delta = NULL,
                          private_domain = "target", ledger = NULL, ...) {
    if (is.null(classes) == (is.null(low) || is.null(high))) refuse("release_votes needs either classes, or low and high")
    if (!is.matrix(answers) || !is.numeric(answers))
        refuse("answers must be a matrix of numbers: a row for each teacher and a column for each query")
    answers[] <- as.double(answers)
    if (!is.null(classes)) check_count(classes, "classes")
    options <- make_options(list(epsilon = epsilon, delta = delta, private_domain = private_domain, ...))
    on.exit(native_close(R_swig_dpa_options_destroy, options))
    classless <- !is.null(classes) && !all(answers %in% (seq_len(classes) - 1))
    if (classless && identical(private_domain, "none"))
        refuse("answers must be numbers of classes, from 0 to ", classes - 1)
    check_read(list(...), "votes", private_domain)
    problem <- native(R_swig_dpa_problem_create)
    on.exit(native_close(R_swig_dpa_problem_destroy, problem), add = TRUE)
    if (!is.null(ledger)) {
        check_is_ledger(ledger)
        native(R_swig_dpa_problem_use_ledger, problem, ledger$handle)
    }
    queries <- ncol(answers)
    found <- if (is.null(classes)) native(R_swig_dpa_votes_mean, problem, answers, low, high, options, queries)
             else native(R_swig_dpa_votes_count, problem, answers, classes, options, queries * classes)
    list(values = if (is.null(classes)) as.vector(found) else matrix(found, queries, byrow = TRUE),
         deviation = attr(found, "deviation"),
         privacy = native_filled(R_swig_dpa_problem_privacy_report, problem, 1))
}
