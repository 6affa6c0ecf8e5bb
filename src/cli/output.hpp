#pragma once

#include <string>
#include <string_view>

namespace dpadapt::cli {

/** Where results go: standard output or a file. Every step is checked, so a full disk is noticed.
 */
class Output {
  public:
    /** Opens the file without changing it, so that a bad path is found before a long computation.
     *  @param path  Empty for standard output. */
    explicit Output(const std::string &path = {});
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
    ~Output();

    /** Replaces the file's content, or appends to standard output; to be called once. */
    void write(std::string_view text);

  private:
    [[noreturn]] void fail() const;

    std::string path_;
    int file_;
    bool created_ = false;  // a file that is ours is removed again if nothing useful gets into it
};

/** Makes sure that descriptors 0 to 2 are taken, so that no data file is opened as one of them. */
void claim_standard_streams();

}  // namespace dpadapt::cli
