#pragma once

#include <optional>
#include <string>

#include "schema/learn.hpp"

namespace dpadapt::schema {

/** What is seen fewer times than this is rare: 1 record in 100, and 10 records, or a quarter of
 *  very few. */
[[nodiscard]] std::size_t common_from(std::size_t rows);

/** The coding of a column of the table, into the lesson, or the reason why it is dropped. */
void learn_column(const std::string &name, const Table &table, std::size_t column,
                  const Wishes &wishes, Lesson &lesson);

}  // namespace dpadapt::schema
