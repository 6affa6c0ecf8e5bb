// Grids of options: order, draws without replacement, limits.

#include "base/error.hpp"
#include "core/core.hpp"
#include "select/grid.hpp"

using namespace dpadapt;
using select::Grid;

namespace {

Grid grid_of(std::initializer_list<std::size_t> sizes) {
    Grid grid;
    for (const std::size_t size : sizes)
        grid.add({"axis " + std::to_string(grid.axes().size()),
                  std::vector<std::string>(size, "value")});
    return grid;
}

void the_product_in_order() {
    const Grid grid = grid_of({2, 3, 1, 2});
    std::uint64_t point = 0;
    check_true("count", grid.count() == 12 && grid.points().size() == 12);
    for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 3; ++b)
            for (std::size_t c = 0; c < 2; ++c, ++point) {
                check_true("point", grid.points()[point] == point);
                check_true("places", grid.places(point) == std::vector<std::size_t>{a, b, 0, c});
            }
    const Grid empty;
    check_true("no axis: one point", empty.count() == 1 && empty.places(0).empty());
}

void large_products_need_no_memory() {
    Grid grid;
    for (int k = 0; k < 6; ++k)
        grid.add({std::string("axis ") + std::to_string(k), std::vector<std::string>(1024, "v")});
    check_true("too many", status_of([&] { (void)grid.points(); }) == DPA_E_OVERFLOW);
    check_true("2^63 points", status_of([&] {
                                  grid.add({"more", std::vector<std::string>(8, "v")});
                              }) == DPA_E_OVERFLOW);
    check_true("the same axis again", status_of([&] {
                                          grid.add({"axis 3", {"v"}});
                                      }) == DPA_E_OPTION);
    check_true("unchanged", grid.axes().size() == 6);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_product_in_order),
        core_test(large_products_need_no_memory),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
