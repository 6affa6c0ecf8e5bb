/** Status codes, their names, the message of the last failure, version and build facts.
 *
 *  Every function that can fail returns a dpa_status. The code is the kind of failure; the message
 *  of dpa_last_error() names the function, the argument and the value. A call that fails changes
 *  nothing but the ledger of its problem: handles stay usable and output arrays keep their content.
 *  Only a handle that it should have returned becomes NULL. "Any thread" means that threads may
 *  call the function at the same time.
 *
 *  The ledger (privacy.h) keeps what a call entered before it failed: the price of a private call,
 *  such as one with DPA_E_STORE, DPA_E_CALLBACK or DPA_E_CANCELLED, or a note that something was
 *  taken without protection, as by dpa_inspect_private with too small a buffer.
 */
#ifndef DPADAPT_STATUS_H
#define DPADAPT_STATUS_H

#include <dpadapt/export.h>
#include <stdint.h>

DPA_EXTERN_C_BEGIN

/** DPA_OK or one of the negative codes below. Treat a negative code that you do not know as an
 *  error. */
typedef int32_t dpa_status;

#define DPA_OK 0

/* The caller's data or arguments. */
#define DPA_E_INVALID_ARGUMENT (-1) /**< NULL pointer, unknown layout, malformed argument. */
#define DPA_E_DIMENSION (-2)        /**< Sizes that do not fit together. */
#define DPA_E_NONFINITE (-3)        /**< NaN or infinity in public data; rows count from 0. */
#define DPA_E_OPTION (-4)           /**< Option out of bounds, or options that contradict. */
#define DPA_E_STATE (-5)            /**< Called too early, such as before the data are set. */
#define DPA_E_FORMAT (-6)           /**< Bytes that are not a saved solution, or damaged. */
#define DPA_E_BUFFER (-7)           /**< Output buffer too small; the size has been stored. */
#define DPA_E_HANDLE (-8)           /**< NULL, destroyed, or a handle of another type. */
#define DPA_E_EMPTY (-9)            /**< Zero rows or zero columns. */
#define DPA_E_STRIDE (-10)          /**< Leading dimension smaller than what it must span. */
#define DPA_E_OVERFLOW (-11)        /**< 2^31 rows or columns, or other sizes beyond all bounds. */
#define DPA_E_OPTION_NAME (-12)     /**< No option of this name. */
#define DPA_E_OPTION_TYPE (-13)     /**< The option takes values of another type. */
#define DPA_E_LABEL (-14) /**< A public label without a meaning, or none where one is needed. */

/* The run. */
#define DPA_E_NUMERICAL (-20) /**< A factorisation failed or numbers overflowed. */
#define DPA_E_CANCELLED (-21) /**< A cancel request or the callback stopped the call. */
#define DPA_E_CALLBACK (-22)  /**< A caller's function misbehaved. */
#define DPA_E_STORE (-23)     /**< A ledger or a file could not be read or stored. */

/* The environment. */
#define DPA_E_NO_MEMORY (-40)   /**< Memory exhausted. */
#define DPA_E_ENTROPY (-41)     /**< The operating system gave no random bytes. */
#define DPA_E_UNSUPPORTED (-42) /**< This build or version cannot do it. */

/* Privacy. */
#define DPA_E_NOT_RELEASABLE (-60) /**< Computed from private rows and not released. */
#define DPA_E_BUDGET (-61)         /**< The privacy budget does not cover the call. */

#define DPA_E_INTERNAL (-90) /**< A defect of the library; please report it. */

/** Version of the library in use as "major.minor.patch"; static text.  Any thread.  Since 0.1. */
DPA_API const char *dpa_version(void);

/** Facts of the build and of the BLAS in use as one JSON object (version, compiler, flags,
 *  armadillo, blas, blas_threads). Static text of the calling thread, valid until its next call of
 *  this function; NULL when memory is exhausted.  Any thread.  Since 0.1. */
DPA_API const char *dpa_build_info(void);

/** Name of a status code, such as "DPA_E_DIMENSION"; "unknown status" for other numbers; static
 *  text. Any thread.  Since 0.1. */
DPA_API const char *dpa_status_string(dpa_status status);

/** One line about the latest failure in the calling thread: function, argument, rule, value. Empty
 *  text when no call of this thread has failed; kept until the next failing call of the thread; at
 *  most 1023 bytes.  Any thread.  Since 0.1. */
DPA_API const char *dpa_last_error(void);

DPA_EXTERN_C_END

#endif
