// Another place: reads requests and rows from its input, and writes sums to its output, until the
// input ends.
#include "core/carry_out.hpp"
#include "privacy/partition.hpp"

int main() {
    WorkFrame work;
    while (receive(STDIN_FILENO, work)) {
        const dpadapt::Sample part = dpadapt::Sample::lend(
            {work.x.data(), work.y.size(), work.features, work.features, true}, work.y.data());
        if (!send(STDOUT_FILENO, dpadapt::records::carry_out(work.request, part, 1, work.first)))
            return 1;
    }
    return 0;
}
