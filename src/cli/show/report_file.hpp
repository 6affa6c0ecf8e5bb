#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/read/samples.hpp"
#include "cli/show/output.hpp"
#include "cli/show/report.hpp"

namespace dpadapt::cli {

/** What a page shows beside the privacy report; each member may be missing. */
struct PageContent {
    Json notes;       // sentences about the fit
    Json effects;     // of the features: objects with name, public and released
    Json provenance;  // of the result
};

/** Where a fit came from, for whoever reads its report: date, command, options that were set,
 *  columns, digests of public files (SHA-256, as sha256sum prints) and of the model. A private file
 *  has no digest: who guesses its content could check the guess. Made before a payment: public
 *  files are read anew. */
[[nodiscard]] Json provenance(const DataArguments &data,
                              const std::vector<std::string> &assignments, const Samples &samples);

/** Adds the digest of the text of the model file. */
void add_model(const std::string &text, Json &provenance);

/** Effects of one standard deviation of each feature, by the public predictor and by that of the
 *  fit's report; null where scores are not linear or are several. */
[[nodiscard]] Json effects_of(const dpa_solution *open, const Json &report,
                              const std::vector<std::string> &features,
                              const std::vector<double> &public_rows);

/** A report to be saved, if it is wanted: as JSON when the name ends in .json, as a page with
 *  pictures when it ends in .html. */
class ReportFile {
  public:
    /** Finds out what would be in the way of it before a long computation. */
    explicit ReportFile(const std::string &path);

    [[nodiscard]] bool is_wanted() const { return file_.has_value(); }
    /** Whether it is a page, whose pictures need more than the other forms. */
    [[nodiscard]] bool is_page() const { return page_; }

    /** As Output::reserve(). */
    void reserve(std::size_t bytes);

    void write(const PrivacyReport &report, const PageContent &content = {});

  private:
    bool json_;
    bool page_;
    std::optional<Output> file_;
};

}  // namespace dpadapt::cli
