// How long a call does not ask whether it should stop: the longest silence between two calls of the
// progress function, in CPU seconds of the calling thread, and where. Bar: 0.2 s at 10^6 x 100. And
// what the fit cost altogether. One JSON line a case.
#include <cstring>
#include <ctime>
#include <string>

#include "instance.hpp"

namespace {

double cpu_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Watch {
    double last;
    double longest = 0.0;
    std::size_t calls = 0;
    std::string where = "start";
    std::string phase = "start";

    void see(const char *now) {
        const double time = cpu_seconds();
        if (time - last > longest) {
            longest = time - last;
            where = phase + " to " + now;
        }
        phase = now;
        ++calls;
        last = cpu_seconds();
    }
};

int32_t watch(const dpa_progress *progress, void *user) {
    static_cast<Watch *>(user)->see(progress->phase);
    return 0;
}

struct Case {
    const char *name;
    std::vector<std::pair<const char *, const char *>> options;
    const char *baseline = nullptr;
    bool classes = false;
};

void run(const Instance &instance, std::vector<double> labels, const Case &of) {
    dpa_problem *problem = nullptr;
    check(dpa_problem_create(&problem));
    const std::unique_ptr<dpa_problem, Deleter> keep_problem(problem);
    const std::size_t d = instance.cols;
    if (of.classes)
        for (double &y : labels) y = y > 0.0 ? 1.0 : -1.0;
    check(dpa_problem_lend_sample(problem, DPA_SOURCE,
                                  dpa_matrix{instance.x, instance.source, d, d, DPA_ROW_MAJOR},
                                  labels.data(), instance.source));
    check(dpa_problem_lend_sample(
        problem, DPA_TARGET,
        dpa_matrix{instance.x + instance.source * d, instance.target(), d, d, DPA_ROW_MAJOR},
        labels.data() + instance.source, instance.target()));
    dpa_options *options = nullptr;
    check(dpa_options_create(&options));
    const std::unique_ptr<dpa_options, Deleter> keep_options(options);
    for (const auto &[name, value] : of.options) check(dpa_options_parse(options, name, value));
    Watch silence{cpu_seconds()};
    check(dpa_options_set_progress(options, watch, &silence));
    const double begin = cpu_seconds();
    dpa_solution *solution = nullptr;
    const dpa_status status = of.baseline != nullptr
                                  ? dpa_baseline_solve(problem, of.baseline, options, &solution)
                                  : dpa_solve(problem, nullptr, options, &solution);
    silence.see("end");
    const std::unique_ptr<dpa_solution, Deleter> keep_solution(solution);
    std::printf(
        "{\"case\": \"%s\", \"source\": %zu, \"target\": %zu, \"columns\": %zu, \"cpu_s\": %.2f, "
        "\"longest_silence_s\": %.3f, \"where\": \"%s\", \"calls\": %zu%s%s}\n",
        of.name, instance.source, instance.target(), d, cpu_seconds() - begin, silence.longest,
        silence.where.c_str(), silence.calls, status == DPA_OK ? "" : ", \"error\": ",
        status == DPA_OK ? "" : (std::string("\"") + dpa_last_error() + "\"").c_str());
    std::fflush(stdout);
}

const Case kCases[] = {
    {"private", {{"epsilon", "1"}, {"delta", "1e-6"}}},
    {"private, alpha 0.5", {{"epsilon", "1"}, {"delta", "1e-6"}, {"alpha", "0.5"}}},
    {"private, whitened", {{"epsilon", "1"}, {"delta", "1e-6"}, {"preprocess", "whiten"}}},
    {"private, logistic",
     {{"epsilon", "1"}, {"delta", "1e-6"}, {"loss", "logistic"}},
     nullptr,
     true},
    {"private, huber", {{"epsilon", "1"}, {"delta", "1e-6"}, {"loss", "huber"}}},
    {"private source", {{"epsilon", "1"}, {"delta", "1e-6"}, {"private_domain", "source"}}},
    {"public", {{"private_domain", "none"}}},
    {"public, logistic", {{"private_domain", "none"}, {"loss", "logistic"}}, nullptr, true},
    {"ssp", {{"epsilon", "1"}, {"delta", "1e-6"}}, "joint_ssp"},
    {"private_dm", {{"epsilon", "1"}, {"delta", "1e-6"}}, "private_dm"},
};

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    const std::size_t rows = smoke ? 2000 : argc > 1 ? std::stoul(argv[1]) : 1000000;
    const std::size_t cols = smoke ? 5 : argc > 2 ? std::stoul(argv[2]) : 100;
    const char *only = argc > 3 ? argv[3] : "";
    const Instance instance(rows, cols);
    for (const Case &of : kCases)
        if (std::strstr(of.name, only) != nullptr) run(instance, instance.y, of);
    return EXIT_SUCCESS;
}
