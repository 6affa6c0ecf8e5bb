// Where a solution is saved: links, pipes, other users' files, signals and what they interrupt.
#include <dirent.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <dpadapt/dpadapt.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#ifdef __linux__
#include <grp.h>
#include <sys/syscall.h>
#endif

// It has no guard for C++ of its own.
extern "C" {
#include <cmocka.h>
}

namespace fs = std::filesystem;

namespace {

constexpr uid_t kOther = 12345;
constexpr gid_t kGroup = 54321;

std::atomic<bool> folders_fail{false}, closing_is_interrupted{false};

const fs::path kFolder = "test_saved_files.folder";
const fs::path kModel = kFolder / "model";

int fresh_folder(void **) {
    fs::remove_all(kFolder);
    return fs::create_directory(kFolder) ? 0 : -1;
}

int no_folder(void **) {
    fs::remove_all(kFolder);
    return 0;
}

const dpa::Solution &solution() {
    static const dpa::Solution fit = [] {
        constexpr std::size_t kRows = 400;
        std::vector<double> x(kRows), y(kRows);
        for (std::size_t i = 0; i < kRows; ++i) {
            x[i] = static_cast<double>(i * 7 % 11);
            y[i] = 2.0 * x[i] + static_cast<double>(i % 2);
        }
        dpa::Problem problem;
        problem.set_source({x, 1}, y);
        problem.set_target({x, 1}, y);
        return dpa::solve(problem, {{"private_domain", "none"}});
    }();
    return fit;
}

/** Why it is not saved there; empty if it is. */
std::string failure(const fs::path &path) {
    try {
        solution().save(path, true);
        return {};
    } catch (const dpa::Error &error) {
        return error.what();
    }
}

void assert_fails(const fs::path &path, const char *text) {
    const std::string found = failure(path);
    if (found.find(text) == std::string::npos) fail_msg("%s: \"%s\"", path.c_str(), found.c_str());
}

void assert_saved(const fs::path &path) { assert_string_equal(failure(path).c_str(), ""); }

std::string content(const fs::path &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct stat facts(const fs::path &path) {
    struct stat result {};
    assert_int_equal(lstat(path.c_str(), &result), 0);
    return result;
}

/** Does that in a child, which says by its end whether it holds. */
void assert_in_child(const std::function<bool()> &holds) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(holds() ? 0 : 1);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

void skip_unless_root() {
    if (geteuid() != 0) skip();  // who alone has files of other users
}

void a_file_that_another_user_put_there_gets_nothing(void **) {
    skip_unless_root();
    fs::permissions(kFolder, fs::perms::all);
    const fs::path pipe = kFolder / "pipe";
    assert_int_equal(mkfifo(pipe.c_str(), 0666), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    std::ofstream(kModel) << "old";
    for (const fs::path &path : {pipe, kModel}) {
        assert_int_equal(chown(path.c_str(), kOther, kGroup), 0);
        assert_fails(path, "another user");
    }
    char byte = 0;
    assert_int_equal(read(reader, &byte, 1), 0);
    assert_string_equal(content(kModel).c_str(), "old");
    assert_int_equal(chown(pipe.c_str(), 0, 0), 0);
    assert_saved(pipe);
    assert_int_equal(read(reader, &byte, 1), 1);
    close(reader);
    fs::permissions(kFolder, fs::perms::owner_all);  // nobody else puts anything here
    assert_saved(kModel);
}

void owner_and_group_stay(void **) {
    skip_unless_root();
    std::ofstream(kModel) << "old";
    assert_int_equal(chown(kModel.c_str(), kOther, kGroup), 0);
    assert_int_equal(chmod(kModel.c_str(), 0640), 0);
    assert_saved(kModel);
    assert_int_equal(facts(kModel).st_uid, kOther);
    assert_int_equal(facts(kModel).st_gid, kGroup);
    assert_int_equal(facts(kModel).st_mode & 0777U, 0640);
}

/** A user who is not in the file's group must not let their own group read it. */
void a_group_that_is_lost_gives_no_right_to_another(void **) {
    skip_unless_root();
    std::ofstream(kModel) << "old";
    for (const fs::path &path : {kFolder, kModel})
        assert_int_equal(chown(path.c_str(), kOther, kGroup), 0);
    assert_int_equal(chmod(kModel.c_str(), 0664), 0);
    assert_in_child([] {
        return setgroups(0, nullptr) == 0 && setegid(kOther) == 0 && seteuid(kOther) == 0 &&
               failure(kModel).empty();
    });
    assert_int_equal(facts(kModel).st_gid, kOther);
    assert_int_equal(facts(kModel).st_mode & 0777U, 0604);
}

void a_loop_of_links_stays(void **) {
    fs::create_symlink("other", kFolder / "link");
    fs::create_symlink("link", kFolder / "other");
    assert_fails(kFolder / "link", "symbolic links");
    assert_true(fs::is_symlink(kFolder / "link") && fs::is_symlink(kFolder / "other"));
}

void a_link_to_nothing_makes_what_it_names(void **) {
    fs::create_symlink("model", kFolder / "link");
    assert_saved(kFolder / "link");
    assert_true(fs::is_symlink(kFolder / "link") && !fs::is_symlink(kModel));
    assert_true(content(kModel).size() > 100);
}

std::string descriptor(int file) { return "/dev/fd/" + std::to_string(file); }

void descriptors_have_names(void **) {
    assert_saved(kModel);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_saved(descriptor(ends[1]));
    close(ends[1]);
    std::string found(content(kModel).size() + 1, '\0');
    assert_int_equal(read(ends[0], found.data(), found.size()), found.size() - 1);
    found.pop_back();
    assert_true(found == content(kModel));
    close(ends[0]);
    // The name of a file is where it was; of one without a name there is nothing to replace.
    std::ofstream(kFolder / "open") << "old";
    const int file = open((kFolder / "open").c_str(), O_RDWR);
    assert_saved(descriptor(file));
    assert_true(content(kFolder / "open") == found);
    close(file);
    const int removed = open(kModel.c_str(), O_RDWR);
    fs::remove(kModel);
    assert_fails(descriptor(removed), "cannot write");
    close(removed);
    const fs::directory_iterator files(kFolder);
    assert_int_equal(std::distance(begin(files), end(files)), 1);
}

/** A pipe that holds less than the solution, and whose only reader leaves when it is full. */
void a_pipe_that_is_left_is_an_error(void **) {
#ifdef F_SETPIPE_SZ
    for (const bool pending : {false, true}) {
        assert_in_child([&] {
            const fs::path pipe = kFolder / (pending ? "pending" : "none");
            if (mkfifo(pipe.c_str(), 0600) != 0) return false;
            sigset_t own, now;
            sigemptyset(&own);
            sigaddset(&own, SIGPIPE);
            if (pending && (pthread_sigmask(SIG_BLOCK, &own, nullptr) != 0 || raise(SIGPIPE) != 0))
                return false;
            const int reader = open(pipe.c_str(), O_RDWR);
            if (fcntl(reader, F_SETPIPE_SZ, 4096) < 0) return false;
            std::thread leaver([reader] {
                for (int count = 0; count < 4096;) ioctl(reader, FIONREAD, &count);
                close(reader);
            });
            const std::string found = failure(pipe);
            leaver.join();
            sigpending(&now);
            const bool still = sigismember(&now, SIGPIPE) == 1;
            pthread_sigmask(SIG_BLOCK, nullptr, &now);
            return found.find("Broken pipe") != std::string::npos && still == pending &&
                   (sigismember(&now, SIGPIPE) == 1) == pending;
        });
    }
#endif
}

/** A signal whose handler restarts nothing, while a pipe waits for its reader. */
void an_interrupted_call_is_made_again(void **) {
    const fs::path pipe = kFolder / "pipe";
    assert_int_equal(mkfifo(pipe.c_str(), 0600), 0);
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGUSR1, &action, nullptr);
    std::thread reader([&, self = pthread_self()] {
        for (int k = 0; k < 20; ++k) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            pthread_kill(self, SIGUSR1);
        }
        (void)content(pipe);
    });
    const std::string found = failure(pipe);
    int writer = found.empty() ? 0 : -1;
    while (writer < 0) writer = open(pipe.c_str(), O_WRONLY);
    if (writer > 0) close(writer);
    reader.join();
    assert_string_equal(found.c_str(), "");
    closing_is_interrupted = true;
    const std::string again = failure(kModel);
    closing_is_interrupted = false;
    assert_string_equal(again.c_str(), "");
}

void a_folder_that_is_not_on_the_disk_is_another_error(void **) {
    std::ofstream(kModel) << "old";
    folders_fail = true;
    assert_fails(kModel, "is in its place");
    folders_fail = false;
    assert_true(content(kModel).size() > 100);
}

void limits_of_files_are_not_of_devices(void **) {
    assert_in_child([] {
        const rlimit small{16, 16};
        return setrlimit(RLIMIT_FSIZE, &small) == 0 && failure("/dev/null").empty() &&
               !failure(kModel).empty();
    });
}

#ifdef __linux__
void rights_are_those_of_the_effective_user(void **) {
    skip_unless_root();
    std::ofstream(kModel) << "old";
    assert_int_equal(chmod(kModel.c_str(), 0600), 0);
    assert_in_child([] { return setresuid(kOther, 0, 0) == 0 && failure(kModel).empty(); });
    for (const fs::path &path : {kFolder, kModel})
        assert_int_equal(chown(path.c_str(), kOther, kGroup), 0);
    assert_int_equal(chmod(kModel.c_str(), 0444), 0);
    assert_in_child([] { return setresuid(0, kOther, 0) == 0 && !failure(kModel).empty(); });
}

}  // namespace

