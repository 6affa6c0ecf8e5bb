#include "solution/format.hpp"

namespace dpadapt::format {

/** The numbers stand at fixed places: all that a loss or the objective had when it was written. */
Solution read_3(bytes::Reader &read) {
    Solution solution;
    std::uint64_t kind = 0;
    std::uint64_t output = 0;
    read(kind);
    read(solution.loss.huber_threshold);
    read(solution.loss.classes);
    read(solution.loss.hidden);
    read(output);
    solution.loss.kind = loss_kind(kind, read);
    solution.loss.output = loss_kind(output, read);
    drop_foreign_numbers(solution.loss);
    each_result(solution, read);
    UsedSettings &settings = solution.settings;
    for (double *number :
         {&settings.alpha, &settings.kappa_1, &settings.kappa_2, &settings.kappa_inf,
          &settings.lambda_1, &settings.lambda_2, &settings.lambda_inf, &settings.mu,
          &settings.radius, &settings.discrepancy, &settings.feature_radius, &settings.label_bound})
        read(*number);
    each_promise(solution.privacy, read);
    return solution;
}

}  // namespace dpadapt::format
