#include "random/noise.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace dpadapt::random {

void fill_with_noise(std::span<std::int64_t> noise, Draw draw, unsigned bits, const Key &key,
                     Purpose purpose, std::uint64_t step, std::size_t threads) {
    constexpr std::size_t kBlock = 256;
    const std::size_t blocks = (noise.size() + kBlock - 1) / kBlock;
    parallel_for(blocks, threads, [&](std::size_t j) {
        Stream stream(key, purpose, step, static_cast<std::uint32_t>(j));
        const std::size_t size = std::min(kBlock, noise.size() - j * kBlock);
        for (auto &value : noise.subspan(j * kBlock, size)) value = draw(stream, bits);
    });
}

}  // namespace dpadapt::random
