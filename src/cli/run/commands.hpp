#pragma once

#include "cli/run/command_line.hpp"

namespace dpadapt::cli {

// Each adds one command, which runs when the command line has been parsed.
void add_fit(Command &program);
void add_predict(Command &program);
void add_report(Command &program);
void add_evaluate(Command &program);
void add_compare(Command &program);
void add_rehearse(Command &program);
void add_discrepancy(Command &program);
void add_baseline(Command &program);
void add_select(Command &program);
void add_inspect(Command &program);
void add_plan(Command &program);
void add_privacy(Command &program);
void add_ledger(Command &program);
void add_key(Command &program);
void add_verify(Command &program);
void add_options(Command &program);
void add_manual(Command &program);

}  // namespace dpadapt::cli
