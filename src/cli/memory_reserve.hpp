#pragma once

namespace dpadapt::cli {

/** From now on the first allocation that fails gets memory that was put aside, and only later ones
 *  throw: destructors of JSON allocate, and a result that was paid for must reach its file. */
void keep_memory_reserve();

}  // namespace dpadapt::cli
