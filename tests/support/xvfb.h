// An X server without a screen, for tests that need a window.
#pragma once

#include <csignal>
#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orogen::test {

// Runs from construction to destruction, on a display that was free.
class Xvfb
{
public:
    // Without `glx` there is a display on which no OpenGL window can be made.
    explicit Xvfb(bool glx = true)
    {
        int number[2];
        if (pipe(number) != 0) std::abort();
        const std::string fileNumber = std::to_string(number[1]);
        pid_ = fork();
        if (pid_ == 0) runServer(fileNumber.c_str(), number[0], glx);  // does not return
        close(number[1]);
        std::string digits;
        // The server answers when it is ready, and writes the end of the line apart: it dies if nobody reads that.
        for (char digit = 0; read(number[0], &digit, 1) == 1 && digit != '\n';)
            digits += digit;
        close(number[0]);
        if (!digits.empty()) display_ = ":" + digits;
    }
    ~Xvfb()
    {
        if (pid_ <= 0) return;
        kill(pid_, SIGTERM);
        waitpid(pid_, nullptr, 0);
    }
    Xvfb(const Xvfb&) = delete;
    Xvfb& operator=(const Xvfb&) = delete;

    const std::string& display() const { return display_; }  // ":99"; empty: the server did not start (installed?)

private:
    [[noreturn]] static void runServer(const char* fileNumber, int unused, bool glx)
    {
        prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive a test that crashes
        close(unused);
        const int null = open("/dev/null", O_RDWR);
        for (int file = 0; file < 3; ++file)
            dup2(null, file);
        // -noreset: the server would drop a client that comes while it tidies up behind the last one that went.
        execlp("Xvfb", "Xvfb", "-displayfd", fileNumber, "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset",
               glx ? "+extension" : "-extension", "GLX", static_cast<char*>(nullptr));
        _exit(127);
    }

    pid_t pid_ = -1;
    std::string display_;
};

}  // namespace orogen::test
