#include "callbacks.hpp"

#include <new>

struct java_callbacks {
    JavaVM *machine;
    jobject receiver;
    jmethodID progress;
    jmethodID loss;
    jfieldID of_progress;
    jfieldID of_loss;
};

namespace {

JNIEnv *environment(const java_callbacks &callbacks) {
    void *env = nullptr;
    callbacks.machine->GetEnv(&env, JNI_VERSION_10);
    return static_cast<JNIEnv *>(env);
}

/** The receiver catches everything; what it cannot catch is no room for catching. That is kept in a
 *  field of it without running Java, and stops the call. */
std::int32_t answer(JNIEnv *env, const java_callbacks &callbacks, jfieldID kept, jint result,
                    std::int32_t otherwise) {
    jthrowable thrown = env->ExceptionOccurred();
    if (thrown == nullptr) return result;
    env->ExceptionClear();
    env->SetObjectField(callbacks.receiver, kept, thrown);
    env->DeleteLocalRef(thrown);
    return otherwise;
}

std::int32_t on_progress(const dpa_progress *progress, void *user) {
    const auto &callbacks = *static_cast<const java_callbacks *>(user);
    JNIEnv *env = environment(callbacks);
    jstring phase = env->NewStringUTF(progress->phase);
    if (phase == nullptr) return answer(env, callbacks, callbacks.of_progress, 1, 1);
    const jint result = env->CallIntMethod(callbacks.receiver, callbacks.progress, phase,
                                           jlong{progress->iteration}, jlong{progress->limit},
                                           progress->objective, progress->gap);
    const std::int32_t stop = answer(env, callbacks, callbacks.of_progress, result, 1);
    env->DeleteLocalRef(phase);
    return stop;
}

std::int32_t on_loss(const double *x, std::size_t rows, std::size_t features, const double *label,
                     const double *theta, size_t parameters, double *losses, double *gradients,
                     void *user) {
    const auto &callbacks = *static_cast<const java_callbacks *>(user);
    JNIEnv *env = environment(callbacks);
    const auto address = [](const double *p) { return reinterpret_cast<jlong>(p); };
    const jint result =
        env->CallIntMethod(callbacks.receiver, callbacks.loss, address(x), static_cast<jlong>(rows),
                           static_cast<jlong>(features), address(label), address(theta),
                           static_cast<jlong>(parameters), address(losses), address(gradients));
    return answer(env, callbacks, callbacks.of_loss, result, -1);
}

}  // namespace

java_callbacks *java_callbacks_create(JNIEnv *jenv, jobject receiver) {
    java_callbacks made{};
    if (jenv->GetJavaVM(&made.machine) != JNI_OK) {
        glue::raise(jenv, DPA_E_INTERNAL, "no Java virtual machine");
        return nullptr;
    }
    jclass type = jenv->GetObjectClass(receiver);
    made.progress = jenv->GetMethodID(type, "progress", "(Ljava/lang/String;JJDD)I");
    if (made.progress == nullptr) return nullptr;
    made.loss = jenv->GetMethodID(type, "loss", "(JJJJJJJJ)I");
    if (made.loss == nullptr) return nullptr;
    made.of_progress = jenv->GetFieldID(type, "ofListener", "Ljava/lang/Throwable;");
    if (made.of_progress == nullptr) return nullptr;
    made.of_loss = jenv->GetFieldID(type, "ofLoss", "Ljava/lang/Throwable;");
    if (made.of_loss == nullptr) return nullptr;
    auto *callbacks = new (std::nothrow) java_callbacks(made);
    if (callbacks != nullptr) callbacks->receiver = jenv->NewGlobalRef(receiver);
    if (callbacks == nullptr || callbacks->receiver == nullptr) {
        delete callbacks;
        if (!jenv->ExceptionCheck()) glue::raise_no_memory(jenv);
        return nullptr;
    }
    return callbacks;
}

void java_callbacks_destroy(JNIEnv *jenv, java_callbacks *callbacks) {
    if (callbacks == nullptr) return;
    jenv->DeleteGlobalRef(callbacks->receiver);
    delete callbacks;
}

dpa_status java_callbacks_set_progress(java_callbacks *callbacks, dpa_options *options) {
    return dpa_options_set_progress(options, on_progress, callbacks);
}

dpa_status java_callbacks_set_loss(java_callbacks *callbacks, dpa_options *options,
                                   size_t parameters, double loss_bound, double gradient_bound,
                                   double smoothness) {
    return dpa_options_set_loss(options, on_loss, callbacks, parameters, loss_bound, gradient_bound,
                                smoothness);
}

void java_callbacks_read(JNIEnv *jenv, int64_t from, jdoubleArray to) {
    jenv->SetDoubleArrayRegion(to, 0, jenv->GetArrayLength(to),
                               reinterpret_cast<const jdouble *>(from));
}

void java_callbacks_write(JNIEnv *jenv, int64_t to, jdoubleArray from) {
    jenv->GetDoubleArrayRegion(from, 0, jenv->GetArrayLength(from),
                               reinterpret_cast<jdouble *>(to));
}
