#include "fault.h"

typedef dpa_status (*call)(const double *a, double *out);

/* Out of every range. */
static const double kBad[] = {NAN, INFINITY, -INFINITY, -1e9};

/* epsilon, delta, laplace_epsilon, mu of a good call. */
static const double kGood[] = {1, 1e-5, 0.25, 0.2};

/* Every argument bad at once, then no place for the result: nothing is stored. */
static void misuse(fixture *f, call function) {
    double value = 7;
    (void)f;
    for (size_t i = 0; i < LENGTH(kBad); ++i) {
        const double bad[] = {kBad[i], kBad[i], kBad[i], kBad[i]};
        assert_status(function(bad, &value), DPA_E_INVALID_ARGUMENT);
    }
    assert_status(function(kGood, NULL), DPA_E_INVALID_ARGUMENT);
    assert_true(value == 7);
}

static dpa_status use(fixture *f, outcome *out, call function) {
    double value = 7;
    dpa_status status;
    INJECT(f, status = function(kGood, &value));
    if (status)
        assert_true(value == 7);
    else
        RECORD(out, value);
    return status;
}

/* The functions differ in name and in the arguments before the result. */
#define PRIVACY(name, ...)                                            \
    static dpa_status call_##name(const double *a, double *out) {     \
        return dpa_privacy_##name(__VA_ARGS__, out);                  \
    }                                                                 \
    static void misuse_##name(fixture *f) { misuse(f, call_##name); } \
    static dpa_status use_##name(fixture *f, outcome *out) { return use(f, out, call_##name); }

PRIVACY(delta, a[0], a[2], a[3])
PRIVACY(epsilon, a[1], a[2], a[3])
PRIVACY(mu, a[0], a[1], a[2])
PRIVACY(sigma, a[0], a[1])

static row rows[] = {{"dpa_privacy_delta", misuse_delta, use_delta},
                     {"dpa_privacy_epsilon", misuse_epsilon, use_epsilon},
                     {"dpa_privacy_mu", misuse_mu, use_mu},
                     {"dpa_privacy_sigma", misuse_sigma, use_sigma},
                     {NULL, NULL, NULL}};

row *const privacy_rows = rows;
