/* Two copies of the library in one process: a handle of one is none of the other's. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"

typedef dpa_status (*create_problem)(dpa_problem **);
typedef void (*destroy_problem)(dpa_problem *);
typedef dpa_status (*shape_of)(const dpa_problem *, size_t *, size_t *, size_t *);

typedef struct {
    void *library;
    create_problem create;
    destroy_problem destroy;
    shape_of shape;
} copy;

static void find(void *library, const char *name, void *out) {
    void *found = dlsym(library, name);
    assert_non_null(found);
    memcpy(out, &found, sizeof found);
}

static copy load(const char *path) {
    copy loaded = {dlopen(path, RTLD_NOW | RTLD_LOCAL), NULL, NULL, NULL};
    if (!loaded.library) fail_msg("%s", dlerror());
    find(loaded.library, "dpa_problem_create", &loaded.create);
    find(loaded.library, "dpa_problem_destroy", &loaded.destroy);
    find(loaded.library, "dpa_problem_shape", &loaded.shape);
    return loaded;
}

static void copy_file(const char *from, const char *to) {
    static char block[1 << 16];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    for (size_t size; (size = fread(block, 1, sizeof block, in)) > 0;)
        assert_int_equal(fwrite(block, 1, size, out), size);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* Slots of both are numbered alike: the k-th problems of both, which live in the same places. */
static void handles_of_one_copy_are_refused_by_another(void **state) {
    (void)state;
    enum { kMany = 100 };
    char path[] = "/tmp/dpadapt-copy-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    copy_file(getenv("DPADAPT_LIBRARY"), path);
    const copy one = load(getenv("DPADAPT_LIBRARY")), other = load(path);
    assert_true(one.create != other.create);
    dpa_problem *ones[kMany], *others[kMany];
    for (int k = 0; k < kMany; ++k) {
        assert_ok(one.create(&ones[k]));
        assert_ok(other.create(&others[k]));
        assert_ptr_not_equal(ones[k], others[k]);
        assert_int_equal((uintptr_t)ones[k] & 1, 1); /* no address of an object */
    }
    for (int k = 0; k < kMany; ++k) {
        assert_int_equal(one.shape(others[k], NULL, NULL, NULL), DPA_E_HANDLE);
        assert_int_equal(other.shape(ones[k], NULL, NULL, NULL), DPA_E_HANDLE);
        one.destroy(others[k]);
        other.destroy(ones[k]);
    }
    for (int k = 0; k < kMany; ++k) {
        assert_ok(one.shape(ones[k], NULL, NULL, NULL));
        assert_int_equal(other.shape(others[k], NULL, NULL, NULL), DPA_OK);
        one.destroy(ones[k]);
        other.destroy(others[k]);
    }
    assert_int_equal(dlclose(other.library), 0);
    assert_int_equal(remove(path), 0);
}

/* It takes two copies of a variable for an error. */
#if defined(__SANITIZE_ADDRESS__)
enum { kOneCopyOnly = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { kOneCopyOnly = 1 };
#else
enum { kOneCopyOnly = 0 };
#endif
#else
enum { kOneCopyOnly = 0 };
#endif

int main(void) {
    if (kOneCopyOnly) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_of_one_copy_are_refused_by_another),
    };
    return cmocka_run_group_tests_name("two_copies", tests, NULL, NULL);
}
