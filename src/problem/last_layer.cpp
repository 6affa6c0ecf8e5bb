#include "problem/last_layer.hpp"

#include <algorithm>
#include <cmath>

#include "base/splitmix.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {

namespace {

void each_block(const PreparedSample &rows, const auto &see) {
    constexpr std::size_t kBlock = 256;
    arma::mat columns;
    for (std::size_t begin = 0; begin < rows.rows(); begin += kBlock) {
        rows.fill(begin, std::min(begin + kBlock, rows.rows()), columns);
        see(columns);
    }
}

/** What the layers make of public rows, row after row, without the constant; empty layers: the rows
 *  themselves, with it. */
std::vector<double> outputs_of(const loss::HiddenLayers &layers, const PreparedSample &rows) {
    const std::size_t made = layers.outputs(rows.dimension());
    const std::size_t kept = layers.empty() ? made : made - 1;
    std::vector<double> all;
    all.reserve(rows.rows() * kept);
    std::vector<double> row(made);
    loss::HiddenUnits units(layers);
    each_block(rows, [&](const arma::mat &columns) {
        for (arma::uword i = 0; i < columns.n_cols; ++i) {
            units({columns.colptr(i), columns.n_rows}, row.data());
            all.insert(all.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept));
        }
    });
    return all;
}

/** Weights of units that are nearly linear in one column each. */
arma::mat linear_weights(std::size_t units, const PreparedSample &rows) {
    constexpr double kSlope = 0.5;  // docs/defaults.md
    arma::vec squares(rows.dimension(), arma::fill::zeros);
    each_block(rows,
               [&](const arma::mat &columns) { squares += arma::sum(arma::square(columns), 1); });
    arma::mat weights(rows.dimension(), units, arma::fill::zeros);
    for (std::size_t j = 0; j < std::min<std::size_t>(units, squares.n_elem); ++j) {
        const double size = std::sqrt(squares(j) / static_cast<double>(rows.rows()));
        weights(j, j) = kSlope / (size > 0.0 ? size : 1.0);
    }
    return weights;
}

/** Weights of random units whose sums have a mean square of about `kSquare` on the public rows. */
arma::mat random_weights(std::size_t units, const loss::HiddenLayers &below,
                         const PreparedSample &rows, std::uint64_t seed) {
    constexpr double kSquare = 6.75;  // docs/defaults.md
    const std::size_t read = below.outputs(rows.dimension());
    double square = below.empty() ? 0.0 : static_cast<double>(rows.rows());  // of the constant
    for (const double value : outputs_of(below, rows)) square += value * value;
    square /= static_cast<double>(rows.rows());
    const double most = square > 0.0 ? std::sqrt(3.0 * kSquare / square) : 1.0;
    SplitMix64 bits(seed);
    arma::mat weights(read, units);
    for (double &weight : weights) weight = most * bits.symmetric();
    return weights;
}

Settings settings_of(const Settings &settings, const loss::Choice &network) {
    Settings own = settings;
    own.loss = last_layer_loss(settings.loss);
    if (loss::counts_classes(network)) own.loss.classes = network.classes;
    own.preprocess = PreprocessKind::none;
    own.intercept = true;
    own.feature_radius = own.label_bound = {Bound::Kind::absent, 0.0};
    return own;
}

}  // namespace

WiderLayers widen(const std::vector<std::size_t> &hidden, std::size_t columns) {
    WiderLayers wide{hidden, defaults::kLeastRandomUnits, columns};
    const std::size_t most = *std::max_element(hidden.begin(), hidden.end());
    if (most + columns + wide.random > loss::kMostUnits) wide.linear = 0;
    if (wide.linear + wide.random < defaults::kFurtherUnits)
        wide.random = defaults::kFurtherUnits - wide.linear;
    wide.random = std::min(wide.random, loss::kMostUnits - hidden.back() - wide.linear);
    for (std::size_t &units : wide.units) units += wide.linear;
    wide.units.back() += wide.random;
    return wide;
}

LossSettings last_layer_loss(const LossSettings &settings) {
    LossSettings own = settings;
    own.kind = settings.output;
    own.hidden_units.clear();
    return own;
}

LastLayer::LastLayer(const PublicSample &network, const Settings &settings, Control &control)
    : network_(network.choice()), labels_(network.rows().labels()) {
    const std::vector<std::size_t> learnt = network_.hidden;
    const std::size_t units = learnt.back();
    const auto [wider, random, linear] = widen(learnt, network.preprocess().features());
    network_.hidden = wider;
    const arma::vec &fit = network.fit();
    std::size_t hidden = 0;
    std::size_t read = network.rows().dimension();
    arma::mat lines = linear_weights(linear, network.rows());
    hidden_.units = wider;
    loss::HiddenLayers below;
    for (const std::size_t made : learnt) {
        arma::mat layer = arma::reshape(fit.subvec(hidden, arma::size(read * made, 1)), read, made);
        hidden += read * made;
        if (below.units.size() + 1 == learnt.size())
            layer.insert_cols(
                made, random_weights(random, below, network.rows(), settings.loss.start_seed));
        below.units.push_back(made);
        below.weights = fit.head(hidden);
        if (below.units.size() > 1) layer.insert_rows(read - 1, linear);
        // mutant: no_linear_units
        layer.insert_cols(layer.n_cols, lines);
        hidden_.weights.insert_rows(hidden_.weights.n_elem, arma::vectorise(layer));
        read = made + 1;
        lines = arma::mat(read + linear, linear, arma::fill::zeros);
        for (std::size_t j = 0; j < linear; ++j) lines(made + j, j) = 1.0;
    }
    const arma::mat blocks = arma::reshape(fit.tail(fit.n_elem - hidden), units + 1,
                                           (fit.n_elem - hidden) / (units + 1));
    const std::size_t width = wider.back();
    arma::mat last(width + 1, blocks.n_cols, arma::fill::zeros);
    last.head_rows(units) = network_.unit * blocks.head_rows(units);
    last.tail_rows(1) = network_.unit * blocks.tail_rows(1);
    network_.unit = 1.0;

    features_ = outputs_of(hidden_, network.rows());
    rows_ = Sample::lend({features_.data(), labels_.size(), width, width, true}, labels_.data());
    const std::vector<double> &weights = network.rows().relative();
    if (!weights.empty())
        rows_.weigh(std::make_shared<const SecretVector<double>>(weights.begin(), weights.end()));
    sample_.emplace(rows_, "the hidden units of the public sample", settings_of(settings, network_),
                    control, nullptr, arma::vectorise(last));
}

arma::vec LastLayer::whole(const arma::vec &last) const {
    return arma::join_cols(hidden_.weights, last);
}

}  // namespace dpadapt
