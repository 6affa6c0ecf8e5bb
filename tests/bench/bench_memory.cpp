// Peak memory of a solve as a multiple of the input, copied and lent, each in a process of its own.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instance.hpp"

namespace {

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

int measure(std::size_t rows, std::size_t cols, bool lend) {
    const double before = peak_bytes();
    const Instance instance(rows, cols);
    solve(instance, lend, 1);
    const double input = 8.0 * static_cast<double>(instance.rows() * (cols + 1));
    std::printf(
        "{\"rows\": %zu, \"columns\": %zu, \"data\": \"%s\", \"input_bytes\": %.0f, "
        "\"peak/input\": %.3f}\n",
        rows, cols, lend ? "lent" : "copied", input, (peak_bytes() - before) / input);
    std::fflush(stdout);
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    const std::size_t rows = is_smoke(argc, argv) ? 2000 : 1000000;
    for (const bool lend : {false, true}) {
        const pid_t child = fork();
        if (child < 0) return EXIT_FAILURE;
        if (child == 0) _exit(measure(rows, 100, lend));
        int status = 0;
        if (waitpid(child, &status, 0) != child || status != 0) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
