#pragma once

#include "base/splitmix.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt::engine {

/** Rows of its own. */
struct Rows {
    std::vector<double> x;  ///< row after row
    std::vector<double> y;

    [[nodiscard]] Sample sample() const {
        const std::size_t cols = x.size() / y.size();
        return Sample::lend({x.data(), y.size(), cols, cols, true}, y.data());
    }
    /** Appends a row of a sample. */
    void add(const Sample &from, std::size_t row);
};

/** Public rows that play both domains. The population from which targets are drawn is a half of the
 *  third that lies farthest out in a random direction, so that its features differ from the
 *  source's, and with them the noise of its labels and what a linear fit misses; all other rows are
 *  the source. Besides, scores differ by another random linear function of the features: half of it
 *  is the same for all, and of the rest no direction in the metric of their second moments is
 *  preferred. Labels that are numbers move with the score; a class is drawn anew from the fit's
 *  model, with the random numbers that explain the class that was there: without a shift, labels
 *  stay. */
class SimulatedDomains {
  public:
    /** Copies what it needs of the rows, which must be finite: at most `most` for a domain.
     *  @param settings  Of a fit; the scores of its loss must be linear.
     *  @param noise     Factor of the residuals, or of the model's latent noise, in the target. */
    SimulatedDomains(const Sample &rows, const Settings &settings, std::size_t most, double noise,
                     std::uint64_t seed, Control &control);

    [[nodiscard]] const Rows &source() const { return source_; }

    /** The population under a shift of that size: root mean square of the change of a score, in
     *  units of the deviation of the residuals, or of the model's latent noise. */
    [[nodiscard]] Rows population(double shift) const;

  private:
    void estimate_shift(const PublicSample &source, const PreparedSample &rows, double noise);
    [[nodiscard]] double shifted_class(std::size_t row, double shift) const;

    Rows source_;
    Rows population_;
    loss::Choice loss_;
    std::size_t outputs_ = 1;
    double noise_ = 1.0;
    double deviation_ = 0.0;       ///< of residuals; of classes: of the latent noise of a score
    std::vector<double> scores_;   ///< of the source's fit, output after output; of classes only
    std::vector<double> changes_;  ///< of a score by a shift of size 1
    std::vector<double> latent_;   ///< noise of each score that explains the class
    SplitMix64 random_;
};

/** `count` rows of a population, with replacement. */
[[nodiscard]] Rows draw_rows(const Rows &population, std::size_t count, std::uint64_t seed);

}  // namespace dpadapt::engine
