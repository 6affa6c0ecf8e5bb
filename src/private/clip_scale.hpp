#pragma once

namespace dpadapt {

/** The clip of two private samples, in units of `clip_bound`, which no data could choose: it
 *  follows the lengths of the gradients down, and all noise with it.
 *
 *  At each step the records are counted whose gradient is shorter than what is believed to be the
 *  median. The logarithm of that length wanders as the steps lead on, and is followed by Kalman's
 *  filter. The clip is 1.3 times as long, and never longer than the user's. */
class ClipScale {
  public:
    /** @param deviation  Of the counted share, by noise. */
    explicit ClipScale(double deviation) : noise_(deviation * deviation) {}

    /** Of the clip, in (0, 1]. */
    [[nodiscard]] double operator()() const;

    /** Which gradients are short, in units of the clip that this scale gives. */
    [[nodiscard]] double below() const;

    /** @param share  Of the records that were counted as short, with noise. */
    void see(double share);

    /** Begins with what is believed of other records. */
    void begin(const ClipScale &other);

  private:
    double noise_;           ///< variance of the share
    double log_ = 0.0;       ///< of the length
    double variance_ = 2.0;  ///< of it: a user's guess may be off by a factor of four
};

}  // namespace dpadapt
