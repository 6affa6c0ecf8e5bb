#include "problem/last_layer.hpp"

#include <algorithm>
#include <cmath>

#include "base/splitmix.hpp"
#include "problem/defaults.hpp"

namespace dpadapt {

namespace {

/** What the layers make of public rows, row after row, without the constant; empty layers: the rows
 *  themselves, with it. */
std::vector<double> outputs_of(const loss::HiddenLayers &layers, const PreparedSample &rows) {
    constexpr std::size_t kBlock = 256;
    const std::size_t made = layers.outputs(rows.dimension());
    const std::size_t kept = layers.empty() ? made : made - 1;
    std::vector<double> all;
    all.reserve(rows.rows() * kept);
    std::vector<double> row(made);
    loss::HiddenUnits units(layers);
    arma::mat columns;
    for (std::size_t begin = 0; begin < rows.rows(); begin += kBlock) {
        rows.fill(begin, std::min(begin + kBlock, rows.rows()), columns);
        for (arma::uword i = 0; i < columns.n_cols; ++i) {
            units({columns.colptr(i), columns.n_rows}, row.data());
            all.insert(all.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept));
        }
    }
    return all;
}

/** Weights of random units whose sums have a mean square of about `kSquare` on the public rows. */
arma::vec random_weights(std::size_t units, const loss::HiddenLayers &below,
                         const PreparedSample &rows, std::uint64_t seed) {
    constexpr double kSquare = 6.75;  // docs/defaults.md
    const std::size_t read = below.outputs(rows.dimension());
    double square = below.empty() ? 0.0 : static_cast<double>(rows.rows());  // of the constant
    for (const double value : outputs_of(below, rows)) square += value * value;
    square /= static_cast<double>(rows.rows());
    const double most = square > 0.0 ? std::sqrt(3.0 * kSquare / square) : 1.0;
    SplitMix64 bits(seed);
    arma::vec weights(units * read);
    for (double &weight : weights)
        weight = most * (static_cast<double>(bits() >> 11) * 0x1p-52 - 1.0);
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

std::size_t last_hidden_units(const std::vector<std::size_t> &hidden) {
    return std::max(hidden.back(),
                    std::min(hidden.back() + defaults::kFurtherUnits, loss::kMostUnits));
}

LossSettings last_layer_loss(const LossSettings &settings) {
    LossSettings own = settings;
    own.kind = settings.output;
    own.hidden_units.clear();
    return own;
}

LastLayer::LastLayer(const PublicSample &network, const Settings &settings, Control &control)
    : network_(network.choice()), labels_(network.rows().labels()) {
    const std::size_t units = network_.hidden.back();
    network_.hidden.back() = last_hidden_units(network_.hidden);
    const std::size_t further = network_.hidden.back() - units;
    const loss::HiddenLayers learnt{network.choice().hidden, {}};
    const std::size_t inputs = network.rows().dimension();
    const arma::vec &fit = network.fit();
    const std::size_t hidden = learnt.parameters(inputs);

    loss::HiddenLayers below{network_.hidden, {}};
    below.units.pop_back();
    below.weights = fit.head(below.parameters(inputs));
    hidden_ = {network_.hidden,
               arma::join_cols(fit.head(hidden), random_weights(further, below, network.rows(),
                                                                settings.loss.start_seed))};
    const arma::mat blocks = arma::reshape(fit.tail(fit.n_elem - hidden), units + 1,
                                           (fit.n_elem - hidden) / (units + 1));
    arma::mat last(units + further + 1, blocks.n_cols, arma::fill::zeros);
    last.head_rows(units) = network_.unit * blocks.head_rows(units);
    last.tail_rows(1) = network_.unit * blocks.tail_rows(1);
    network_.unit = 1.0;

    features_ = outputs_of(hidden_, network.rows());
    const std::size_t width = units + further;
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