// The library's calls of the system come here.
extern "C" int fsync(int file) {
    struct stat now {};
    if (folders_fail && fstat(file, &now) == 0 && S_ISDIR(now.st_mode)) {
        errno = EIO;
        return -1;
    }
    return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int close(int file) {
    const auto closed = static_cast<int>(syscall(SYS_close, file));
    if (!closing_is_interrupted) return closed;
    errno = EINTR;
    return -1;
}

namespace {
#endif

}  // namespace

int main() {
#define saves(test) cmocka_unit_test_setup_teardown(test, fresh_folder, no_folder)
    const CMUnitTest tests[] = {
        saves(a_file_that_another_user_put_there_gets_nothing),
        saves(owner_and_group_stay),
        saves(a_group_that_is_lost_gives_no_right_to_another),
        saves(a_loop_of_links_stays),
        saves(a_link_to_nothing_makes_what_it_names),
        saves(descriptors_have_names),
        saves(a_pipe_that_is_left_is_an_error),
        saves(an_interrupted_call_is_made_again),
        saves(limits_of_files_are_not_of_devices),
#ifdef __linux__
        saves(a_folder_that_is_not_on_the_disk_is_another_error),
        saves(rights_are_those_of_the_effective_user),
#endif
    };
    alarm(100);  // a pipe that nobody opens
    return cmocka_run_group_tests_name("saved_files", tests, nullptr, nullptr);
}
