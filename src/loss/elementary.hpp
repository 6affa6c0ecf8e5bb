#pragma once

#include <cstddef>

namespace dpadapt::loss {

/** Elementary functions of n numbers, vectorised. Each result is a function of its argument alone,
 *  with the same bits at every position and in every instruction set, and off by less than 1 unit
 *  in the last place (exp, log1p), 2 (log1p_exp) or 2.5 (logistic, tanh). Infinities have their
 *  limits, NaN gives NaN, nothing overflows on the way. In place if out is x. */
void exp(std::size_t n, const double *x, double *out);

/** log(1 + x) for finite x >= 0. */
void log1p(std::size_t n, const double *x, double *out);

/** log(1 + e^x). */
void log1p_exp(std::size_t n, const double *x, double *out);

/** 1 / (1 + e^-x), the derivative of log1p_exp. */
void logistic(std::size_t n, const double *x, double *out);

/** Both at about the cost of one; value or slope may be x. */
void log1p_exp_and_logistic(std::size_t n, const double *x, double *value, double *slope);

void tanh(std::size_t n, const double *x, double *out);

}  // namespace dpadapt::loss
