#pragma once

#include <cmath>
#include <concepts>

#include "records/request.hpp"

/** The fields of a request, in the order of its bytes: the same list writes and reads them. */
namespace dpadapt::records {

template <typename Field>
void each_field(Clipping &clipping, Field &field) {
    field(clipping.feature_radius);
    field(clipping.label_bound);
    field(clipping.neutral_label);
}

template <typename Field>
void each_field(loss::HiddenLayers &layers, Field &field) {
    field(layers.units);
    field(layers.weights);
}

template <typename Field>
void each_field(Coordinates &coordinates, Field &field) {
    field(coordinates.center);
    field(coordinates.scale);
    field(coordinates.whitening);
    field(coordinates.constant);
    field(coordinates.label_center);
    field(coordinates.clipping);
    field(coordinates.hidden);
    field(coordinates.map);
    field(coordinates.weight_bound);
}

template <typename Field>
void each_field(loss::Choice &choice, Field &field) {
    field(choice.kind);
#define DPA_LOSS_NUMBER(type, name) field(choice.name);
#include "loss/numbers.def"
    field(choice.hidden);
    field(choice.output);
    if (choice.kind == loss::Kind::perceptron) field(choice.unit);
}

template <typename Field>
void each_field(privacy::VectorGrid &grid, Field &field) {
    field(grid.bits);
    field(grid.most);
    field(grid.gamma);
}

template <typename Field>
void each_field(privacy::OuterGrid &grid, Field &field) {
    field(grid.bits);
    field(grid.length);
}

template <typename Field>
void each_field(ScoredLoss &loss, Field &field) {
    field(loss.loss);
    field(loss.theta);
    field(loss.slope_unit);
}

template <typename Field>
void each_field(MappedLoss &loss, Field &field) {
    field(loss.loss);
    field(loss.theta);
    field(loss.map.scale);
    field(loss.map.matrix);
}

template <typename Field>
void each_field(WholeWeights & /*weights*/, Field & /*field*/) {}

template <typename Field>
void each_field(CountedLengths &lengths, Field &field) {
    field(lengths.counted);
    field(lengths.below);
}

template <typename Field>
void each_field(ConvexPrices &prices, Field &field) {
    field(prices.kappa_1);
    field(prices.kappa_2);
    field(prices.kappa_inf);
}

template <typename Field>
void each_field(LinearPrices &prices, Field &field) {
    field(prices.lambda_1);
    field(prices.lambda_2);
    field(prices.lambda_inf);
    field(prices.mu);
}

template <typename Field>
void each_field(PricedWeights &weights, Field &field) {
    field(weights.coupling.prices);
    field(weights.coupling.largest_p);
    field(weights.scalars.s);
    field(weights.scalars.t);
    field(weights.p);
    field(weights.d);
    field(weights.unit);
}

template <typename Field>
void each_field(GradientTask &task, Field &field) {
    field(task.loss);
    field(task.most);
    field(task.clip);
    field(task.weighting);
    field(task.batch);
    field(task.grid);
}

template <typename Field>
void each_field(ShrunkByLoss &shrink, Field &field) {
    field(shrink.loss);
    field(shrink.clip);
    field(shrink.most);
}

template <typename Field>
void each_field(ShrunkByRadius &shrink, Field &field) {
    field(shrink.radius);
    field(shrink.feature_scale);
    field(shrink.label_scale);
}

template <typename Field>
void each_field(ClippedByLoss &shrink, Field &field) {
    field(shrink.loss);
    field(shrink.clip);
    field(shrink.most);
    field(shrink.gradients);
}

template <typename Field>
void each_field(OuterTask &task, Field &field) {
    field(task.shrink);
    field(task.grid);
}

template <typename Field>
void each_field(MomentTask &task, Field &field) {
    field(task.radius);
    field(task.label_bound);
}

template <typename Field>
void each_field(LossTask &task, Field &field) {
    field(task.loss);
    field(task.predictors);
    field(task.bound);
}

template <typename Field>
void each_field(ComparisonTask &task, Field &field) {
    field(task.loss);
    field(task.predictors);
    field(task.bound);
    field(task.grid);
    field(task.counted);
    field(task.coordinates);
}

template <typename Field>
void each_field(ScoreTask &task, Field &field) {
    field(task.candidates);
    field(task.loss);
    field(task.bound);
}

template <typename Field>
void each_field(ErrorTask &task, Field &field) {
    field(task.solutions);
    field(task.sizes);
    field(task.bound);
    field(task.pinball_bound);
    field(task.edges);
    field(task.areas);
    field(task.grid);
}

template <typename Field>
void each_field(PaperTask &task, Field &field) {
    field(task.loss);
    field(task.v);
    field(task.weight);
    field(task.gradient_bound);
    field(task.loss_bound);
    field(task.loss_unit);
    field(task.loss_most);
    field(task.grid);
}

template <typename Field>
void each_field(CountTask &task, Field &field) {
    field(task.loss);
}

template <typename Field>
void each_field(SurveyTask &task, Field &field) {
    field(task.most);
}

template <typename Field>
void each_field(GramTask &task, Field &field) {
    field(task.bounds);
}

/** What bytes know already. */
template <typename T>
concept Plain =
    bytes::Whole<T> || std::same_as<T, double> || std::same_as<T, std::vector<std::size_t>> ||
    std::same_as<T, std::vector<std::uint32_t>> || std::same_as<T, std::vector<double>>;

class FieldWriter {
  public:
    explicit FieldWriter(bytes::Writer &to) : to_(to) {}

