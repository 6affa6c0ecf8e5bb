#include "glue.hpp"

#include <cstring>
#include <new>
#include <string>

namespace glue {

namespace {

/** Leaves an exception pending, or none if the virtual machine gave up without one. */
void raise_exception(JNIEnv *env, dpa_status status, const char *message) {
    jclass type = env->FindClass("org/dpadapt/DpaException");
    if (type == nullptr) return;
    jmethodID make = env->GetStaticMethodID(type, "of", "(I[B)Lorg/dpadapt/DpaException;");
    if (make == nullptr) return;
    jbyteArray text = bytes(env, message);
    if (text == nullptr) return;
    auto exception =
        static_cast<jthrowable>(env->CallStaticObjectMethod(type, make, jint{status}, text));
    if (!env->ExceptionCheck()) env->Throw(exception);
}

}  // namespace

void raise(JNIEnv *env, dpa_status status, const char *message) {
    raise_exception(env, status, message);
    if (env->ExceptionCheck()) return;
    // A failed call must not look like one that worked.
    jclass error = env->FindClass("java/lang/OutOfMemoryError");
    if (error != nullptr) env->ThrowNew(error, message);
}

void raise(JNIEnv *env, dpa_status status) { raise(env, status, dpa_last_error()); }

void raise_no_memory(JNIEnv *env) { raise(env, DPA_E_NO_MEMORY, "out of memory"); }

jbyteArray bytes(JNIEnv *env, const char *text) {
    if (text == nullptr) return nullptr;
    const auto length = static_cast<jsize>(std::strlen(text));
    jbyteArray made = env->NewByteArray(length);
    if (made == nullptr) return nullptr;
    env->SetByteArrayRegion(made, 0, length, reinterpret_cast<const jbyte *>(text));
    return env->ExceptionCheck() ? nullptr : made;
}

bool Texts::open(JNIEnv *env, jbyteArray from) {
    if (!letters_.open(env, from)) return false;
    if (from == nullptr) return true;
    const char *const begin = letters_.data();
    const char *const end = begin + letters_.size();
    const auto count = static_cast<std::size_t>(std::count(begin, end, '\0'));
    texts_.reset(new (std::nothrow) const char *[std::max<std::size_t>(count, 1)]);
    if (texts_ == nullptr) {
        raise_no_memory(env);
        return false;
    }
    for (const char *at = begin; size_ < count; at += std::strlen(at) + 1) texts_[size_++] = at;
    return true;
}

bool Input::open(JNIEnv *env, jobject from, const char *name) {
    if (from == nullptr) return true;
    jclass doubles = env->FindClass("[D");
    if (doubles == nullptr) return false;
    const bool is_array = env->IsInstanceOf(from, doubles);
    env->DeleteLocalRef(doubles);
    if (is_array) {
        if (!array_.open(env, static_cast<jdoubleArray>(from))) return false;
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

bool Matrix::open(JNIEnv *env, jobject from, const char *name) {
    if (from == nullptr) return true;
    jclass type = env->GetObjectClass(from);
    jfieldID data = env->GetFieldID(type, "data", "Ljava/lang/Object;");
    jfieldID rows = data == nullptr ? nullptr : env->GetFieldID(type, "rows", "J");
    jfieldID columns = rows == nullptr ? nullptr : env->GetFieldID(type, "columns", "J");
    env->DeleteLocalRef(type);
    if (columns == nullptr) return false;
    if (!input_.open(env, env->GetObjectField(from, data), name)) return false;
    const auto width = static_cast<std::size_t>(env->GetLongField(from, columns));
    matrix_ = {input_.data(), static_cast<std::size_t>(env->GetLongField(from, rows)), width, width,
               DPA_ROW_MAJOR};
    return true;
}

void give(JNIEnv *env, const dpa_measure &measure, jobjectArray to) {
    for (const auto &[place, text] : {std::pair(0, measure.name), std::pair(2, measure.note)}) {
        jbyteArray copy = bytes(env, text);
        if (env->ExceptionCheck()) return;
        env->SetObjectArrayElement(to, place, copy);
        if (env->ExceptionCheck()) return;
    }
    const jdouble numbers[] = {static_cast<jdouble>(measure.solution),
                               measure.estimate,
                               measure.lower,
                               measure.upper,
                               measure.from,
                               measure.to,
                               measure.rows};
    auto filled = static_cast<jdoubleArray>(env->GetObjectArrayElement(to, 1));
    if (!env->ExceptionCheck()) env->SetDoubleArrayRegion(filled, 0, 7, numbers);
}

}  // namespace glue
