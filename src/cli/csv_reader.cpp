#include "cli/csv_reader.hpp"

#include <csv.h>

#include <algorithm>
#include <exception>
#include <new>

#include "cli/columns.hpp"
#include "cli/failure.hpp"
#include "cli/input_file.hpp"
#include "cli/record_reader.hpp"

namespace dpadapt::cli {
namespace {

constexpr std::size_t kLongestCell = std::size_t{1} << 20U;
constexpr std::size_t kLongestRow = std::size_t{1} << 23U;

/** libcsv splits the bytes into cells and calls back; this keeps the position and the rules. */
class Reader {
  public:
    Reader(const std::string &path, CsvSink &sink)
        : path_(path), file_(path, Unfolding::limited), sink_(sink) {
        csv_init(&parser_, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
        csv_set_blk_size(&parser_, 4096);
    }
    Reader(const Reader &) = delete;
    Reader &operator=(const Reader &) = delete;
    ~Reader() { csv_free(&parser_); }

    void read() {
        std::vector<char> buffer(kBlockSize);
        std::size_t count = file_.read(buffer);
        std::string_view block(buffer.data(), count);
        if (block.starts_with(kByteOrderMark)) block.remove_prefix(kByteOrderMark.size());
        separator_ = find_separator(first_line(block));
        csv_set_delim(&parser_, static_cast<unsigned char>(separator_));
        feed(block);
        while (count == buffer.size()) {
            count = file_.read(buffer);
            feed({buffer.data(), count});
        }
        finish();
    }

  private:
    // Line by line, so that every callback knows its line and an error stops the reading soon.
    void feed(std::string_view block) {
        while (!block.empty()) {
            const std::size_t size = std::min(block.find('\n'), block.size() - 1) + 1;
            row_size_ += size;
            const std::size_t used = csv_parse(&parser_, block.data(), size, on_cell, on_row, this);
            if (failure_) std::rethrow_exception(failure_);
            if (used != size) reject();
            if (csv_get_buffer_size(&parser_) > kLongestCell) {
                fail(row_line_, "has a cell longer than 1 MiB; is a closing quote missing?");
            }
            if (column_ > 0 && row_size_ > kLongestRow) fail(row_line_, "is longer than 8 MiB");
            if (block[size - 1] == '\n') ++line_;
            block.remove_prefix(size);
        }
    }

    void finish() {
        const int status = csv_fini(&parser_, on_cell, on_row, this);
        if (failure_) std::rethrow_exception(failure_);
        if (status != 0) fail(row_line_, "starts a quoted cell that is never closed");
        if (names_.empty()) throw Failure(kBadData, path_ + ": the file is empty");
        if (rows_ == 0) throw Failure(kBadData, path_ + ": there are no rows below the header");
    }

    [[noreturn]] void reject() {
        if (csv_error(&parser_) != CSV_EPARSE) throw std::bad_alloc();
        fail_here("misplaced quote");
    }

    // Exceptions must not cross libcsv, which is C: they wait until it has returned.
    template <typename Work>
    void guarded(const Work &work) noexcept {
        if (failure_) return;
        try {
            work();
        } catch (const std::exception &) {
            failure_ = std::current_exception();
        }
    }

    static void on_cell(void *text, std::size_t size, void *self) {
        auto *reader = static_cast<Reader *>(self);
        reader->guarded([&] { reader->cell({static_cast<const char *>(text), size}); });
    }

    static void on_row(int terminator, void *self) {
        auto *reader = static_cast<Reader *>(self);
        reader->guarded([&] { reader->end_row(); });
        if (terminator == '\r') reader->line_with_cr_ = reader->line_;
    }

    void cell(std::string_view text) {
        // The reader of private rows takes it for a part of a cell: one rule for both.
        if (line_with_cr_ == line_) fail(line_, kLoneCr);
        if (in_header_) {
            names_.emplace_back(text);
        } else if (column_ < names_.size()) {
            data_cell(text);
        }
        ++column_;
    }

    void data_cell(std::string_view text) {
        try {
            sink_.cell(column_, text);
        } catch (const CellError &error) {
            fail_here(error.what());
        }
    }

    void end_row() {
        if (column_ > 0) {
            in_header_ ? end_header() : end_data_row();
            column_ = 0;
        }
        row_line_ = line_ + 1;
        row_size_ = 0;
    }

    void end_header() {
        check_names(path_, line_, names_);
        in_header_ = false;
        sink_.header(names_, separator_);
    }

    void end_data_row() {
        if (column_ != names_.size()) {
            fail(line_, "has " + std::to_string(column_) + " fields, but the header has " +
                            std::to_string(names_.size()));
        }
        sink_.end_row(line_);
        ++rows_;
    }

    [[noreturn]] void fail_here(const std::string &reason) const {
        const bool named = !in_header_ && column_ < names_.size();
        throw Failure(kBadData, place_in_file(path_, line_, column_, named ? names_[column_] : "") +
                                    ": " + reason);
    }

    [[noreturn]] void fail(std::size_t line, const std::string &rule) const {
        throw Failure(kBadData, path_ + ": line " + std::to_string(line) + ' ' + rule);
    }

    std::string path_;
    InputFile file_;
    CsvSink &sink_;
    csv_parser parser_{};
    std::exception_ptr failure_;
    std::vector<std::string> names_;
    bool in_header_ = true;
    char separator_ = ',';
    std::size_t line_ = 1;
    std::size_t line_with_cr_ = 0;  // that ended a row there
    std::size_t row_line_ = 1;
    std::size_t row_size_ = 0;
    std::size_t column_ = 0;
    std::size_t rows_ = 0;
};

}  // namespace

void read_csv(const std::string &path, CsvSink &sink) { Reader(path, sink).read(); }

}  // namespace dpadapt::cli
