#pragma once

#include "linalg/trust_region.hpp"
#include "problem/private_problem.hpp"
#include "records/paid_call.hpp"
#include "records/reader.hpp"

namespace dpadapt {

/** The metric of private steps. In its coordinates v a step needs no further preconditioner, and
 *  the noise of a release is spread as the records' gradients are.
 *
 *  With linear scores the records are mapped, zeta = map z, and every column of W, a block of
 *  theta, is map' v: the loss of zeta at v is the loss of z at theta. Else records stay as they are
 *  and their gradients are mapped. P = inverse' inverse is the metric in a block of theta.
 *  Gradients are in units of `unit`, which for linear scores is the largest curvature of the loss:
 *  the metric does not depend on the units of the loss, and half the slope of the squared loss is
 *  the residual.
 *
 *  clip bounds a record's gradient in these coordinates: a quantile of the norms of the public
 *  records' gradients at the public fit, none taken with a slope below the loss's kept_slope. */
struct Metric {
    bool maps_rows = false;
    arma::uword blocks = 1;
    double unit = 1.0;
    arma::mat map;
    arma::mat inverse;  ///< v = inverse theta
    /// map of public rows that gives them the second moments of the private ones, as far as known
    arma::mat public_map;
    arma::vec scale;    ///< without matrices: v = scale % theta
    arma::vec start;    ///< public fit, in v
    double clip = 0.0;  ///< C
    /// mean of the squared norms of the clipped public gradients
    double term_square = 0.0;
    double longer = 1.0;         ///< private slopes at the start than public ones, as far as told
    double clip_moves = 0.0;     ///< squared distance by which clips move the public fit
    bool rows_are_far = false;   ///< beyond what clipped moments show
    bool rows_were_far = false;  ///< the same before questions

    [[nodiscard]] arma::vec to_v(const arma::vec &theta) const;
    [[nodiscard]] arma::vec to_theta(const arma::vec &v) const;

    /** A gradient by theta as gradient by v. */
    [[nodiscard]] arma::vec slope(const arma::vec &gradient) const;

    /** Root mean square of scores at v, as far as the metric is the second moments of records; 0
     *  where it is another, NaN where rows are far. */
    [[nodiscard]] double spread(const arma::vec &v) const {
        if (rows_are_far) return std::numeric_limits<double>::quiet_NaN();
        return maps_rows ? arma::norm(v) : 0.0;
    }

    /** For gradients that are so many times as long. */
    void lengthen(double times) {
        longer *= times;
        clip *= times;
        term_square *= times * times;
        clip_moves *= times * times;
    }

    /** Nearest point, in this metric, of the ball ||theta|| <= radius. */
    [[nodiscard]] arma::vec project(const arma::vec &v, double radius) const;

    /** The clip is a quantile of `kept`, the rest follows from the norms of public gradients. */
    void set_clip(const PreparedSample &rows, std::vector<double> kept,
                  const std::vector<double> &norms, const PrivacySettings &settings);
};

/** Without public data: the identity, in units of the largest Hessian of a record, clipped to the
 *  option clip_bound. */
[[nodiscard]] Metric make_metric_without_data(const PrivateProblem &problem,
                                              const Settings &settings);

/** Chooses the metric of the private steps: of the public Hessian for linear scores, else of the
 *  public gradients. If the plan releases the private sample's second moments, they replace the
 *  public ones wherever they differ from them by more than the noise of the release.
 *
 *  A record's part is its Hessian zeta zeta' times a share of the largest curvature, at the public
 *  fit; shrunk to Frobenius norm C_M (a quantile of the public rows') and as its gradient term will
 *  be. The noise matrix has spectral norm sqrt(2 d) tau at most, about, so the eigenvalues of the
 *  difference to the public moments are moved towards zero by that much. Everything after the
 *  release is post-processing: a bad metric costs accuracy, not privacy.
 *
 *  @param share   Weight of the private sample in the objective; the public moments have the rest.
 *  @param anchor  For linear scores the public predictor at which slopes and curvatures are taken,
 *                 and from which steps start.
 *  @param steps   That the run has taken; some may ask how far private rows are. NULL: none. */
[[nodiscard]] Metric choose_metric(const PrivateRun &run, const Settings &settings,
                                   privacy::Domains domain, double share, const arma::vec &anchor,
                                   std::uint64_t *steps = nullptr);

/** The private records of a sample as the steps in that metric read them. */
[[nodiscard]] records::Reader step_reader(const PrivateRun &run, const Metric &metric,
                                          privacy::Domains domain);

/** Their gradients at v in the metric, clipped to `scale` C and in units of that over `most`. */
[[nodiscard]] records::GradientTask gradient_task(const PrivateRun &run, const Metric &metric,
                                                  const arma::vec &v, double scale, double most,
                                                  const records::Weighting &weighting);

}  // namespace dpadapt
