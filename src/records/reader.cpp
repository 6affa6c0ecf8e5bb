#include "records/reader.hpp"

#include "base/error.hpp"

namespace dpadapt::records {

Reader::Reader(const PrivateProblem &problem, privacy::Domains domain, arma::mat map,
               Unlabelled unlabelled)
    : Reader(problem.sample(domain), coordinates_of(problem, std::move(map)), problem.threads_,
             problem.rows_per_person_.value_or(kAllRows), unlabelled, &problem.control_) {}

Reader::Reader(const Sample &sample, Coordinates coordinates, std::size_t threads,
               std::size_t rows_per_person, Unlabelled unlabelled, Control *control)
    : sample_(sample),
      coordinates_(std::move(coordinates)),
      rows_per_person_(rows_per_person),
      unlabelled_(unlabelled) {
    if (sample.remote() == nullptr)
        here_ = std::make_unique<const Accumulator>(sample, coordinates_, threads, 0,
                                                    rows_per_person, unlabelled, control);
}

void Reader::other_records() {
    throw Error(DPA_E_INTERNAL, "to this task records without labels are something else");
}

}  // namespace dpadapt::records
