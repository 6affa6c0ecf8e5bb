#include "records/reader.hpp"

namespace dpadapt::records {

Reader::Reader(const PrivateProblem &problem, privacy::Domains domain, arma::mat map)
    : Reader(problem.sample(domain), coordinates_of(problem, std::move(map)), problem.threads_,
             problem.rows_per_person_.value_or(kAllRows)) {}

Reader::Reader(const Sample &sample, Coordinates coordinates, std::size_t threads,
               std::size_t rows_per_person)
    : sample_(sample), coordinates_(std::move(coordinates)) {
    if (sample.place() == nullptr)
        here_ =
            std::make_unique<const Accumulator>(sample, coordinates_, threads, 0, rows_per_person);
}

}  // namespace dpadapt::records
