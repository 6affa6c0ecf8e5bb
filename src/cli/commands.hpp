#pragma once

#include <CLI/CLI.hpp>

namespace dpadapt::cli {

// Each adds one command, which runs when the command line has been parsed.
void add_fit(CLI::App &program);
void add_predict(CLI::App &program);
void add_discrepancy(CLI::App &program);
void add_baseline(CLI::App &program);
void add_select(CLI::App &program);
void add_inspect(CLI::App &program);
void add_plan(CLI::App &program);
void add_privacy(CLI::App &program);
void add_options(CLI::App &program);

}  // namespace dpadapt::cli
