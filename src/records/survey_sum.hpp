#pragma once

#include "problem/sample.hpp"
#include "records/row_sample.hpp"

namespace dpadapt::records {

/** What is asked first of a public sample that is elsewhere: how many rows have a label, between
 *  which values their numbers lie, and a sample of them. It holds rows as they are, so nothing
 *  ever asks private records for it. */
class SurveySum {
  public:
    /** @param width  Numbers of a row, of which the last one is the label. */
    SurveySum(std::size_t width, std::size_t most);

    /** Adds rows; after a failure the sum is of no use. */
    void add(const Sample &rows);

    /** Adds another sum, or fails and changes nothing. */
    void merge(const SurveySum &other);
    void write(bytes::Writer &to) const;
    void read(bytes::Reader &from);

    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::uint64_t damaged() const { return damaged_; }
    [[nodiscard]] std::uint64_t labelled() const { return records_ - damaged_ - unlabelled_; }
    /** Of the rows with a label, numbers in the order of their columns. */
    [[nodiscard]] const std::vector<double> &lowest() const { return lowest_; }
    [[nodiscard]] const std::vector<double> &highest() const { return highest_; }
    [[nodiscard]] const RowSample &sample() const { return sample_; }

  private:
    std::uint64_t records_ = 0;
    std::uint64_t damaged_ = 0;     ///< with a number that is not finite
    std::uint64_t unlabelled_ = 0;  ///< of the others
    std::vector<double> lowest_;
    std::vector<double> highest_;
    RowSample sample_;
};

}  // namespace dpadapt::records
