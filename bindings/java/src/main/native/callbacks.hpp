/** Listener and loss of Java as callbacks of C. Both come back on the thread that made the call;
 *  the object of Java that receives them keeps what they throw, so no exception crosses the
 *  library. */
#pragma once

#include "glue.hpp"

struct java_callbacks;

/** For an org.dpadapt.Callbacks, to be released by java_callbacks_destroy after the call that uses
 *  it; null with an exception pending. */
java_callbacks *java_callbacks_create(JNIEnv *jenv, jobject receiver);
void java_callbacks_destroy(JNIEnv *jenv, java_callbacks *callbacks);

dpa_status java_callbacks_set_progress(java_callbacks *callbacks, dpa_options *options);
dpa_status java_callbacks_set_loss(java_callbacks *callbacks, dpa_options *options,
                                   size_t parameters, double loss_bound, double gradient_bound,
                                   double smoothness);

/** Copies between an array of Java and the memory of a running callback. */
void java_callbacks_read(JNIEnv *jenv, int64_t from, jdoubleArray to);
void java_callbacks_write(JNIEnv *jenv, int64_t to, jdoubleArray from);
