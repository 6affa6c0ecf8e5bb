#pragma once

#include "solution/solution.hpp"

namespace dpadapt {

/** Whether a promise is what its reports say. Reports are written once and never change, so this
 *  knows the words of every version that has written one. */
[[nodiscard]] bool agrees_with_reports(const PrivacyRecord &privacy);

/** Whether nothing was taken from the problem without protection, as far as is known: up to now, or
 *  up to when the solution was saved. */
[[nodiscard]] bool is_whole(const PrivacyRecord &privacy);

/** Which samples are private in the call and the releases that it tells of. */
[[nodiscard]] privacy::Domains private_domains(const PrivacyRecord &privacy);

/** Whether private losses have chosen among public predictors. */
[[nodiscard]] bool chose_anchor(const PrivacyRecord &privacy);

}  // namespace dpadapt
