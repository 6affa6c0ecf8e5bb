#include "passes.hpp"

#include <new>

struct java_passes {
    JavaVM *machine;
    jweak receiver;
    jmethodID answer;
    jfieldID thrown;
};

namespace {

/** The sum of all records as the receiver has it, merged into the total; else an exception is
 *  pending, or none because the receiver has caught it. */
bool merged(JNIEnv *env, const java_passes &passes, jobject receiver, const std::uint8_t *request,
            jsize length, dpa_partial *total) {
    jbyteArray asked = env->NewByteArray(length);
    if (asked == nullptr) return false;
    env->SetByteArrayRegion(asked, 0, length, reinterpret_cast<const jbyte *>(request));
    auto sum = static_cast<jbyteArray>(env->CallObjectMethod(receiver, passes.answer, asked));
    env->DeleteLocalRef(asked);
    if (sum == nullptr || env->ExceptionCheck()) return false;
    glue::ConstBytes bytes;
    const bool opened = bytes.open(env, sum);
    env->DeleteLocalRef(sum);
    if (!opened) return false;
    const dpa_status status = dpa_partial_merge(total, bytes.data(), bytes.size());
    if (status != DPA_OK) glue::raise(env, status);
    return status == DPA_OK;
}

std::int32_t on_pass(const std::uint8_t *request, std::size_t length, dpa_partial *total,
                     void *user) {
    const auto &passes = *static_cast<const java_passes *>(user);
    void *found = nullptr;
    passes.machine->GetEnv(&found, JNI_VERSION_10);
    auto *env = static_cast<JNIEnv *>(found);
    jobject receiver = env->NewLocalRef(passes.receiver);
    if (receiver == nullptr) return 1;
    const bool is_done = merged(env, passes, receiver, request, static_cast<jsize>(length), total);
    // Kept without running Java, for which there may be no room.
    if (jthrowable thrown = env->ExceptionOccurred()) {
        env->ExceptionClear();
        env->SetObjectField(receiver, passes.thrown, thrown);
        env->DeleteLocalRef(thrown);
    }
    env->DeleteLocalRef(receiver);
    return is_done ? 0 : 1;
}

}  // namespace

java_passes *java_passes_create(JNIEnv *jenv, jobject receiver) {
    java_passes made{};
    if (jenv->GetJavaVM(&made.machine) != JNI_OK) {
        glue::raise(jenv, DPA_E_INTERNAL, "no Java virtual machine");
        return nullptr;
    }
    jclass type = jenv->GetObjectClass(receiver);
    made.answer = jenv->GetMethodID(type, "answer", "([B)[B");
    if (made.answer == nullptr) return nullptr;
    made.thrown = jenv->GetFieldID(type, "thrown", "Ljava/lang/Throwable;");
    if (made.thrown == nullptr) return nullptr;
    auto *passes = new (std::nothrow) java_passes(made);
    if (passes != nullptr) passes->receiver = jenv->NewWeakGlobalRef(receiver);
    if (passes == nullptr || passes->receiver == nullptr) {
        delete passes;
        if (!jenv->ExceptionCheck()) glue::raise_no_memory(jenv);
        return nullptr;
    }
    return passes;
}

void java_passes_destroy(JNIEnv *jenv, java_passes *passes) {
    if (passes == nullptr) return;
    jenv->DeleteWeakGlobalRef(passes->receiver);
    delete passes;
}

dpa_status java_passes_set(java_passes *passes, dpa_problem *problem, int32_t domain, size_t rows,
                           size_t cols) {
    return dpa_problem_set_passes(problem, domain, rows, cols, on_pass, passes);
}

dpa_status java_passes_set_persons(java_passes *passes, dpa_problem *problem, size_t persons,
                                   size_t cols) {
    return dpa_problem_set_passes(problem, DPA_PERSONS, persons, cols, on_pass, passes);
}
