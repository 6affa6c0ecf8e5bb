#include "solver/general_terms.hpp"

#include <cmath>

#include "base/multiversion.hpp"

namespace dpadapt {
namespace {

/** to += factor column. */
DPA_MULTIVERSION
void add_column(double factor, const double *column, std::size_t n, double *to) {
    for (std::size_t k = 0; k < n; ++k) to[k] += factor * column[k];
}

}  // namespace

GeneralTerms::GeneralTerms(const PrivateRun &run, const GeneralMetric &metric,
                           privacy::Domains domain)
    : run_(run),
      metric_(metric),
      map_(metric.maps_rows ? arma::mat() : metric.map()),
      rows_(run.problem.private_rows(domain, metric.maps_rows ? metric.map() : arma::mat())) {}

void GeneralTerms::add(const arma::vec &v, double most, const Weigh &weigh,
                       privacy::VectorSum &sum) const {
    const arma::vec theta = metric_.maps_rows ? v : metric_.to_theta(v);
    const std::size_t threads = run_.problem.loss().concurrent() ? run_.threads : 1;
    add_parts(
        rows_.rows(), threads, sum.sums().size(),
        [&](std::size_t begin, std::size_t end, privacy::VectorSum &part) {
            add_records(theta, most, weigh, begin, end, part);
        },
        sum);
}

void GeneralTerms::add_records(const arma::vec &theta, double most, const Weigh &weigh,
                               std::size_t begin, std::size_t end, privacy::VectorSum &sum) const {
    constexpr std::size_t kMostRecords = 64;
    constexpr std::size_t kMostDoubles = 65536;
    const std::size_t parameters = theta.n_elem;
    const std::size_t step = std::clamp<std::size_t>(kMostDoubles / parameters, 1, kMostRecords);
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
            scale_within(slope, most * (share / metric_.clip), most);
            sum.add(term);
        }
    }
}

void GeneralTerms::map_gradient(const double *gradient, double *out) const {
    const std::size_t parameters = metric_.start.n_elem;
    if (metric_.maps_rows) {
        std::copy_n(gradient, parameters, out);
    } else if (map_.is_empty()) {
        for (std::size_t k = 0; k < parameters; ++k) out[k] = gradient[k] / metric_.scale(k);
    } else {
        std::fill_n(out, parameters, 0.0);
        for (std::size_t j = 0; j < parameters; ++j)
            add_column(gradient[j], map_.colptr(j), parameters, out);
    }
}

}  // namespace dpadapt
