#pragma once

#include <cmath>
#include <concepts>

/** The fields of a request, in the order of its bytes: the same list writes and reads them. */
namespace dpadapt::records {

void each_field(Clipping &clipping, auto &field) {
    bytes::each(field, clipping.feature_radius, clipping.label_bound, clipping.neutral_label);
}

void each_field(loss::HiddenLayers &layers, auto &field) {
    bytes::each(field, layers.units, layers.weights);
}

void each_field(Coordinates &coordinates, auto &field) {
    bytes::each(field, coordinates.center, coordinates.scale, coordinates.whitening,
                coordinates.constant, coordinates.label_center, coordinates.clipping,
                coordinates.hidden, coordinates.map, coordinates.weight_bound);
}

void each_field(loss::Choice &choice, auto &field) {
    field(choice.kind);
#define DPA_LOSS_NUMBER(type, name) \
    if (loss::Number::name != loss::Number::typical_label) field(choice.name);
#include "loss/numbers.def"
    bytes::each(field, choice.hidden, choice.output);
    if (loss::has_log_link(choice.kind)) field(choice.typical_label);
    if (choice.kind == loss::Kind::survival)
        bytes::each(field, choice.baseline.times, choice.baseline.hazards);
    if (choice.kind == loss::Kind::perceptron || loss::has_log_link(choice.kind))
        field(choice.unit);
}

void each_field(privacy::VectorGrid &grid, auto &field) {
    bytes::each(field, grid.bits, grid.most, grid.gamma);
}

void each_field(privacy::OuterGrid &grid, auto &field) {
    bytes::each(field, grid.bits, grid.length);
}

void each_field(ScoredLoss &loss, auto &field) {
    bytes::each(field, loss.loss, loss.theta, loss.slope_unit);
}

void each_field(MappedLoss &loss, auto &field) {
    bytes::each(field, loss.loss, loss.theta, loss.map.scale, loss.map.matrix);
}

void each_field(WholeWeights & /*weights*/, auto & /*field*/) {}

void each_field(CountedLengths &lengths, auto &field) {
    bytes::each(field, lengths.counted, lengths.below);
}

void each_field(ConvexPrices &prices, auto &field) {
    bytes::each(field, prices.kappa_1, prices.kappa_2, prices.kappa_inf);
}

void each_field(LinearPrices &prices, auto &field) {
    bytes::each(field, prices.lambda_1, prices.lambda_2, prices.lambda_inf, prices.mu);
}

void each_field(PricedWeights &weights, auto &field) {
    bytes::each(field, weights.coupling.prices, weights.coupling.largest_p, weights.scalars.s,
                weights.scalars.t, weights.p, weights.d, weights.unit);
}

void each_field(GradientTask &task, auto &field) {
    bytes::each(field, task.loss, task.most, task.clip, task.weighting, task.batch, task.grid);
}

void each_field(ShrunkByLoss &shrink, auto &field) {
    bytes::each(field, shrink.loss, shrink.clip, shrink.most);
}

void each_field(ShrunkByRadius &shrink, auto &field) {
    bytes::each(field, shrink.radius, shrink.feature_scale, shrink.label_scale);
}

void each_field(ClippedByLoss &shrink, auto &field) {
    bytes::each(field, shrink.loss, shrink.clip, shrink.most, shrink.gradients);
}

void each_field(OuterTask &task, auto &field) { bytes::each(field, task.shrink, task.grid); }

void each_field(MomentTask &task, auto &field) {
    bytes::each(field, task.radius, task.label_bound);
}

void each_field(LossTask &task, auto &field) {
    bytes::each(field, task.loss, task.predictors, task.bound);
}

void each_field(ComparisonTask &task, auto &field) {
    bytes::each(field, task.loss, task.predictors, task.bound, task.grid, task.counted,
                task.coordinates);
}

void each_field(ScoreTask &task, auto &field) {
    bytes::each(field, task.candidates, task.loss, task.bound);
}

void each_field(ErrorTask &task, auto &field) {
    bytes::each(field, task.solutions, task.asked, task.bound, task.pinball_bound, task.edges,
                task.areas, task.grid);
}

void each_field(PaperTask &task, auto &field) {
    bytes::each(field, task.loss, task.v, task.weight, task.gradient_bound, task.loss_bound,
                task.loss_unit, task.loss_most, task.grid);
}

void each_field(CountTask &task, auto &field) { field(task.loss); }

void each_field(SurveyTask &task, auto &field) { field(task.most); }

void each_field(GramTask &task, auto &field) { field(task.bounds); }

/** What bytes know already. */
template <typename T>
concept Plain =
    bytes::Whole<T> || std::same_as<T, double> || std::same_as<T, std::vector<std::size_t>> ||
    std::same_as<T, std::vector<std::uint32_t>> || std::same_as<T, std::vector<double>>;

/** Writes fields to a bytes::Writer, or reads them from a bytes::Reader. */
template <typename Stream>
class Fields {
  public:
    explicit Fields(Stream &bytes) : bytes_(bytes) {}

    template <typename T>
    void operator()(T &value) {
        if constexpr (Plain<T>) {
            bytes_(value);
        } else {
            each_field(value, *this);
        }
    }
    void operator()(std::optional<double> &value) {
        bool given = value.has_value();
        bytes_(given);
        if (given) bytes_(kReads ? value.emplace() : *value);
    }
    void operator()(arma::vec &values) {
        std::vector<double> list(values.begin(), values.end());
        bytes_(list);
        if constexpr (kReads) values = arma::vec(list);
    }
    void operator()(arma::mat &square) {
        std::vector<double> list(square.begin(), square.end());
        bytes_(list);
        if constexpr (kReads) {
            const auto side = static_cast<arma::uword>(std::sqrt(static_cast<double>(list.size())));
            if (side * side != list.size()) bytes_.damaged("one of its matrices is not square");
            square = arma::mat(list.data(), side, side);
        }
    }
    void operator()(std::vector<arma::vec> &list) {
        if constexpr (kReads) {
            list.resize(bytes_.length());
        } else {
            bytes_(list.size());
        }
        for (arma::vec &values : list) (*this)(values);
    }
    void operator()(std::vector<Solution> &list) {
        std::size_t count = list.size();
        bytes_(count);
        for (std::size_t k = 0; k < count; ++k) {
            std::string saved;
            if constexpr (!kReads) {
                const auto bytes = serialize(list[k]);
                saved.assign(bytes.begin(), bytes.end());
            }
            bytes_(saved);
            if constexpr (kReads) list.push_back(deserialize(Bytes(saved.begin(), saved.end())));
        }
    }
    template <typename... T>
    void operator()(std::variant<T...> &value) {
        std::size_t index = value.index();
        bytes_(index);
        if constexpr (kReads) {
            if (index >= sizeof...(T)) bytes_.damaged("of a kind that this version does not know");
            static const std::variant<T...> kinds[] = {T()...};
            value = kinds[index];
        }
        std::visit(*this, value);
    }

  private:
    static constexpr bool kReads = std::same_as<Stream, bytes::Reader>;

    Stream &bytes_;
};

}  // namespace dpadapt::records
