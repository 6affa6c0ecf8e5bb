privacy_delta <- function(epsilon, mu, laplace_epsilon = 0) {
    account(function(e, l, m) native(R_swig_dpa_privacy_delta, e, l, m), epsilon, laplace_epsilon, mu)
}

privacy_epsilon <- function(delta, mu, laplace_epsilon = 0, pure_epsilon = 0, records = 1) {
    account(function(...) native(R_swig_dpa_privacy_epsilon, ...), delta, laplace_epsilon, mu, pure_epsilon,
            records)
}

privacy_mu <- function(epsilon, delta, laplace_epsilon = 0) {
    account(function(e, d, l) native(R_swig_dpa_privacy_mu, e, d, l), epsilon, delta, laplace_epsilon)
}

privacy_sigma <- function(epsilon, delta) {
    (1 + 2 * .Machine$double.eps) / privacy_mu(epsilon, delta) # rounded up
}

privacy_sampled_mu <- function(noise_multiplier, rate, steps, neighbours = c("zero_out", "replace"), failure = 1e-9) {
    taken_out <- as.integer(match.arg(neighbours) == "zero_out")
    account(function(...) native(R_swig_dpa_privacy_sampled_mu, ...), noise_multiplier, rate, steps, taken_out, failure)
}

# Arguments are vectors, recycled.
account <- function(f, ...) {
    if (!all(lengths(list(...)))) refuse("epsilon, delta and mu must be numbers")
    mapply(function(...) f(...)[[1]], ..., USE.NAMES = FALSE)
}
