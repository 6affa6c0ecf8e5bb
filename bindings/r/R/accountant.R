privacy_delta <- function(epsilon, mu, laplace_epsilon = 0) {
    account(function(e, l, m) native(R_swig_dpa_privacy_delta, e, l, m), epsilon = epsilon,
            laplace_epsilon = laplace_epsilon, mu = mu)
}

privacy_epsilon <- function(delta, mu, laplace_epsilon = 0, pure_epsilon = 0, records = 1) {
    account(function(...) native(R_swig_dpa_privacy_epsilon, ...), delta = delta,
            laplace_epsilon = laplace_epsilon, mu = mu, pure_epsilon = pure_epsilon,
            records = records)
}

privacy_mu <- function(epsilon, delta, laplace_epsilon = 0) {
    account(function(e, d, l) native(R_swig_dpa_privacy_mu, e, d, l), epsilon = epsilon,
            delta = delta, laplace_epsilon = laplace_epsilon)
}

privacy_sigma <- function(epsilon, delta) {
    (1 + 2 * .Machine$double.eps) / privacy_mu(epsilon, delta) # rounded up
}

privacy_sampled_mu <- function(noise_multiplier, rate, steps, neighbours = c("zero_out", "replace"), failure = 1e-9) {
    taken_out <- as.integer(one_of(neighbours) == "zero_out")
    account(function(...) native(R_swig_dpa_privacy_sampled_mu, ...),
            noise_multiplier = noise_multiplier, rate = rate, steps = steps, taken_out = taken_out,
            failure = failure)
}

# Arguments are vectors, recycled.
account <- function(f, ...) {
    given <- list(...)
    wrong <- !vapply(given, is.numeric, NA) | !lengths(given)
    if (any(wrong)) refuse(names(given)[wrong][1], " must be numbers")
    do.call(mapply, c(function(...) f(...)[[1]], unname(given), USE.NAMES = FALSE))
}
