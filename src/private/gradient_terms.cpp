#include "private/gradient_terms.hpp"

#include <cmath>

#include "base/multiversion.hpp"
#include "loss/score_loss.hpp"

namespace dpadapt {
namespace {

constexpr std::size_t kBlockRecords = 64;

/** to += factor column. */
DPA_MULTIVERSION
void add_column(double factor, const double *column, std::size_t n, double *to) {
    for (std::size_t k = 0; k < n; ++k) to[k] += factor * column[k];
}

}  // namespace

GradientTerms::GradientTerms(const PrivateRun &run, const Metric &metric, privacy::Domains domain)
    : run_(run),
      metric_(metric),
      rows_(run.problem.private_rows(domain, metric.maps_rows ? metric.map : arma::mat())) {}

void GradientTerms::add(const arma::vec &v, double most, const Weigh &weigh,
                        privacy::VectorSum &sum) const {
    const bool one_score = metric_.maps_rows && metric_.blocks == 1;
    const arma::vec theta = metric_.maps_rows ? v : metric_.to_theta(v);
    const std::size_t threads = run_.problem.loss().concurrent() ? run_.threads : 1;
    add_parts(
        rows_.rows(), threads, sum.sums().size(),
        [&](std::size_t begin, std::size_t end, privacy::VectorSum &part) {
            if (one_score) {
                add_linear(v, most, weigh, begin, end, part);
            } else {
                add_records(theta, most, weigh, begin, end, part);
            }
        },
        sum);
}

/** The gradient is the slope by the score times the record: its norm needs no sum of its own. */
void GradientTerms::add_linear(const arma::vec &v, double most, const Weigh &weigh,
                               std::size_t begin, std::size_t end, privacy::VectorSum &sum) const {
    const loss::ScoreLoss &loss = *run_.problem.loss().output();
    const std::size_t d = v.n_elem;
    double score[kBlockRecords];
    double losses[kBlockRecords];
    double slope[kBlockRecords];
    std::vector<double> term(sum.sums().size());
    for (; begin < end; begin += kBlockRecords) {
        const std::size_t count = std::min(kBlockRecords, end - begin);
        for (std::size_t i = 0; i < count; ++i) score[i] = rows_.score(begin + i, v.memptr());
        loss.slopes(count, score, rows_.block(begin, begin + count).label, losses, slope);
        for (std::size_t i = 0; i < count; ++i) {
            const double share = weigh(losses[i], std::span(term).subspan(d));
            double factor = most * share * (slope[i] / metric_.unit) / metric_.clip;
            const double norm = std::abs(factor) * rows_.norm(begin + i);
            if (norm > most) factor *= most / norm;
            const double *zeta = rows_.row(begin + i);
            for (std::size_t k = 0; k < d; ++k) term[k] = factor * zeta[k];
            sum.add(term);
        }
    }
}

void GradientTerms::add_records(const arma::vec &theta, double most, const Weigh &weigh,
                                std::size_t begin, std::size_t end, privacy::VectorSum &sum) const {
    constexpr std::size_t kMostDoubles = 65536;
    const std::size_t parameters = theta.n_elem;
    const std::size_t step = std::clamp<std::size_t>(kMostDoubles / parameters, 1, kBlockRecords);
    std::vector<double> losses(step);
    std::vector<double> gradients(step * parameters);
    std::vector<double> term(sum.sums().size());
    const std::span<double> slope = std::span(term).first(parameters);
    for (; begin < end; begin += step) {
        const std::size_t count = std::min(step, end - begin);
        run_.problem.loss().evaluate(rows_.block(begin, begin + count),
                                     {theta.memptr(), parameters}, std::span(losses).first(count),
                                     std::span(gradients).first(count * parameters));
        for (std::size_t i = 0; i < count; ++i) {
            map_gradient(gradients.data() + i * parameters, slope.data());
            const double share = weigh(losses[i], std::span(term).subspan(parameters));
            scale_within(slope, most * (share / (metric_.clip * metric_.unit)), most);
            sum.add(term);
        }
    }
}

void GradientTerms::map_gradient(const double *gradient, double *out) const {
    const std::size_t parameters = metric_.start.n_elem;
    if (metric_.maps_rows) {
        std::copy_n(gradient, parameters, out);
    } else if (metric_.map.is_empty()) {
        for (std::size_t k = 0; k < parameters; ++k) out[k] = gradient[k] / metric_.scale(k);
    } else {
        std::fill_n(out, parameters, 0.0);
        for (std::size_t j = 0; j < parameters; ++j)
            add_column(gradient[j], metric_.map.colptr(j), parameters, out);
    }
}

}  // namespace dpadapt
