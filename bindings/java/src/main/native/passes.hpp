/** A pass of Java as a callback of C. It comes back on the thread that made the call; the object of
 *  Java that receives it keeps what it throws, so no exception crosses the library. */
#pragma once

#include "glue.hpp"

struct java_passes;

/** For an org.dpadapt.Passes, which is held weakly: whoever makes a call keeps it. To be released
 *  by java_passes_destroy when no sample refers to it; null with an exception pending. */
java_passes *java_passes_create(JNIEnv *jenv, jobject receiver);
void java_passes_destroy(JNIEnv *jenv, java_passes *passes);

dpa_status java_passes_set(java_passes *passes, dpa_problem *problem, int32_t domain, size_t rows,
                           size_t cols);
dpa_status java_passes_set_persons(java_passes *passes, dpa_problem *problem, size_t persons,
                                   size_t cols);
