#pragma once

#include "engine/options.hpp"
#include "schema/learn.hpp"

namespace dpadapt::engine {

/** What the options say about labels: which ones the loss wants. */
[[nodiscard]] schema::Wishes wishes_of(const OptionValues &values);

/** Sets a loss for such labels, where that of the options is for numbers. */
void set_loss_for(const schema::Labels &labels, OptionValues &values);

}  // namespace dpadapt::engine
