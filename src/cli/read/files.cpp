#include "cli/read/files.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/read/failure.hpp"
#include "cli/system/system.hpp"

namespace dpadapt::cli {

namespace {

constexpr unsigned kBufferSize = 1U << 17U;
constexpr std::uint64_t kAlways = std::uint64_t{1} << 24U;
constexpr std::uint64_t kMostTimes = 100;

/** What a file that is no text begins with, what it is, and how it becomes CSV. */
struct Magic {
    std::string_view bytes;
    const char *kind;
    const char *remedy;
};
constexpr const char *kUnpack = "; unpack it first, or pack it by gzip";
constexpr const char *kRecode = "; recode it first: iconv -f UTF-16 -t UTF-8 FILE.csv";
constexpr Magic kMagics[] = {
    {std::string_view("PAR1\x15"), "a Parquet file",
     "; convert it first: duckdb -c \"COPY (FROM 'FILE.parquet') TO 'FILE.csv'\", or in Python "
     "pandas.read_parquet(\"FILE.parquet\").to_csv(\"FILE.csv\", index=False)"},
    {std::string_view("ARROW1"), "an Arrow file",
     "; convert it first: in Python pandas.read_feather(\"FILE\").to_csv(\"FILE.csv\", "
     "index=False)"},
    {std::string_view("PK\x03\x04"), "a zip file or a workbook of a spreadsheet program",
     "; unpack it, or save the sheet as CSV"},
    {std::string_view("\xFD\x37zXZ"), "a file packed by xz", kUnpack},
    {std::string_view("BZh"), "a file packed by bzip2", kUnpack},
    {std::string_view("\x28\xB5\x2F\xFD"), "a file packed by zstd", kUnpack},
    {std::string_view("\xFF\xFE"), "UTF-16 text", kRecode},
    {std::string_view("\xFE\xFF"), "UTF-16 text", kRecode},
};

/** bzip2's three letters could be the name of a column; its bytes 5 to 10 could not. */
bool begins_with(std::string_view text, const Magic &magic) {
    if (!text.starts_with(magic.bytes)) return false;
    constexpr std::string_view kAfterLevel = "\x31\x41\x59\x26\x53\x59";
    return magic.bytes != "BZh" || (text.size() > 4 && text.substr(4).starts_with(kAfterLevel));
}

}  // namespace

InputFile::InputFile(const std::string &path, Unfolding unfolding)
    : path_(path), unfolding_(unfolding) {
    errno = 0;
    file_ = path == "-" ? gzdopen(copy_of_standard_input(), "rb") : gzopen(path.c_str(), "rb");
    if (file_ == nullptr) {
        const int reason = errno;
        check_interrupted();  // opening a pipe waits for its writer
        fail(reason != 0 ? std::strerror(reason) : "memory exhausted");
    }
    gzbuffer(file_, kBufferSize);
}

InputFile::~InputFile() { gzclose_r(file_); }

std::size_t InputFile::read(std::span<char> buffer) {
    check_interrupted();
    const int count = gzread(file_, buffer.data(), static_cast<unsigned>(buffer.size()));
    check_interrupted();
    int error = Z_OK;
    const char *message = gzerror(file_, &error);
    if (error == Z_ERRNO) fail(std::strerror(errno));
    if (error == Z_BUF_ERROR) fail("the compressed file is cut off");
    if (count < 0) fail(std::string("the compressed file is damaged: ") + message);
    if (given_ == 0 && count > 0)
        for (const Magic &magic : kMagics)
            if (begins_with({buffer.data(), static_cast<std::size_t>(count)}, magic))
                throw Failure(kBadData, path_ + ": is " + magic.kind + ", not CSV" + magic.remedy);
    given_ += static_cast<std::uint64_t>(count);
    if (unfolding_ == Unfolding::limited && given_ > kAlways && gzdirect(file_) == 0) check_size();
    return static_cast<std::size_t>(count);
}

/** Of a pipe zlib does not know how much it has read. */
void InputFile::check_size() const {
    const auto packed = gzoffset(file_);
    if (packed < 0)
        fail(
            "it comes through a pipe and unfolds to more than 16 MiB; unpack it before the pipe: "
            "zcat FILE.gz");
    if (given_ / kMostTimes > static_cast<std::uint64_t>(packed))
        fail("it unfolds to more than 100 times its size; unpack it yourself if that is meant");
}

void InputFile::fail(const std::string &reason) const {
    throw Failure(kBadData, path_ + ": cannot be read: " + reason);
}

std::string read_file(const std::string &path) {
    InputFile file(path, Unfolding::limited);
    std::vector<char> buffer(kBufferSize);
    std::string content;
    std::size_t count = buffer.size();
    while (count == buffer.size()) {
        count = file.read(buffer);
        content.append(buffer.data(), count);
    }
    return content;
}

void check_outputs(const std::vector<NamedFile> &outputs, const std::vector<NamedFile> &inputs) {
    std::vector<NamedFile> others = inputs;
    for (const NamedFile &output : outputs) {
        if (output.path == "-")
            throw Failure(kUsage, output.flag + " needs the name of a file, not -");
        const std::optional<Identity> file = identity(output.path);
        for (const NamedFile &other : others) {
            if (!file || file != identity(other.path)) continue;
            throw Failure(
                kUsage, output.flag + " and " + other.flag + " are the same file: " + output.path);
        }
        others.push_back(output);
    }
}

bool is_same_input(const std::string &one, const std::string &other) {
    const auto found = [](const std::string &path) {
        return path == "-" ? identity_of_standard_input() : identity(path);
    };
    if (one.empty() || other.empty()) return false;
    const std::optional<Identity> file = found(one);
    return one == other || (file && file == found(other));
}

}  // namespace dpadapt::cli
