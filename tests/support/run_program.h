// Runs a program and keeps its output, for tests of the command line.
#pragma once

#include <cassert>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orogen::test {

// Timeout (seconds) for a hanging program: far more than any takes on a busy machine.
inline constexpr double kHangs = 900.0;

struct RunOptions
{
    std::vector<std::string> set = {};               // "NAME=value" in the environment of the program
    std::vector<std::string> unset = {};             // names removed from the environment
    std::string standardOutput = {};                 // a file to write to instead of being captured, "/dev/full" say
    std::string standardError = {};                  // file for standard error
    std::vector<int> closed = {};                    // descriptors that the program starts without
    std::optional<std::uint64_t> largestFile = {};   // bytes, as `ulimit -f` says
    std::optional<std::uint64_t> addressSpace = {};  // bytes, as `ulimit -v` says
    std::optional<std::uint64_t> stack = {};         // bytes, as `ulimit -s` says
    std::string folder = {};                         // working directory; empty: the current one
    double timeout = kHangs;                         // seconds until the program is killed
};

struct Finished
{
    int code = -1;   // exit code; -1 if a signal ended it
    int signal = 0;  // signal that ended it, or 0
    bool timedOut = false;
    std::string out, err;
};

// Running program. finish() must be called.
class RunningProgram
{
public:
    RunningProgram(std::vector<std::string> command, const RunOptions& options) : timeout_(options.timeout)
    {
        int out[2], err[2];
        if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) std::abort();
        std::vector<std::string> environment = environmentOf(options);
        std::vector<char*> arguments = pointers(command), variables = pointers(environment);
        pid_ = fork();
        if (pid_ < 0) std::abort();
        if (pid_ == 0) runChild(arguments, variables, options, out[1], err[1]);  // does not return
        close(out[1]);
        close(err[1]);
        out_ = out[0];
        err_ = err[0];
    }
    RunningProgram(const RunningProgram&) = delete;
    RunningProgram& operator=(const RunningProgram&) = delete;
    ~RunningProgram() { assert(pid_ == 0); }

    void signal(int number) const { kill(pid_, number); }

    // Waits until the kernel reports a handler for the signal. Returns false if the program hangs or has ended.
    bool waitUntilHandles(int number) const
    {
        const std::string path = "/proc/" + std::to_string(pid_) + "/status";
        for (int i = 0; i < int(kHangs * 1000); ++i, usleep(1000))
        {
            std::ifstream file(path);
            for (std::string line; std::getline(file, line);)
                if (line.rfind("State:\tZ", 0) == 0)
                    return false;
                else if (line.rfind("SigCgt:", 0) == 0 &&
                         (std::stoull(line.substr(7), nullptr, 16) >> (number - 1)) & 1)
                    return true;
        }
        return false;
    }

    // Reads standard error until it contains `text`. Returns false at its end or if the program hangs.
    bool waitForError(std::string_view text)
    {
        return pump(kHangs, [&] { return finished_.err.find(text) != std::string::npos; });
    }

    Finished finish()
    {
        finished_.timedOut = !pump(timeout_, [&] { return out_ < 0 && err_ < 0; });
        if (finished_.timedOut) kill(pid_, SIGKILL);
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR)
        {
        }
        if (out_ >= 0) close(out_);
        if (err_ >= 0) close(err_);
        pid_ = 0;
        finished_.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        finished_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        return std::move(finished_);
    }

private:
    static std::vector<std::string> environmentOf(const RunOptions& options)
    {
        std::vector<std::string> list = options.set;
        list.push_back("OROGEN_SETTLE_SECONDS=" + std::to_string(int(kHangs)));  // "wait settled" of scripts
        const auto replaced = [&](std::string_view name) {
            for (const std::string& entry : options.set)
                if (entry.substr(0, entry.find('=')) == name) return true;
            for (const std::string& entry : options.unset)
                if (entry == name) return true;
            return false;
        };
        for (char** entry = environ; *entry; ++entry)
        {
            const std::string_view text = *entry;
            if (!replaced(text.substr(0, text.find('=')))) list.emplace_back(text);
        }
        return list;
    }

    static std::vector<char*> pointers(std::vector<std::string>& texts)
    {
        std::vector<char*> list;
        for (std::string& text : texts)
            list.push_back(text.data());
        list.push_back(nullptr);
        return list;
    }

    // Between fork and exec: system calls only.
    [[noreturn]] static void runChild(std::vector<char*>& arguments, std::vector<char*>& variables,
                                      const RunOptions& options, int out, int err)
    {
        if (!options.standardOutput.empty()) out = open(options.standardOutput.c_str(), O_WRONLY | O_CREAT, 0666);
        if (!options.standardError.empty()) err = open(options.standardError.c_str(), O_WRONLY | O_CREAT, 0666);
        const int input = open("/dev/null", O_RDONLY);
        dup2(input, 0);
        dup2(out, 1);
        dup2(err, 2);
        if (input > 2) close(input);
        for (const int file : options.closed)
            close(file);
        if (const rlimit limit = {options.largestFile.value_or(0), RLIM_INFINITY}; options.largestFile)
            setrlimit(RLIMIT_FSIZE, &limit);
        if (const rlimit limit = {options.addressSpace.value_or(0), RLIM_INFINITY}; options.addressSpace)
            setrlimit(RLIMIT_AS, &limit);
        if (const rlimit limit = {options.stack.value_or(0), RLIM_INFINITY}; options.stack)
            setrlimit(RLIMIT_STACK, &limit);
        if (options.folder.empty() || chdir(options.folder.c_str()) == 0)
            execve(arguments[0], arguments.data(), variables.data());
        _exit(127);
    }

    // Reads both pipes until done() or for `seconds`; returns done().
    template <class Done>
    bool pump(double seconds, Done done)
    {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point end = Clock::now() + std::chrono::milliseconds(std::int64_t(seconds * 1e3));
        while (!done())
        {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
            if (left <= 0 || (out_ < 0 && err_ < 0)) return done();
            pollfd files[2] = {{out_, POLLIN, 0}, {err_, POLLIN, 0}};  // negative: ignored
            if (poll(files, 2, int(left)) <= 0) continue;
            if (files[0].revents) readSome(out_, finished_.out);
            if (files[1].revents) readSome(err_, finished_.err);
        }
        return true;
    }

    static void readSome(int& file, std::string& text)
    {
        char buffer[4096];
        const ssize_t n = read(file, buffer, sizeof buffer);
        if (n > 0) text.append(buffer, std::size_t(n));
        if (n == 0) close(std::exchange(file, -1));
    }

    double timeout_;
    pid_t pid_ = 0;
    int out_ = -1, err_ = -1;
    Finished finished_;
};

// Runs command[0], a path, to its end.
inline Finished runProgram(std::vector<std::string> command, const RunOptions& options = {})
{
    return RunningProgram(std::move(command), options).finish();
}

// Returns the number of lines; an unterminated last line counts.
inline int lineCount(std::string_view text)
{
    int lines = 0;
    for (const char c : text)
        lines += c == '\n';
    return lines + (!text.empty() && text.back() != '\n');
}

}  // namespace orogen::test
