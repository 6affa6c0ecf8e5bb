// dpadapt from C++. Both samples are public here; a search chooses how much to trust the source, by
// rows that no fit has seen, and the duality gap certifies the chosen fit. The predictor is saved,
// loaded and measured.
#include <dpadapt/dpadapt.hpp>
#include <filesystem>
#include <iostream>
#include <random>

namespace {

struct Sample {
    std::vector<double> x;
    std::vector<double> y;
    [[nodiscard]] dpa::Rows rows() const { return {x, 2}; }
};

/** Rows of two features with label slope a + b + noise. */
Sample draw(std::size_t rows, double slope, std::mt19937 &engine) {
    std::normal_distribution<double> normal;
    Sample sample;
    for (std::size_t i = 0; i < rows; i++) {
        const double a = normal(engine), b = normal(engine);
        sample.x.insert(sample.x.end(), {a, b});
        sample.y.push_back(slope * a + b + 0.5 * normal(engine));
    }
    return sample;
}

void run() {
    std::mt19937 engine;
    const Sample source = draw(2000, 1.0, engine);
    const Sample target = draw(30, 1.5, engine);
    const Sample unseen = draw(200, 1.5, engine);

    dpa::Problem problem, validation;
    problem.lend_source(source.rows(), source.y);
    problem.lend_target(target.rows(), target.y);
    validation.lend_target(unseen.rows(), unseen.y);

    const dpa::Options options{{"private_domain", "none"}};
    dpa::Search search;
    search.add("alpha", "0,0.1,0.5,0.9,1").add("kappa_1", "0.1,1,auto");
    const dpa::Solution best = search.run(problem, validation, options);
    const std::vector<double> w = best.coefficients();
    std::cout << "alpha = " << search.setting(search.chosen(), "alpha")
              << ", kappa_1 = " << search.setting(search.chosen(), "kappa_1")
              << "\nlabel = " << w[0] << " a + " << w[1] << " b, within "
              << best.value("duality_gap") << " of the minimum\n";

    const auto path = std::filesystem::temp_directory_path() / "dpadapt_search.model";
    best.save(path.string());
    const dpa::Solution loaded = dpa::Solution::load(path.string());
    std::filesystem::remove(path);
    for (const auto &measure : dpa::Evaluation(validation, {&loaded}, options).measures())
        std::cout << measure.name << ": " << measure.estimate << " [" << measure.lower << ", "
                  << measure.upper << "]\n";
    if (!(w[0] > 1.2 && w[0] < 1.8))
        throw std::runtime_error("the slope of the target was not found");
}

}  // namespace

int main() {
    try {
        run();
    } catch (const std::exception &error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
