#pragma once

#include "base/error.hpp"
#include "records/partial.hpp"

namespace dpadapt::records {

/** The private records of one domain in given coordinates: what a private method asks for sums. The
 *  tasks are carried out here, on rows that stay mapped between them, or where the records are. */
class Reader {
  public:
    /** Borrows the problem; the map is that of a metric.
     *  @param unlabelled  As its tasks want it. */
    Reader(const PrivateProblem &problem, privacy::Domains domain, arma::mat map = {},
           Unlabelled unlabelled = Unlabelled::nothing)
        : Reader(problem.sample(domain), coordinates_of(problem, std::move(map)), problem.threads_,
                 problem.rows_per_person_.value_or(kAllRows), unlabelled) {}

    /** Borrows a sample that is wholly private. Without coordinates for tasks that need none. */
    Reader(const Sample &sample, Coordinates coordinates, std::size_t threads,
           std::size_t rows_per_person = kAllRows, Unlabelled unlabelled = Unlabelled::nothing)
        : sample_(sample),
          coordinates_(std::move(coordinates)),
          rows_per_person_(rows_per_person),
          unlabelled_(unlabelled) {
        if (sample.remote() == nullptr)
            here_ = std::make_unique<const Accumulator>(sample, coordinates_, threads, 0,
                                                        rows_per_person, unlabelled);
    }

    /** The same of rows that are measured. Throws Error(DPA_E_LABEL) where they have no labels. */
    Reader(const Sample &rows, const Settings &settings)
        : Reader(check_labelled(rows), {}, settings.threads,
                 settings.privacy.rows_per_person.value_or(kAllRows)) {}

    /** Number of the records, or of the persons whom they belong to: public. */
    [[nodiscard]] std::size_t rows() const { return sample_.units(); }
    [[nodiscard]] bool has_persons() const { return sample_.persons() != nullptr; }

    /** Throws Error(DPA_E_INTERNAL) for a task to which records without labels are something
     *  else. */
    template <typename T>
    [[nodiscard]] typename T::Sum sum(const T &task, const Answered &answered = {}) const {
        if (unlabelled_records(task) != unlabelled_)
            throw Error(DPA_E_INTERNAL, "to this task records without labels are something else");
        if (here_) return here_->sum(task, answered);
        if (answered) answered(0);
        const Bytes request =
            write_request({coordinates_, task, asked(task), has_persons() ? rows_per_person_ : 0});
        return std::get<typename T::Sum>(merge_sums(request, sample_.remote()->carry_out(request)));
    }

  private:
    /** How many records a task speaks of. */
    [[nodiscard]] std::uint64_t asked(const auto & /*task*/) const { return rows(); }
    [[nodiscard]] std::uint64_t asked(const GradientTask &task) const {
        return task.batch.empty() ? rows() : task.batch.size();
    }

    const Sample &sample_;
    Coordinates coordinates_;
    std::uint64_t rows_per_person_;
    Unlabelled unlabelled_;
    std::unique_ptr<const Accumulator> here_;  ///< null for records elsewhere
};

}  // namespace dpadapt::records
