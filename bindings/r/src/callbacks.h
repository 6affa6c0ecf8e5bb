/** R functions called by a running fit. An interrupt, or any other jump that R makes in them, is
 *  stopped before it reaches the library, which is then asked to return; glue_resume() lets the
 *  jump go on. */
#ifndef DPADAPT_CALLBACKS_H
#define DPADAPT_CALLBACKS_H

#include <dpadapt/options.h>

#include "glue.h"

/** An object that keeps the functions for the options that use it; it must live as long as they do.
 *  @param progress Called as progress(phase, iteration, limit, objective, gap), or NULL: interrupts
 *                   are looked for all the same.
 *  @param loss Called as loss(x, y, theta) and returns list(losses, gradients), or NULL when it has
 *      failed. */
SEXP glue_callbacks(SEXP progress, SEXP loss);

/** Goes on with the jump that stopped a call, if one did. */
SEXP glue_resume(SEXP callbacks);

dpa_status glue_set_progress(dpa_options *options, SEXP callbacks);
dpa_status glue_set_loss(dpa_options *options, SEXP callbacks, size_t parameters, double loss_bound,
                         double gradient_bound, double smoothness);

#endif
