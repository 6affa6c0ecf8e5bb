#include <dpadapt/options.h>

#include <string>

#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace dpadapt;
using namespace dpadapt::capi;
using namespace dpadapt::engine;

namespace {

constexpr std::size_t kMostParameters = std::size_t{1} << 24;

void check_bound(double bound, const char *name) {
    if (bound > 0.0) return;
    throw Error(DPA_E_OPTION, std::string(name) + " must be positive, but is " +
                                  std::to_string(bound) + "; infinity stands for unknown");
}

}  // namespace

dpa_status dpa_options_set_loss(dpa_options *options, dpa_loss_fn function, void *user,
                                size_t parameters, double loss_bound, double gradient_bound,
                                double smoothness) {
    return guard("dpa_options_set_loss", [&] {
        OptionValues &values = checked(options, "options").values;
        if (function == nullptr) {
            values.set_word(Option::loss, "squared");
            values.custom_loss = {};
            return;
        }
        if (parameters == 0)
            throw Error(DPA_E_DIMENSION, "parameters must be at least 1, but is 0");
        if (parameters > kMostParameters)
            throw Error(DPA_E_OVERFLOW, "parameters must be at most " +
                                            std::to_string(kMostParameters) + ", but is " +
                                            std::to_string(parameters));
        check_bound(loss_bound, "loss_bound");
        check_bound(gradient_bound, "gradient_bound");
        check_bound(smoothness, "smoothness");
        values.set_word(Option::loss, "custom");
        values.custom_loss = {function, user, parameters, {loss_bound, gradient_bound, smoothness}};
    });
}
