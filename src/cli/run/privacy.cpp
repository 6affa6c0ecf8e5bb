#include <dpadapt/privacy.h>

#include <memory>

#include "cli/read/arguments.hpp"
#include "cli/read/failure.hpp"
#include "cli/run/arguments.hpp"
#include "cli/run/commands.hpp"
#include "cli/show/output.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

namespace {

struct PrivacyArguments {
    double epsilon = 0.0;
    double delta = 0.0;
    double laplace_epsilon = 0.0;
    double mu = 0.0;
    bool json = false;
};

/** Prints what the call computes; here a number outside its range is a bad argument. */
template <typename Call>
void print_value(bool json, Call call) {
    double value = 0.0;
    const dpa_status status = call(&value);
    if (status == DPA_E_INVALID_ARGUMENT) throw Failure(kUsage, dpa_last_error());
    check(status);
    Output().write((json ? Json{{"value", value}}.dump() : to_text(value)) + '\n');
}

/** The four subcommands differ in the arguments that they take and in the call. */
class PrivacyCommand {
  public:
    PrivacyCommand(Command &parent, const char *name, const char *meaning)
        : command_(parent.add_command(name, meaning)) {
        command_.add_flag("--json", arguments_->json, "Prints one JSON object");
    }

    PrivacyCommand &epsilon() { return number("--epsilon", arguments_->epsilon, "Epsilon"); }
    PrivacyCommand &delta() { return number("--delta", arguments_->delta, "Delta"); }
    PrivacyCommand &mu() {
        return number("--mu", arguments_->mu, "Sensitivity/sigma of the Gaussian releases");
    }
    PrivacyCommand &laplace_epsilon() {
        command_
            .add("--laplace-epsilon", arguments_->laplace_epsilon,
                 "Sensitivity/scale of the Laplace release")
            .shows_default()
            .placeholder("NUMBER");
        return *this;
    }

    template <typename Call>
    void runs(Call call) {
        command_.runs([arguments = arguments_, call] {
            print_value(arguments->json, [&](double *value) { return call(*arguments, value); });
        });
    }

  private:
    PrivacyCommand &number(const char *flag, double &value, const char *meaning) {
        command_.add(flag, value, meaning).required().number().placeholder("NUMBER");
        return *this;
    }

    Command command_;
    std::shared_ptr<PrivacyArguments> arguments_ = std::make_shared<PrivacyArguments>();
};

}  // namespace

void add_privacy(Command &program) {
    Command group = program.add_command(
        "privacy", "Converts between noise and (epsilon, delta)-differential privacy");
    group.requires_command();
    using Arguments = const PrivacyArguments &;
    PrivacyCommand(group, "delta", "Smallest delta of Laplace and Gaussian releases at epsilon")
        .epsilon()
        .laplace_epsilon()
        .mu()
        .runs([](Arguments a, double *value) {
            return dpa_privacy_delta(a.epsilon, a.laplace_epsilon, a.mu, value);
        });
    PrivacyCommand(group, "epsilon", "Smallest epsilon of Laplace and Gaussian releases at delta")
        .delta()
        .laplace_epsilon()
        .mu()
        .runs([](Arguments a, double *value) {
            return dpa_privacy_epsilon(a.delta, a.laplace_epsilon, a.mu, value);
        });
    PrivacyCommand(group, "mu", "Largest mu that epsilon and delta leave for Gaussian releases")
        .epsilon()
        .delta()
        .laplace_epsilon()
        .runs([](Arguments a, double *value) {
            return dpa_privacy_mu(a.epsilon, a.delta, a.laplace_epsilon, value);
        });
    PrivacyCommand(group, "sigma", "Smallest sigma/sensitivity of one Gaussian release")
        .epsilon()
        .delta()
        .runs([](Arguments a, double *value) {
            return dpa_privacy_sigma(a.epsilon, a.delta, value);
        });
}

}  // namespace dpadapt::cli