    template <typename T>
    void operator()(T &value) {
        if constexpr (Plain<T>) {
            to_(value);
        } else {
            each_field(value, *this);
        }
    }
    void operator()(std::optional<double> &value) {
        to_(value.has_value());
        if (value) to_(*value);
    }
    void operator()(arma::vec &values) { to_(std::vector<double>(values.begin(), values.end())); }
    void operator()(arma::mat &square) { to_(std::vector<double>(square.begin(), square.end())); }
    void operator()(std::vector<arma::vec> &list) {
        to_(list.size());
        for (arma::vec &values : list) (*this)(values);
    }
    void operator()(std::vector<Solution> &list) {
        to_(list.size());
        for (const Solution &solution : list) {
            const Bytes saved = serialize(solution);
            to_(std::string(saved.begin(), saved.end()));
        }
    }
    template <typename... T>
    void operator()(std::variant<T...> &value) {
        to_(value.index());
        std::visit(*this, value);
    }

  private:
    bytes::Writer &to_;
};

class FieldReader {
  public:
    explicit FieldReader(bytes::Reader &from) : from_(from) {}

    template <typename T>
    void operator()(T &value) {
        if constexpr (Plain<T>) {
            from_(value);
        } else {
            each_field(value, *this);
        }
    }
    void operator()(std::optional<double> &value) {
        bool given = false;
        from_(given);
        if (given) from_(value.emplace());
    }
    void operator()(arma::vec &values) {
        std::vector<double> list;
        from_(list);
        values = arma::vec(list);
    }
    void operator()(arma::mat &square) {
        std::vector<double> list;
        from_(list);
        const auto side = static_cast<arma::uword>(std::sqrt(static_cast<double>(list.size())));
        if (side * side != list.size()) from_.damaged("one of its matrices is not square");
        square = arma::mat(list.data(), side, side);
    }
    void operator()(std::vector<arma::vec> &list) {
        list.resize(from_.length(8));
        for (arma::vec &values : list) (*this)(values);
    }
    void operator()(std::vector<Solution> &list) {
        std::size_t left = 0;
        for (from_(left); left > 0; --left) {
            std::string saved;
            from_(saved);
            list.push_back(deserialize(Bytes(saved.begin(), saved.end())));
        }
    }
    template <typename... T>
    void operator()(std::variant<T...> &value) {
        std::size_t index = 0;
        from_(index);
        if (index >= sizeof...(T)) from_.damaged("of a kind that this version does not know");
        static const std::variant<T...> kinds[] = {T()...};
        value = kinds[index];
        std::visit(*this, value);
    }

  private:
    bytes::Reader &from_;
};

}  // namespace dpadapt::records
