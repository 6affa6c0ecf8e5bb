// A request to cancel, in a signal handler, while another thread destroys the token: the handler
// gives back no memory, since it may have interrupted who does.
#include <dlfcn.h>
#include <dpadapt/options.h>
#include <pthread.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <new>
#include <thread>

// It has no guard for C++ of its own.
extern "C" {
#include <cmocka.h>
}

namespace {

std::atomic<dpa_cancel *> destroyed_next{nullptr};
std::atomic<bool> destroyed{false};
thread_local int given_back = 0;

/** Between two steps of a request. */
void destroy_elsewhere() {
    dpa_cancel *const token = destroyed_next.exchange(nullptr);
    if (token == nullptr) return;
    std::thread([token] { dpa_cancel_destroy(token); }).join();
    destroyed = true;
}

}  // namespace

// The library's calls of these come here.
extern "C" int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) {
    static const auto real = reinterpret_cast<int (*)(int, const sigset_t *, sigset_t *)>(
        dlsym(RTLD_NEXT, "pthread_sigmask"));
    const int result = real(how, set, before);
    if (how == SIG_SETMASK) destroy_elsewhere();
    return result;
}

void *operator new(std::size_t size) {
    void *const memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

void operator delete(void *memory) noexcept {
    ++given_back;
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept { operator delete(memory); }

namespace {

void a_handler_gives_back_no_memory(void **) {
    static dpa_cancel *token = nullptr;
    static int in_handler = -1;
    assert_int_equal(dpa_cancel_create(&token), DPA_OK);
    std::signal(SIGUSR1, [](int) {
        destroyed_next = token;
        const int before = given_back;
        (void)dpa_cancel_request(token);
        // What the helper's thread took and gave back here is not the request's.
        in_handler = given_back - before;
    });
    std::raise(SIGUSR1);
    assert_true(destroyed);
    assert_int_equal(in_handler, 0);
    assert_int_equal(dpa_cancel_request(token), DPA_E_HANDLE);
}

}  // namespace

int main() {
#ifdef __SANITIZE_THREAD__
    return 77;  // the test makes a thread in a handler, which ThreadSanitizer reports
#endif
    const CMUnitTest tests[] = {cmocka_unit_test(a_handler_gives_back_no_memory)};
    return cmocka_run_group_tests_name("cancel_handler", tests, nullptr, nullptr);
}
