/** What the generated glue needs: arguments of Java as arguments of C, each released where it was taken, and errors as
 *  exceptions. Every class here belongs to one call on one thread. */
#pragma once

#include <dpadapt/dpadapt.h>
#include <jni.h>

#include <cstdint>

namespace glue {

/** Throws DpaException with that status and the message of the library's latest failure. */
void raise(JNIEnv *env, dpa_status status);

/** Throws DpaException with a message of our own. */
void raise(JNIEnv *env, dpa_status status, const char *message);

/** An array of Java that the library reads or fills. Null is a null pointer, so that the library refuses it. */
template <typename Element, typename JavaArray, typename JavaElement>
class Array {
  public:
    Array() = default;
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    ~Array() {
        if (elements_ != nullptr) release(elements_);
    }
    /** False: an exception is pending. */
    bool open(JNIEnv *env, JavaArray array, bool read_only = false) {
        if (array == nullptr) return true;
        env_ = env;
        array_ = array;
        mode_ = read_only ? JNI_ABORT : 0;
        size_ = static_cast<std::size_t>(env->GetArrayLength(array));
        take(elements_);
        return elements_ != nullptr;
    }
    Element *data() const { return reinterpret_cast<Element *>(elements_); }
    std::size_t size() const { return size_; }

  private:
    void take(jdouble *&to) { to = env_->GetDoubleArrayElements(array_, nullptr); }
    void take(jlong *&to) { to = env_->GetLongArrayElements(array_, nullptr); }
    void take(jint *&to) { to = env_->GetIntArrayElements(array_, nullptr); }
    void take(jbyte *&to) { to = env_->GetByteArrayElements(array_, nullptr); }
    void release(jdouble *from) { env_->ReleaseDoubleArrayElements(array_, from, mode_); }
    void release(jlong *from) { env_->ReleaseLongArrayElements(array_, from, mode_); }
    void release(jint *from) { env_->ReleaseIntArrayElements(array_, from, mode_); }
    void release(jbyte *from) { env_->ReleaseByteArrayElements(array_, from, mode_); }

    JNIEnv *env_ = nullptr;
    JavaArray array_ = nullptr;
    JavaElement *elements_ = nullptr;
    std::size_t size_ = 0;
    jint mode_ = 0;
};

using Doubles = Array<double, jdoubleArray, jdouble>;
using Sizes = Array<std::size_t, jlongArray, jlong>;
using Counts = Array<std::uint64_t, jlongArray, jlong>;
using Longs = Array<std::int64_t, jlongArray, jlong>;
using Ints = Array<std::int32_t, jintArray, jint>;
using Bytes = Array<std::uint8_t, jbyteArray, jbyte>;
using Chars = Array<char, jbyteArray, jbyte>;
static_assert(sizeof(std::size_t) == sizeof(jlong), "sizes travel as long");

/** A double[], or a direct buffer of doubles from its start. */
class Input {
  public:
    /** False: an exception is pending, which names the argument. */
    bool open(JNIEnv *env, jobject from, const char *name);
    const double *data() const { return data_; }

  private:
    Doubles array_;
    const double *data_ = nullptr;
};

/** A String as zero-terminated text. */
class Text {
  public:
    Text() = default;
    Text(const Text &) = delete;
    Text &operator=(const Text &) = delete;
    ~Text() {
        if (text_ != nullptr) env_->ReleaseStringUTFChars(string_, text_);
    }
    bool open(JNIEnv *env, jstring string) {
        if (string == nullptr) return true;
        env_ = env;
        string_ = string;
        text_ = env->GetStringUTFChars(string, nullptr);
        return text_ != nullptr;
    }
    const char *data() const { return text_; }

  private:
    JNIEnv *env_ = nullptr;
    jstring string_ = nullptr;
    const char *text_ = nullptr;
};

}  // namespace glue
