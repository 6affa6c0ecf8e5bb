#include "loss/cumulative_hazard.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dpadapt::loss {

/** Linear from `first` at time 0 on. */
double CumulativeHazard::between(const std::vector<double> &values, double first,
                                 double time) const {
    const auto next = std::lower_bound(times.begin(), times.end(), time);
    if (next == times.end()) return values.back();
    const auto k = static_cast<std::size_t>(next - times.begin());
    const double begin = k > 0 ? times[k - 1] : 0.0;
    const double from = k > 0 ? values[k - 1] : first;
    return from + (values[k] - from) * ((time - begin) / (times[k] - begin));
}

bool CumulativeHazard::is_possible() const {
    const auto rises = [](const std::vector<double> &values) {
        double last = 0.0;
        for (const double value : values)
            if (!(value > std::exchange(last, value))) return false;
        return !values.empty() && std::isfinite(last);
    };
    return times.size() <= kMostPieces && times.size() == hazards.size() && rises(times) &&
           rises(hazards);
}

}  // namespace dpadapt::loss
