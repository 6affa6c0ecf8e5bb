/* The environment's CMOCKA_TEST_FILTER, such as *refused*, chooses functions of a program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* cmocka.h needs the headers above. */
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

__attribute__((constructor)) static void choose_functions(void) {
    cmocka_set_test_filter(getenv("CMOCKA_TEST_FILTER"));
}
