#include "glue.hpp"

#include <cstring>
#include <string>

namespace glue {

void raise(JNIEnv *env, dpa_status status, const char *message) {
    const auto length = static_cast<jsize>(std::strlen(message));
    jclass type = env->FindClass("org/dpadapt/DpaException");
    if (type == nullptr) return;
    jmethodID make = env->GetStaticMethodID(type, "of", "(I[B)Lorg/dpadapt/DpaException;");
    if (make == nullptr) return;
    // As bytes, because JNI's own idea of UTF-8 is another one.
    jbyteArray text = env->NewByteArray(length);
    if (text == nullptr) return;
    env->SetByteArrayRegion(text, 0, length, reinterpret_cast<const jbyte *>(message));
    auto exception =
        static_cast<jthrowable>(env->CallStaticObjectMethod(type, make, jint{status}, text));
    if (!env->ExceptionCheck()) env->Throw(exception);
}

void raise(JNIEnv *env, dpa_status status) { raise(env, status, dpa_last_error()); }

bool Input::open(JNIEnv *env, jobject from, const char *name) {
    if (from == nullptr) return true;
    jclass doubles = env->FindClass("[D");
    if (doubles == nullptr) return false;
    const bool is_array = env->IsInstanceOf(from, doubles);
    env->DeleteLocalRef(doubles);
    if (is_array) {
        if (!array_.open(env, static_cast<jdoubleArray>(from), true)) return false;
        data_ = array_.data();
        return true;
    }
    void *address = env->GetDirectBufferAddress(from);
    if (address == nullptr || reinterpret_cast<std::uintptr_t>(address) % alignof(double) != 0) {
        const std::string message =
            name + std::string(" must start at the address of a double, a multiple of ") +
            std::to_string(alignof(double)) + " bytes";
        raise(env, DPA_E_INVALID_ARGUMENT, message.c_str());
        return false;
    }
    data_ = static_cast<const double *>(address);
    return true;
}

}  // namespace glue
