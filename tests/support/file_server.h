// An HTTP server on the loopback, with range requests and faults on request: file_server.py.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {

class FileServer
{
public:
    // Serves the files of folder / "www". A file folder / "500", "404", "html" or "slow" selects that fault.
    explicit FileServer(const TemporaryFolder& folder) : folder_(folder)
    {
        std::filesystem::create_directories(folder / "www");
        folder.write("www/page.html", "<html>Sign in first</html>");
        process_ = fork();
        if (process_ == 0)
        {
            ::execlp("python3", "python3", OROGEN_ROOT "/tests/support/file_server.py", folder.path().c_str(), nullptr);
            ::_exit(127);
        }
        while (port_ == 0 && waitpid(process_, nullptr, WNOHANG) == 0)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            std::ifstream(folder / "port") >> port_;
        }
    }
    FileServer(const FileServer&) = delete;
    FileServer& operator=(const FileServer&) = delete;
    ~FileServer()
    {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }

    bool running() const { return port_ != 0; }
    std::string url(const std::string& file) const { return "http://127.0.0.1:" + std::to_string(port_) + "/" + file; }
    void misbehave(const std::string& how) const { folder_.write(how, ""); }
    void behave(const std::string& how) const { std::filesystem::remove(folder_ / how); }

    // Returns the body bytes sent so far.
    std::uint64_t bytesSent() const
    {
        std::ifstream log(folder_ / "access.log");
        std::uint64_t sum = 0, bytes = 0;
        while (log >> bytes)
            sum += bytes;
        return sum;
    }

private:
    const TemporaryFolder& folder_;
    int port_ = 0;
    pid_t process_ = 0;
};

}  // namespace orogen::test
