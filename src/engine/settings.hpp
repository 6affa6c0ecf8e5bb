#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/options.hpp"
#include "loss/choice.hpp"
#include "problem/plan_request.hpp"
#include "schema/labelled_schema.hpp"

namespace dpadapt::engine {

/** The options as a call that wants that needs them. Throws Error(DPA_E_OPTION) for contradictions
 *  and Error(DPA_E_UNSUPPORTED) for what this version cannot do. */
[[nodiscard]] Settings make_settings(const OptionValues &values, Wanted wanted);

/** Options that change nothing in a fit, each with a sentence for those who set it. */
using UnreadOptions = std::map<Option, std::string>;

/** Of other kinds of calls, or hidden by other options. `baseline` is the method's name; null for
 *  fits of the paper's. */
[[nodiscard]] UnreadOptions unread_options(const OptionValues &values, const Settings &settings,
                                           Wanted wanted, const char *baseline);

/** What the options say about labels: which ones the loss wants. */
[[nodiscard]] schema::Hints hints_of(const OptionValues &values);

/** The options that make a loss, for LabelledSchema::loss; none of a caller's. */
[[nodiscard]] std::vector<std::string> loss_options(const OptionValues &values);
/** The same of a loss in use. */
[[nodiscard]] std::vector<std::string> loss_options(const loss::Choice &loss);

/** The options with those of the schema's loss. Error(DPA_E_FORMAT) if it has others. */
[[nodiscard]] OptionValues options_of(const schema::LabelledSchema &schema);

/** Sets the loss that the schema was learnt for where none is given; where it is for numbers, but
 *  the labels are none, one for them. */
void set_loss_for(const schema::LabelledSchema &schema, OptionValues &values);

}  // namespace dpadapt::engine
