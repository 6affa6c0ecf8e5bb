#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/target.hpp"
#include "cli/read/files.hpp"

namespace dpadapt::cli {

/** A file under a name that nobody has used, for its user alone. It is removed unless it becomes
 *  another or is kept. Functions return false when they fail, and leave the reason in errno. */
class NewFile {
  public:
    /** @param mode  Of which the umask takes its part.
     *  @param ending  The end of its name. */
    NewFile(const std::string &folder, unsigned mode, const std::string &prefix = ".dpadapt-",
            const std::string &ending = {});
    NewFile &operator=(NewFile &&) = delete;
    ~NewFile();

    [[nodiscard]] bool is_open() const { return file_.get() >= 0; }
    [[nodiscard]] const std::string &path() const { return path_; }

    /** Takes so much room on the disk, which the text that is written gives back. */
    [[nodiscard]] bool reserve(std::size_t bytes);

    /** Writes the text to the disk, takes over the rights of a file that it is to replace, and
     *  closes the file. */
    [[nodiscard]] bool write(std::string_view text,
                             const platform::files::Target *replaced = nullptr);

    /** Takes the place of that file in the same folder, at once or not at all. */
    [[nodiscard]] bool becomes(const std::string &path);

    /** The file stays where it is. */
    void keep() { exists_ = false; }

  private:
    std::string folder_;
    std::string path_;
    platform::files::Descriptor file_;
    bool exists_;            // and is to be removed
    bool reserved_ = false;  // it is longer than its text
};

/** Texts that would be written, which a job keeps first. */
struct Collected {
    struct Text {
        std::string path;  // empty: standard output
        std::string text;
        Readers readers;
    };
    std::vector<Text> texts;
    std::string place;     // of the file that will keep them
    std::size_t room = 0;  // that was reserved for it
    std::unique_ptr<NewFile> file{};

    /** Takes room for so many bytes more. */
    void reserve(std::size_t bytes);
    /** The text takes the place of what the file had, on the disk. */
    void keep(std::string_view text);
};

/** Throws Failure(kNotWritten) with the system's reason. */
[[noreturn]] void fail_at(const std::string &place);

/** Where results go: standard output or a file. Every step is checked, so a full disk is noticed.
 *  A file has its old content until the new one is complete and on the disk. */
class Output {
  public:
    /** Finds out whether the file can be written, without changing it, so that a bad path is found
     *  before a long computation.
     *  @param path  Empty for standard output. */
    explicit Output(const std::string &path = {}, Readers readers = Readers::by_umask);

    /** Takes the room that the result will need: a full disk, a limit on files or a stream that
     *  nobody can write to is found before a payment. Kept until write(). */
    void reserve(std::size_t bytes);

    /** Replaces the file's content, or appends to standard output; to be called once. */
    void write(std::string_view text);

    /** From now on write() adds to these texts, and reserve() to their room; null: no longer. */
    static void collect(Collected *texts);

  private:
    void replace(std::string_view text);
    [[noreturn]] void fail() const;

    std::string path_;  // as given, for messages
    platform::files::Target target_;
    Readers readers_;
    unsigned mode_ = 0;                 // of the new file
    platform::files::Descriptor file_;  // standard output, a pipe or a device
    std::unique_ptr<NewFile> reserved_;
};

/** What a command has computed, as text that can be written anywhere. */
struct Result {
    std::string text;
    bool paid = false;   // it has cost privacy, which nobody gives back
    bool saved = false;  // it is in its place
};

/** Calls what writes the result. If that fails, a paid result that is not saved yet is written to a
 *  temporary file, or to standard output if no folder takes it; the Failure tells where. */
void deliver(Result &result, const std::function<void()> &write);

}  // namespace dpadapt::cli
