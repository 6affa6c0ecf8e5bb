#pragma once

#include "engine/options.hpp"
#include "schema/learn.hpp"

namespace dpadapt::engine {

/** What the options say about labels: which ones the loss wants. */
[[nodiscard]] schema::Wishes wishes_of(const OptionValues &values);

}  // namespace dpadapt::engine
