#include "app/film/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

extern char** environ;

namespace orogen::app {

namespace {

constexpr off_t kMostOutput = 1 << 20;  // bytes read back

std::string contentOf(int file)
{
    std::string text(std::size_t(std::min(lseek(file, 0, SEEK_END), kMostOutput)), '\0');
    const ssize_t size = pread(file, text.data(), text.size(), 0);
    text.resize(std::size_t(std::max<ssize_t>(size, 0)));
    return text;
}

void closeOnce(int& file)
{
    if (file >= 0) close(std::exchange(file, -1));
}

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::string& program,
                                                          const std::vector<std::string>& arguments)
{
    std::unique_ptr<ChildProcess> child(new ChildProcess);
    int ends[2] = {-1, -1};
    const auto failed = [&](int reason) {
        closeOnce(ends[1]);
        return Error{ExitCode::kOutput, fmt::format("{}: cannot be started: {}", program, std::strerror(reason))};
    };
    // A socket, because writing to it can report a closed end without a signal.
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return failed(errno);
    child->input_ = ends[0];
    child->output_ = memfd_create("child output", MFD_CLOEXEC);
    child->messages_ = memfd_create("child messages", MFD_CLOEXEC);
    if (child->output_ < 0 || child->messages_ < 0) return failed(errno);

    std::vector<char*> words = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, child->output_, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, child->messages_, STDERR_FILENO);
    posix_spawnattr_t how;
    posix_spawnattr_init(&how);
    sigset_t usual;
    sigemptyset(&usual);
    for (const int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM})
        sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawn(&child->pid_, program.c_str(), &files, &how, words.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    if (error != 0)
    {
        child->pid_ = 0;
        return failed(error);
    }
    closeOnce(ends[1]);
    return child;
}

ChildProcess::~ChildProcess()
{
    wait();
    closeOnce(output_);
    closeOnce(messages_);
}

bool ChildProcess::write(std::span<const std::uint8_t> bytes)
{
    while (!bytes.empty())
    {
        const ssize_t sent = send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes = bytes.subspan(std::size_t(sent));
    }
    return true;
}

void ChildProcess::closeInput() { closeOnce(input_); }

int ChildProcess::wait()
{
    closeInput();
    if (pid_ == 0) return code_;
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR)
        ;
    pid_ = 0;
    if (WIFSIGNALED(status)) signal_ = WTERMSIG(status);
    code_ = signal_ > 0 ? 128 + signal_ : WEXITSTATUS(status);
    return code_;
}

std::string ChildProcess::output() const { return contentOf(output_); }

std::string ChildProcess::lastLine() const
{
    std::string text = contentOf(messages_);
    text.erase(text.find_last_not_of(" \r\n") + 1);
    return text.substr(text.find_last_of("\r\n") + 1);
}

}  // namespace orogen::app
