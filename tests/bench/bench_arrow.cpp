// Rows by Arrow's C stream interface against a memcpy of as many bytes into memory that is new as
// well, alternating in one run. Columns: nanoseconds of CPU a row (minimum over rounds) and ratios.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>

#include "instance.hpp"

namespace {

std::size_t rows = 1000000;
constexpr std::size_t kCols = 20;

double nanoseconds(const std::function<void()> &work) {
    const std::clock_t begin = std::clock();
    work();
    return 1e9 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC /
           static_cast<double>(rows);
}

/** kCols columns and the label "y" behind them, one array of Arrow's each, or one of lists. */
class Columns {
  public:
    Columns(const char *format, const void *values, std::size_t size, std::size_t width)
        : count_(kCols / width + 1) {
        for (std::size_t k = 0; k < count_; ++k) {
            const bool is_list = k + 1 < count_ && width > 1;
            buffers_[k][1] = static_cast<const char *>(values) + k * rows * size;
            schema_[k] = {is_list ? "+w:20" : format,
                          k + 1 < count_ ? "x" : "y",
                          nullptr,
                          0,
                          is_list ? 1 : 0,
                          &element_schema_,
                          nullptr,
                          ignore,
                          nullptr};
            array_[k] = {static_cast<std::int64_t>(rows),
                         0,
                         0,
                         is_list ? 1 : 2,
                         is_list ? 1 : 0,
                         buffers_[k],
                         &element_array_,
                         nullptr,
                         ignore,
                         nullptr};
            schemas_[k] = &schema_[k];
            arrays_[k] = &array_[k];
            names_[k] = std::string("x").append(std::to_string(k));
            if (k + 1 < count_) schema_[k].name = names_[k].c_str();
        }
        elements_ = array_[count_ - 1];
        elements_.length *= kCols;
        elements_.buffers = element_buffers_;
        element_buffers_[1] = values;
        element_ = schema_[count_ - 1];
    }

    void set_source() {
        dpa_problem *problem = nullptr;
        ArrowArrayStream stream{};
        ArrowSchema schema{"+s",     "",      nullptr, 0,      static_cast<std::int64_t>(count_),
                           schemas_, nullptr, ignore,  nullptr};
        ArrowArray batch{static_cast<std::int64_t>(rows),
                         0,
                         0,
                         1,
                         static_cast<std::int64_t>(count_),
                         buffers_[0],
                         arrays_,
                         nullptr,
                         ignore,
                         nullptr};
        check(dpa_problem_create(&problem));
        check(dpa_arrow_stream(&schema, &batch, &stream));
        check(dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, nullptr, 0, "y"));
        kept_.reset(problem);
    }
    void forget() { kept_.reset(); }

  private:
    template <typename Structure>
    static void ignore(Structure *structure) {
        structure->release = nullptr;
    }

    std::size_t count_;
    ArrowSchema schema_[kCols + 1]{};
    ArrowSchema element_{};
    ArrowArray array_[kCols + 1]{};
    ArrowArray elements_{};
    ArrowSchema *schemas_[kCols + 1]{};
    ArrowSchema *element_schema_ = &element_;
    ArrowArray *arrays_[kCols + 1]{};
    ArrowArray *element_array_ = &elements_;
    const void *buffers_[kCols + 1][2]{};
    const void *element_buffers_[2]{};
    std::string names_[kCols + 1];
    std::unique_ptr<dpa_problem, Deleter> kept_;
};

void arrow(benchmark::State &state) {
    const std::vector<double> doubles(rows * (kCols + 1), 1.5);
    const std::vector<float> floats(rows * (kCols + 1), 1.5F);
    Columns of_doubles("g", doubles.data(), sizeof(double), 1);
    Columns of_floats("f", floats.data(), sizeof(float), 1);
    Columns of_lists("g", doubles.data(), sizeof(double), kCols);
    double copy = 1e300;
    double times[3] = {1e300, 1e300, 1e300};
    for (auto _ : state) {
        std::unique_ptr<double[]> to;
        copy = std::min(copy, nanoseconds([&] {
                            to.reset(new double[doubles.size()]);
                            std::memcpy(to.get(), doubles.data(), doubles.size() * sizeof(double));
                            benchmark::DoNotOptimize(to[rows]);
                        }));
        to.reset();
        Columns *const given[] = {&of_doubles, &of_floats, &of_lists};
        for (std::size_t k = 0; k < 3; ++k) {
            times[k] = std::min(times[k], nanoseconds([&] { given[k]->set_source(); }));
            given[k]->forget();
        }
    }
    state.counters["memcpy_ns"] = copy;
    state.counters["doubles_ns"] = times[0];
    state.counters["floats_ns"] = times[1];
    state.counters["lists_ns"] = times[2];
    state.counters["doubles/memcpy"] = times[0] / copy;
    state.counters["floats/memcpy"] = times[1] / copy;
}

}  // namespace

int main(int argc, char **argv) {
    const bool smoke = is_smoke(argc, argv);
    if (smoke) {
        rows = 2000;
        argc = 1;
    }
    benchmark::RegisterBenchmark("arrow", arrow)->Iterations(smoke ? 1 : 15);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return EXIT_SUCCESS;
}
