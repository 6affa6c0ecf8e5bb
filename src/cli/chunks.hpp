#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "cli/encoder.hpp"
#include "cli/failure.hpp"
#include "cli/handles.hpp"
#include "cli/samples.hpp"

namespace dpadapt::cli {

/** Encodes rows, and gives them away as soon as there are so many. */
class ChunkTaker : public RecordTaker {
  public:
    using See = std::function<void(Sample &rows)>;

    /** @param most   Rows of a chunk.
     *  @param fixed  Of private rows no more than that are taken; 0: all. */
    ChunkTaker(const schema::Schema &schema, bool is_private, std::size_t most, std::size_t fixed,
               See see);

    void begin(std::size_t columns) override { encoder_.begin(columns); }
    void take(std::span<const schema::Cell> cells, std::size_t line, double weight) override;
    void take_null() override;

    /** Of a fixed number the missing ones are null; then the rest is given away. */
    void finish(bool fixed);

    [[nodiscard]] const Misfits &misfits() const { return encoder_.misfits(); }

  private:
    void count();
    void give();
    void make_room();

    std::size_t features_;
    std::size_t most_;
    std::size_t left_;
    See see_;
    Sample rows_;
    Encoder encoder_;
};

/** Whether the rows of two readings of a file are the same. */
struct Content {
    std::size_t rows = 0;
    std::uint64_t digest = 0;

    void add(const Sample &more);
    bool operator==(const Content &) const = default;
};

/** How many rows half of the memory holds, but no more than a file of that size may have,
 *  compressed or not. */
[[nodiscard]] std::size_t rows_at_a_time(const std::string &path, std::size_t memory,
                                         std::size_t columns);

/** What a call of the library writes, whatever its size.
 *  @param call  function(out, out_len, needed), returns a status. */
template <typename Call>
[[nodiscard]] std::string filled_text(const Call &call) {
    std::size_t size = 0;
    const dpa_status status = call(nullptr, 0, &size);
    if (status != DPA_E_BUFFER) check(status);
    std::string text(size, '\0');
    check(call(text.data(), size, nullptr));
    text.pop_back();  // the final zero
    return text;
}

}  // namespace dpadapt::cli
