// X server without a screen, and a window manager, for tests that need a window.
#pragma once

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace orogen::test {

// Prepares a child process: it ends with its parent, even after a crash, and prints nothing.
inline void becomeService()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int null = open("/dev/null", O_RDWR);
    for (int file = 0; file < 3; ++file)
        dup2(null, file);
}

inline void endService(pid_t pid)
{
    if (pid <= 0) return;
    kill(pid, SIGTERM);
    waitpid(pid, nullptr, 0);
}

// X server for the lifetime of the object, on a free display.
class Xvfb
{
public:
    // Without `glx`, no OpenGL window can be made on the display.
    explicit Xvfb(bool glx = true)
    {
        int number[2];
        if (pipe(number) != 0) std::abort();
        const std::string fileNumber = std::to_string(number[1]);
        pid_ = fork();
        if (pid_ == 0) runServer(fileNumber.c_str(), number[0], glx);  // does not return
        close(number[1]);
        std::string digits;
        // The server writes the display number when ready, and the newline separately. It dies if that is not read.
        for (char digit = 0; read(number[0], &digit, 1) == 1 && digit != '\n';)
            digits += digit;
        close(number[0]);
        if (!digits.empty()) display_ = ":" + digits;
    }
    ~Xvfb() { endService(pid_); }
    Xvfb(const Xvfb&) = delete;
    Xvfb& operator=(const Xvfb&) = delete;

    const std::string& display() const { return display_; }  // ":99"; empty: the server did not start (installed?)

private:
    [[noreturn]] static void runServer(const char* fileNumber, int unused, bool glx)
    {
        close(unused);
        becomeService();
        // -noreset: otherwise the server drops clients that connect while it cleans up after the last one.
        execlp("Xvfb", "Xvfb", "-displayfd", fileNumber, "-screen", "0", "1280x1024x24", "-nolisten", "tcp", "-noreset",
               glx ? "+extension" : "-extension", "GLX", static_cast<char*>(nullptr));
        _exit(127);
    }

    pid_t pid_ = -1;
    std::string display_;
};

// Window manager of a display, as on a desktop, once XClient::awaitWindowManager() has returned. It binds no buttons or
// keys: bound ones would delay clicks, but not keys, for an unknown time.
class Openbox
{
public:
    Openbox(const std::string& display, const std::string& folder)  // writes its own configuration
    {
        const std::string file = folder + "/openbox.xml";
        std::ofstream(file)
            << "<openbox_config xmlns=\"http://openbox.org/3.4/rc\"><keyboard></keyboard><mouse></mouse>"
               "</openbox_config>\n";
        pid_ = fork();
        if (pid_ != 0) return;
        becomeService();
        setenv("DISPLAY", display.c_str(), 1);
        execlp("openbox", "openbox", "--sm-disable", "--config-file", file.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    ~Openbox() { endService(pid_); }
    Openbox(const Openbox&) = delete;
    Openbox& operator=(const Openbox&) = delete;

    bool running() const { return pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == 0; }  // false: not installed, or ended

private:
    pid_t pid_ = -1;
};

}  // namespace orogen::test
