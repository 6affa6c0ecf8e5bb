#pragma once

#include <dpadapt/privacy.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "cli/command_line.hpp"
#include "cli/html_report.hpp"
#include "cli/output.hpp"
#include "cli/report.hpp"

namespace dpadapt::cli {

/** Where the privacy report of a command goes, and whose key signs it. */
struct ReportArguments {
    std::string path;
    std::string key;
};

/** Adds --report and --sign. */
void add_report_arguments(Command &command, ReportArguments &arguments);

/** A report to be saved, if it is wanted: as JSON when the name ends in .json, as a page with
 *  pictures when it ends in .html. */
class ReportFile {
  public:
    /** Finds out what would be in the way of it before a long computation.
     *  @param key  The file of a key; empty: it is not signed. */
    ReportFile(const std::string &path, const std::string &key);

    [[nodiscard]] bool is_wanted() const { return file_.has_value(); }
    /** Whether it is a page, whose pictures need more than the other forms. */
    [[nodiscard]] bool is_page() const { return file_.has_value() && page_; }

    /** As Output::reserve(). */
    void reserve(std::size_t bytes);

    /** @param report  Writes it in a form of dpa_solution_privacy_report. */
    void write(const std::function<std::string(int32_t form)> &report,
               const PageContent &content = {});

  private:
    bool json_;
    bool page_;
    std::string key_;
    std::optional<Output> file_;
};

/** A value in a report and its place there. Every function throws Contradiction, which names the
 *  place, unless the value is of that kind. The report must outlive it. */
class JsonMember {
  public:
    explicit JsonMember(const Json &value, std::string place = {})
        : value_(&value), place_(std::move(place)) {}

    [[nodiscard]] JsonMember at(const char *name) const;
    [[nodiscard]] std::vector<JsonMember> items() const;  ///< of a list
    [[nodiscard]] bool has(const char *name) const { return value_->contains(name); }
    [[nodiscard]] bool is_null() const { return value_->is_null(); }

    [[nodiscard]] std::uint64_t whole() const;
    [[nodiscard]] int small() const;  ///< a whole number of at most 40
    [[nodiscard]] double number() const;
    [[nodiscard]] double number_or_nan() const;  ///< NaN for null
    [[nodiscard]] Uint128 units() const;         ///< a text of decimal digits
    [[nodiscard]] bool truth() const;
    [[nodiscard]] const std::string &text() const;
    [[nodiscard]] const Json &value() const { return *value_; }

    /** Which of the words it is. */
    [[nodiscard]] std::size_t one_of(std::initializer_list<const char *> words) const;

    [[noreturn]] void wrong(const std::string &what) const;

  private:
    const Json *value_;
    std::string place_;
};

}  // namespace dpadapt::cli
