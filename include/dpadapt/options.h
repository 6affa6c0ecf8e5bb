/** Options: settings by name, a loss function, a cancel token, a progress callback.
 *
 *  The table of options can be listed with dpa_option_text, and is printed by the command `dpadapt
 *  options`. An option that is not set has its default. Types:
 *
 *      real      a finite number within the interval given by its values. Some also take a word,
 *                such as "auto"
 *      integer   a whole number within its interval; words as for real
 *      boolean   0 or 1, as text false or true
 *      choice    one of the words of its values
 *      vector    a word, or numbers separated by commas or blanks
 *
 *  dpa_options_set takes numbers, dpa_options_parse the text of any type.
 */
#ifndef DPADAPT_OPTIONS_H
#define DPADAPT_OPTIONS_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** Creates a set of options, all at their defaults.
 *  @param out  Receives the handle, to be released by dpa_options_destroy; NULL stored on failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_options_create(dpa_options **out);

/** Releases the options; NULL is accepted and ignored.  Since 0.1. */
DPA_API void dpa_options_destroy(dpa_options *options);

/** Sets an option of type real, integer or boolean.
 *  @param options  Changed only on success.
 *  @param name     Name of the option, zero-terminated; copied.
 *  @param value    Within the bounds of the option; whole for an integer, 0 or 1 for a boolean.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for a NULL name; DPA_E_OPTION_NAME;
 *          DPA_E_OPTION_TYPE when the option takes no number, or takes whole numbers only and the
 *          value (such as NaN) is none; DPA_E_OPTION when out of bounds or not finite, with the
 *          bounds in the message.  Since 0.2. */
DPA_API dpa_status dpa_options_set(dpa_options *options, const char *name, double value);

/** Sets an option of any type from text: "0.5", "true", "whiten", "auto". Errors are those of
 *  dpa_options_set, DPA_E_OPTION_TYPE for text that is not a value of the option's type,
 *  DPA_E_OPTION for a word that the option does not have, and DPA_E_NO_MEMORY.  Since 0.1. */
DPA_API dpa_status dpa_options_parse(dpa_options *options, const char *name, const char *text);

/** Value of an option as text that dpa_options_parse reads back to the same value.
 *  @param out      Buffer of out_len bytes, filled with zero-terminated text; may be NULL if
 *                  out_len is 0.
 *  @param needed   Receives the size needed, the final zero included; may be NULL.
 *  @return DPA_OK; DPA_E_BUFFER when out_len is too small (out is unchanged); DPA_E_HANDLE;
 *          DPA_E_OPTION_NAME; DPA_E_INVALID_ARGUMENT.  Since 0.1. */
DPA_API dpa_status dpa_options_get(const dpa_options *options, const char *name, char *out,
                                   size_t out_len, size_t *needed);

/** A text of option number index, counted from 0.
 *  @param what  "name", "tier", "type", "default", "values", "meaning", or "readers": the kinds of
 *               calls that read it, such as "fits, baselines". A solution's findings name options
 *               that were set and that its fit does not read, except those that evaluations,
 *               selections or forecasts read. The tiers: basic is what most fits need; advanced
 *               refines a default; research is for experiments and baselines, and may change in any
 *               release.
 *  @return Static text; NULL beyond the last option, or for other words. Any thread.  Since 0.2. */
DPA_API const char *dpa_option_text(size_t index, const char *what);

/** A loss function of the caller, l(theta; x, y) of one record, for the option `loss` = custom. It
 *  is called on the thread that made the call, with a batch of records.
 *  @param x           Row-major [rows, features]: records in the coordinates that `preprocess` and
 *                     `intercept` define, scaled down to `feature_radius` if that is set. With an
 *                     intercept the last feature is 1. `preprocess` = none and `intercept` = false
 *                     give the raw features.
 *  @param label       [rows], as they were given.
 *  @param theta       [parameters].
 *  @param losses      [rows], to be filled with the loss of each record, which must be >= 0; this
 *                     is not checked.
 *  @param gradients   Row-major [rows, parameters], to be filled with the gradients by theta; NULL
 *                     if they are not needed.
 *  @param user        The pointer given with the function.
 *  @return 0; a positive number stops the call with DPA_E_CANCELLED, a negative one with
 *          DPA_E_CALLBACK. Leaving by an exception or by longjmp is forbidden, as are calls that
 *          change the problem or destroy a handle in use.
 *
 *  A public record whose result is not finite, or not written, counts as an infinite loss. No fit
 *  ends at such a point; a fit that starts at one fails with DPA_E_NUMERICAL. Private records are
 *  passed one by one. Their results count as zero if they are not finite or if the function fails.
 *  No returned number stops the call, and results are clipped before they are added up. So the
 *  privacy guarantee does not depend on what the function computes, AS LONG AS it keeps nothing
 *  about records from one call to the next and publishes nothing itself. Calls on a locked problem
 *  (dpa_problem_lock) or a job refuse it before a payment. */
