/** What the generated glue needs: arguments of Java as arguments of C, each released where it was
 *  taken, and errors as exceptions. Every class here belongs to one call on one thread. */
#pragma once

#include <dpadapt/dpadapt.h>
#include <jni.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace glue {

/** Throws DpaException with that status and the message of the library's latest failure. */
void raise(JNIEnv *env, dpa_status status);

/** Throws DpaException with a message of our own. */
void raise(JNIEnv *env, dpa_status status, const char *message);

/** Throws DpaException for memory that this glue did not get. */
void raise_no_memory(JNIEnv *env);

/** Memory for an array of Java: a copy, which the library reads; or zeros, which it fills, and
 *  which are then written to the array, unless the call failed. Null is a null pointer, so that the
 *  library refuses it. The memory is ours, because a virtual machine that has none for a copy of
 *  its own does not always say so by an exception. */
template <typename Element, typename JavaArray, typename JavaElement>
class Array {
  public:
    Array() = default;
    Array(const Array &) = delete;
    Array &operator=(const Array &) = delete;
    ~Array() {
        if constexpr (!kIsRead)
            if (elements_ != nullptr && !env_->ExceptionCheck()) write(elements_.get());
    }
    /** False: an exception is pending. */
    bool open(JNIEnv *env, JavaArray array) {
        if (array == nullptr) return true;
        env_ = env;
        array_ = array;
        length_ = env->GetArrayLength(array);
        const std::size_t room = std::max<std::size_t>(size(), 1);  // of none, C may give null
        void *memory = kIsRead ? std::malloc(room * sizeof(JavaElement))
                               : std::calloc(room, sizeof(JavaElement));
        elements_.reset(static_cast<JavaElement *>(memory));
        if (elements_ == nullptr) {
            raise_no_memory(env);
            return false;
        }
        if constexpr (kIsRead) read(elements_.get());
        return !env->ExceptionCheck();
    }
    Element *data() const { return reinterpret_cast<Element *>(elements_.get()); }
    std::size_t size() const { return static_cast<std::size_t>(length_); }

  private:
    static constexpr bool kIsRead = std::is_const_v<Element>;

    struct Free {
        void operator()(JavaElement *memory) const { std::free(memory); }
    };

    void read(jdouble *to) { env_->GetDoubleArrayRegion(array_, 0, length_, to); }
    void read(jlong *to) { env_->GetLongArrayRegion(array_, 0, length_, to); }
    void read(jint *to) { env_->GetIntArrayRegion(array_, 0, length_, to); }
    void read(jbyte *to) { env_->GetByteArrayRegion(array_, 0, length_, to); }
    void write(const jdouble *from) { env_->SetDoubleArrayRegion(array_, 0, length_, from); }
    void write(const jlong *from) { env_->SetLongArrayRegion(array_, 0, length_, from); }
    void write(const jint *from) { env_->SetIntArrayRegion(array_, 0, length_, from); }
    void write(const jbyte *from) { env_->SetByteArrayRegion(array_, 0, length_, from); }

    JNIEnv *env_ = nullptr;
    JavaArray array_ = nullptr;
    jsize length_ = 0;
    std::unique_ptr<JavaElement[], Free> elements_;
};

using Doubles = Array<double, jdoubleArray, jdouble>;
using ConstDoubles = Array<const double, jdoubleArray, jdouble>;
using Sizes = Array<std::size_t, jlongArray, jlong>;
using ConstSizes = Array<const std::size_t, jlongArray, jlong>;
using Counts = Array<std::uint64_t, jlongArray, jlong>;
using Longs = Array<std::int64_t, jlongArray, jlong>;
using Ints = Array<std::int32_t, jintArray, jint>;
using ConstInts = Array<const std::int32_t, jintArray, jint>;
using Bytes = Array<std::uint8_t, jbyteArray, jbyte>;
using ConstBytes = Array<const std::uint8_t, jbyteArray, jbyte>;
using Chars = Array<char, jbyteArray, jbyte>;
using Text = Array<const char, jbyteArray, jbyte>;  ///< UTF-8 with its zero, by Check.text
static_assert(sizeof(std::size_t) == sizeof(jlong), "sizes travel as long");

/** Texts, one after another, each with its zero, by Check.texts. */
class Texts {
  public:
    /** False: an exception is pending. */
    bool open(JNIEnv *env, jbyteArray from);
    const char *const *data() const { return texts_.get(); }
    std::size_t size() const { return size_; }

  private:
    Text letters_;
    std::unique_ptr<const char *[]> texts_;
    std::size_t size_ = 0;
};

/** A double[], or a direct buffer of doubles from its start. */
class Input {
  public:
    /** False: an exception is pending, which names the argument. */
    bool open(JNIEnv *env, jobject from, const char *name);
    const double *data() const { return data_; }

  private:
    ConstDoubles array_;
    const double *data_ = nullptr;
};

/** A Matrix of Java, whose data are an Input of rows without gaps. */
class Matrix {
  public:
    /** False: an exception is pending, which names the argument. */
    bool open(JNIEnv *env, jobject from, const char *name);
    const dpa_matrix &matrix() const { return matrix_; }

  private:
    Input input_;
    dpa_matrix matrix_{};
};

/** Fills the array { name, numbers, note } of Java. */
void give(JNIEnv *env, const dpa_measure &measure, jobjectArray to);

/** Text as its bytes, because JNI's own idea of UTF-8 is another one. Null for null, or with an
 *  exception pending. */
jbyteArray bytes(JNIEnv *env, const char *text);

}  // namespace glue
