#include "cli/line_reader.hpp"

#include <algorithm>

namespace dpadapt::cli {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 23U;

}  // namespace

LineReader::LineReader(const std::string &path)
    : file_(path, Unfolding::unlimited), buffer_(kBlockSize) {
    if (fill() && rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

bool LineReader::next(std::string &line) {
    line.clear();
    bool found = false;
    bool ended = false;
    too_long_ = false;
    while (!ended && (!rest_.empty() || fill())) {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        too_long_ = too_long_ || line.size() + end > kLongestLine;
        too_long_ ? line.clear() : void(line.append(rest_.substr(0, end)));
        found = true;
        ended = end < rest_.size();
        rest_.remove_prefix(ended ? end + 1 : end);
    }
    if (line.ends_with('\r')) line.pop_back();
    return found;
}

bool LineReader::fill() {
    if (ended_) return false;
    const std::size_t count = file_.read(buffer_);
    ended_ = count < buffer_.size();
    rest_ = {buffer_.data(), count};
    return count > 0;
}

}  // namespace dpadapt::cli
