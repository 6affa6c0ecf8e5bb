#pragma once

#include "loss/perceptron.hpp"
#include "problem/public_sample.hpp"

namespace dpadapt {

/** A perceptron of which only the last layer is still to be fitted, whose scores are linear in what
 *  the hidden units make of a record. The units are those of the public network, and beside them in
 *  the last hidden layer random ones and, for each column, a nearly linear one: what separates the
 *  source need not separate the target, and what the source does not need its network has not
 *  learnt. The public fit is that network, in which other units have no weight. */
class LastLayer {
  public:
    /** Borrows the sample, whose fit is the public network. */
    LastLayer(const PublicSample &network, const Settings &settings, Control &control);
    LastLayer &operator=(LastLayer &&) = delete;

    /** The whole network, wider than the public one. */
    [[nodiscard]] const loss::Choice &network() const { return network_; }
    [[nodiscard]] const loss::HiddenLayers &hidden() const { return hidden_; }

    /** The public rows as the last layer reads them. */
    [[nodiscard]] const PublicSample &sample() const { return *sample_; }

    /** theta of the network with that last layer. */
    [[nodiscard]] arma::vec whole(const arma::vec &last) const;

  private:
    loss::Choice network_;
    loss::HiddenLayers hidden_;
    std::vector<double> features_;
    std::vector<double> labels_;
    Sample rows_;
    std::optional<PublicSample> sample_;
};

/** The hidden layers of such a network. */
struct WiderLayers {
    std::vector<std::size_t> units;
    std::size_t random;  ///< units of the last layer, after those of the public network
    std::size_t
        linear;  ///< units of each layer, one a column, after these; 0: columns are too many
};
[[nodiscard]] WiderLayers widen(const std::vector<std::size_t> &hidden, std::size_t columns);

/** The loss of the last layer alone: what the options say of its scores. */
[[nodiscard]] LossSettings last_layer_loss(const LossSettings &settings);

}  // namespace dpadapt
