#include "cli/show/output.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "cli/read/failure.hpp"
#include "cli/read/files.hpp"
#include "cli/system/system.hpp"

namespace dpadapt::cli {

using platform::files::Descriptor, platform::files::folder_of, platform::files::move_over,
    platform::files::sync, platform::files::sync_folder, platform::files::take_over,
    platform::files::write_all;

NewFile::NewFile(const std::string &folder, unsigned mode, const std::string &prefix,
                 const std::string &ending)
    : folder_(folder), file_(platform::files::create(path_, folder + '/' + prefix, ending, mode)) {
    exists_ = is_open();
}

NewFile::~NewFile() {
    const int reason = errno;
    file_ = Descriptor();  // closed: Windows removes no open file
    if (exists_) platform::files::remove(path_);
    errno = reason;
}

bool NewFile::reserve(std::size_t bytes) {
    reserved_ = true;
    return reserve_room(file_.get(), bytes);
}

bool NewFile::write(std::string_view text, const platform::files::Target *replaced) {
    return write_all(file_.get(), 0, text) && (!reserved_ || set_size(file_.get(), text.size())) &&
           (replaced == nullptr || take_over(file_.get(), *replaced)) && sync(file_.get()) &&
           file_.close();
}

bool NewFile::becomes(const std::string &path) {
    if (!move_over(path_, path)) return false;
    exists_ = false;
    return sync_folder(folder_.c_str());
}

namespace {

Collected *collected = nullptr;

}  // namespace

void fail_at(const std::string &place) {
    throw Failure(kNotWritten, place + ": cannot be written: " + std::strerror(errno));
}

void Output::collect(Collected *texts) { collected = texts; }

void Collected::reserve(std::size_t bytes) {
    room += 2 * bytes;  // with the escapes of a text in JSON
    if (!file) file = std::make_unique<NewFile>(folder_of(place), 0600);
    if (!file->is_open() || !file->reserve(room)) fail_at(place);
}

void Collected::keep(std::string_view text) {
    if (!file) file = std::make_unique<NewFile>(folder_of(place), 0600);
    if (!file->is_open() || !file->write(text) || !file->becomes(place)) fail_at(place);
}

Output::Output(const std::string &path, Readers readers) : path_(path), readers_(readers) {
    if (path.empty() || is_standard_output(path)) {
        file_ = Descriptor(copy_of_standard_output());
        if (file_.get() < 0) fail();
        return;
    }
    target_ = platform::files::find_target(path);
    if (!target_.planted.empty())
        throw Failure(kNotWritten,
                      path + ": cannot be written: " + target_.planted + platform::files::kPlanted);
    errno = target_.reason;
    if (target_.reason != 0) fail();
    if (target_.is_direct()) {
        file_ = platform::files::open_directly(target_);
        if (file_.get() < 0) fail();
        return;
    }
    mode_ = target_.exists || readers == Readers::owner ? 0600 : 0666;
    const NewFile trial(folder_of(target_.path), mode_);
    if (!trial.is_open()) fail();
}

void Output::write(std::string_view text) {
    if (collected != nullptr) {
        const bool printed = path_.empty() || is_standard_output(path_);
        collected->texts.push_back({printed ? "" : path_, std::string(text), readers_});
        return;
    }
    if (file_.get() < 0) return replace(text);
    while (!text.empty()) {
        const std::ptrdiff_t count = platform::files::write_some(file_.get(), text);
        if (count < 0 && errno != EINTR) fail();
        check_interrupted();  // a pipe's reader may never come
        if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    }
    if (!file_.close()) fail();
}

void Output::replace(std::string_view text) {
    if (!reserved_) reserved_ = std::make_unique<NewFile>(folder_of(target_.path), mode_);
    NewFile &file = *reserved_;
    const platform::files::Target *replaced = target_.exists ? &target_ : nullptr;
    if (!file.is_open() || !file.write(text, replaced) || !file.becomes(target_.path)) fail();
}

void Output::reserve(std::size_t bytes) {
    if (collected != nullptr) collected->reserve(bytes);
    if (file_.get() >= 0) {  // nothing is reserved in a stream, which may have other writers
        errno = why_unwritable(file_.get(), bytes);
        if (errno != 0) fail();
        return;
    }
    reserved_ = std::make_unique<NewFile>(folder_of(target_.path), mode_);
    if (!reserved_->is_open() || !reserved_->reserve(bytes)) fail();
}

void Output::fail() const { fail_at(path_.empty() ? "standard output" : path_); }

namespace {

/** The path of a file with the text; empty if no folder takes it. */
std::string save_somewhere(const std::string &text) {
    const char *preferred = std::getenv("TMPDIR");
    const char *other = std::getenv("TEMP");  // on Windows
    const char *home = std::getenv("HOME");
    for (const char *folder : {preferred, other, "/tmp", "/var/tmp", home, "."}) {
        if (folder == nullptr) continue;
        NewFile file(folder, 0600, "dpadapt-rescued-", ".json");
        if (!file.is_open() || !file.write(text)) continue;
        file.keep();
        return file.path();
    }
    return {};
}

std::string print(const std::string &text) {
    try {
        Output().write(text);
        return "on standard output";
    } catch (const Failure &) {
        return {};
    }
}

[[noreturn]] void rescue(const std::string &text, const std::string &reason) {
    const std::string path = save_somewhere(text);
    const std::string place = path.empty() ? print(text) : "in " + path;
    if (place.empty()) throw Failure(kNotWritten, reason + "; the private result is lost");
    throw Failure(kRescued, reason + "; the private result, which is paid for, is " + place);
}

}  // namespace

void deliver(Result &result, const std::function<void()> &write) {
    try {
        write();
    } catch (const std::exception &error) {
        if (!result.paid || result.saved || collected != nullptr) throw;
        rescue(result.text, error.what());
    }
}

}  // namespace dpadapt::cli
