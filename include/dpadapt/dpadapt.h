/** dpadapt: supervised domain adaptation under differential privacy. This header includes the whole
 *  API. */
#ifndef DPADAPT_DPADAPT_H
#define DPADAPT_DPADAPT_H

#include <dpadapt/arrow.h>
#include <dpadapt/baseline.h>
#include <dpadapt/discrepancy.h>
#include <dpadapt/evaluate.h>
#include <dpadapt/export.h>
#include <dpadapt/ledger.h>
#include <dpadapt/options.h>
#include <dpadapt/passes.h>
#include <dpadapt/privacy.h>
#include <dpadapt/problem.h>
#include <dpadapt/schema.h>
#include <dpadapt/select.h>
#include <dpadapt/solution.h>
#include <dpadapt/status.h>
#include <dpadapt/types.h>
#include <dpadapt/version.h>
#include <dpadapt/votes.h>

#endif
