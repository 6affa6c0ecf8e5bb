#include <dpadapt/privacy.h>

#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "privacy/accountant.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;

dpa_status dpa_privacy_delta(double epsilon, double laplace_epsilon, double mu, double *delta) {
    return guard("dpa_privacy_delta", [&] {
        required(delta, "delta") = privacy::delta(epsilon, {laplace_epsilon, mu});
    });
}

dpa_status dpa_privacy_epsilon(double delta, double laplace_epsilon, double mu, double *epsilon) {
    return guard("dpa_privacy_epsilon", [&] {
        required(epsilon, "epsilon") = privacy::epsilon(delta, {laplace_epsilon, mu});
    });
}

dpa_status dpa_privacy_mu(double epsilon, double delta, double laplace_epsilon, double *mu) {
    return guard("dpa_privacy_mu",
                 [&] { required(mu, "mu") = privacy::mu(epsilon, delta, {laplace_epsilon}); });
}

dpa_status dpa_privacy_sigma(double epsilon, double delta, double *sigma) {
    return guard("dpa_privacy_sigma",
                 [&] { required(sigma, "sigma") = privacy::sigma(epsilon, delta); });
}
