#include "callbacks.h"

#include <setjmp.h>
#include <stdlib.h>

typedef struct {
    SEXP progress;
    SEXP loss;
    SEXP token; /* of R_UnwindProtect: where a stopped jump was going */
    int jumped;
} Callbacks;

static void release(SEXP holder) {
    free(R_ExternalPtrAddr(holder));
    R_ClearExternalPtr(holder);
}

SEXP glue_callbacks(SEXP progress, SEXP loss) {
    SEXP token = Rf_protect(R_MakeUnwindCont());
    SEXP kept = Rf_protect(Rf_list3(progress, loss, token));
    SEXP holder = Rf_protect(R_MakeExternalPtr(NULL, Rf_install("callbacks"), kept));
    R_RegisterCFinalizerEx(holder, release, TRUE);
    Callbacks *callbacks = malloc(sizeof *callbacks);
    if (callbacks == NULL) glue_fail(DPA_E_NO_MEMORY, "out of memory");
    *callbacks = (Callbacks){progress, loss, token, 0};
    R_SetExternalPtrAddr(holder, callbacks);
    Rf_unprotect(3);
    return holder;
}

SEXP glue_resume(SEXP holder) {
    Callbacks *callbacks = glue_pointer(holder, "callbacks");
    if (callbacks != NULL && callbacks->jumped) {
        callbacks->jumped = 0;
        R_ContinueUnwind(callbacks->token);
    }
    return R_NilValue;
}

static void on_jump(void *frame, Rboolean jump) {
    if (jump) longjmp(*(jmp_buf *)frame, 1);
}

/** Evaluates body(data); false when R jumped out of it. */
static int protected_call(Callbacks *callbacks, SEXP (*body)(void *), void *data) {
    jmp_buf frame;
    if (setjmp(frame)) {
        callbacks->jumped = 1;
        return 0;
    }
    R_UnwindProtect(body, data, on_jump, &frame, callbacks->token);
    return 1;
}

typedef struct {
    SEXP function;
    const dpa_progress *progress;
} Report;

static SEXP report(void *data) {
    const Report *this = data;
    const dpa_progress *progress = this->progress;
    R_CheckUserInterrupt();
    if (this->function == R_NilValue) return R_NilValue;
    SEXP call = Rf_protect(Rf_allocVector(LANGSXP, 6)), at = call;
    SETCAR(at, this->function), at = CDR(at);
    SETCAR(at, glue_text(progress->phase)), at = CDR(at);
    SETCAR(at, Rf_ScalarReal((double)progress->iteration)), at = CDR(at);
    SETCAR(at, Rf_ScalarReal((double)progress->limit)), at = CDR(at);
    SETCAR(at, Rf_ScalarReal(progress->objective)), at = CDR(at);
    SETCAR(at, Rf_ScalarReal(progress->gap));
    Rf_eval(call, R_GlobalEnv);
    Rf_unprotect(1);
    return R_NilValue;
}

static int32_t on_progress(const dpa_progress *progress, void *user) {
    Callbacks *callbacks = user;
    Report data = {callbacks->progress, progress};
    return callbacks->jumped || !protected_call(callbacks, report, &data);
}

dpa_status glue_set_progress(dpa_options *options, SEXP holder) {
    return dpa_options_set_progress(options, on_progress, glue_pointer(holder, "callbacks"));
}

typedef struct {
    SEXP function;
    const double *x, *label, *theta;
    size_t rows, features, parameters;
    double *losses, *gradients;
    int32_t status;
} Losses;

static SEXP numbers(const double *from, size_t length) {
    SEXP to = Rf_allocVector(REALSXP, (R_xlen_t)length);
    for (size_t i = 0; i < length; i++) REAL(to)[i] = from[i];
    return to;
}

static SEXP transposed(const double *from, size_t rows, size_t cols) {
    SEXP to = Rf_allocMatrix(REALSXP, (int)rows, (int)cols);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++) REAL(to)[i + j * rows] = from[i * cols + j];
    return to;
}

static int is_numbers(SEXP x, size_t length) {
    return TYPEOF(x) == REALSXP && (size_t)XLENGTH(x) == length;
}

static SEXP evaluate(void *data) {
    Losses *this = data;
    const size_t rows = this->rows, parameters = this->parameters;
    SEXP x = Rf_protect(transposed(this->x, rows, this->features));
    SEXP y = Rf_protect(numbers(this->label, rows));
    SEXP theta = Rf_protect(numbers(this->theta, parameters));
    SEXP call = Rf_protect(Rf_lang4(this->function, x, y, theta));
    SEXP both = Rf_protect(Rf_eval(call, R_GlobalEnv));
    this->status = -1;
    if (TYPEOF(both) == VECSXP && XLENGTH(both) == 2 && is_numbers(VECTOR_ELT(both, 0), rows) &&
        is_numbers(VECTOR_ELT(both, 1), rows * parameters)) {
        const double *gradients = REAL(VECTOR_ELT(both, 1));
        for (size_t i = 0; i < rows; i++) {
            this->losses[i] = REAL(VECTOR_ELT(both, 0))[i];
            for (size_t j = 0; this->gradients != NULL && j < parameters; j++)
                this->gradients[i * parameters + j] = gradients[i + j * rows];
        }
        this->status = 0;
    }
    Rf_unprotect(5);
    return R_NilValue;
}

static int32_t on_loss(const double *x, size_t rows, size_t features, const double *label,
                       const double *theta, size_t parameters, double *losses, double *gradients,
                       void *user) {
    Callbacks *callbacks = user;
    Losses data = {callbacks->loss, x,          label,  theta,     rows,
                   features,        parameters, losses, gradients, 0};
    if (callbacks->jumped || !protected_call(callbacks, evaluate, &data)) return 1;
    return data.status;
}

dpa_status glue_set_loss(dpa_options *options, SEXP holder, size_t parameters, double loss_bound,
                         double gradient_bound, double smoothness) {
    return dpa_options_set_loss(options, on_loss, glue_pointer(holder, "callbacks"), parameters,
                                loss_bound, gradient_bound, smoothness);
}