typedef int32_t (*dpa_loss_fn)(const double *x, size_t rows, size_t features, const double *label,
                               const double *theta, size_t parameters, double *losses,
                               double *gradients, void *user);

/** Sets the loss function of the calls that use these options, and the option `loss` to custom.
 *  @param options         Changed only on success.
 *  @param function        NULL: removes the function and sets `loss` to squared; what follows is
 *                         not read.
 *  @param user            Handed to the function; not read by the library.
 *  @param parameters      Length of theta, from 1 to 2^24; theta starts at 0. A private fit takes
 *                         at most 2^20, two less with lambda_2 or lambda_inf, and about 1600 bytes
 *                         of memory per parameter.
 *  @param loss_bound      B: no loss of a record is larger, for theta in the ball. This and the
 *                         following are > 0, and infinite where unknown. A bound that privacy needs
 *                         is enforced by clipping, or must be given.
 *  @param gradient_bound  G, of the norm of the gradient of a record.
 *  @param smoothness      beta, of the spectral norm of the Hessian of a record.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_DIMENSION for no parameters; DPA_E_OVERFLOW for more than
 *          2^24; DPA_E_OPTION for a bound that is NaN or not positive.  Since 0.1. */
DPA_API dpa_status dpa_options_set_loss(dpa_options *options, dpa_loss_fn function, void *user,
                                        size_t parameters, double loss_bound, double gradient_bound,
                                        double smoothness);

/** What a progress callback may read. A later version may add members at the end. */
typedef struct dpa_progress {
    const char *phase; /**< Static text, one of the phases below. */
    int64_t iteration; /**< Within the phase, from 0. */
    int64_t limit;     /**< Iterations at which the phase ends at the latest; 0 when unknown. */
    double objective;  /**< At the iterate, in units of the loss; NaN when there is none yet. */
    double gap;        /**< Duality gap at the iterate; NaN when there is none yet. */
} dpa_progress;

/** Called now and then during a long call, on the thread that made the call. The phases:
 *
 *      preprocess                the samples are read
 *      public fit                the public sample is fitted; defaults are computed from it
 *      choose alpha              alpha and the radius are chosen by the target, without privacy
 *      discrepancy               the discrepancy is estimated or released
 *      solve                     the objective is minimized without privacy
 *      private steps             a private fit makes its noisy steps
 *      weighted fit              a baseline fits the samples with its weights
 *      matching                  kmm computes weights
 *      interior point            kmm or kliep solves a quadratic program
 *      likelihood                kliep computes weights
 *      leave-one-out             ulsif or rulsif chooses its kernel and penalty
 *      moment matching           dm, gdm or private_dm computes weights that make the moments equal
 *      discrepancy minimization  they make the moments as equal as they can be
 *      candidates                a search fits its candidates
 *      selection                 candidates are compared
 *      evaluation                errors are measured
 *      forecast                  fits to simulated targets are made
 *      votes                     answers of teachers are released
 *
 *  @param progress  Valid during the callback only.
 *  @param user      The pointer given with the callback.
 *  @return 0 to go on; any other number stops the call with DPA_E_CANCELLED. Leaving by an
 *          exception or by longjmp is forbidden. */
typedef int32_t (*dpa_progress_fn)(const dpa_progress *progress, void *user);

/** Sets the progress callback of the calls that use these options; NULL removes it.
 *  @param user  Handed to the callback; not read by the library.  Since 0.1. */
DPA_API dpa_status dpa_options_set_progress(dpa_options *options, dpa_progress_fn callback,
                                            void *user);

/** Creates a cancel token.
 *  @param out  Receives the handle, to be released by dpa_cancel_destroy; NULL stored on failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_cancel_create(dpa_cancel **out);

/** Releases the token after the calls that use it have returned; NULL is accepted. Later calls with
 *  options that still have it are DPA_E_HANDLE (dpa_options_set_cancel).  Since 0.1. */
DPA_API void dpa_cancel_destroy(dpa_cancel *cancel);

/** Asks the calls that use this token, now or later, to stop with DPA_E_CANCELLED.  Any
 *  thread, also in a signal handler. Since 0.1. */
DPA_API dpa_status dpa_cancel_request(dpa_cancel *cancel);

/** Sets the token of the calls that use these options; NULL removes it. The token is borrowed.
 *  Since 0.1. */
DPA_API dpa_status dpa_options_set_cancel(dpa_options *options, dpa_cancel *cancel);

DPA_EXTERN_C_END

#endif
