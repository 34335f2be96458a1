// nginx (Debian's) on the loopback, with range requests and faults on request.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/temporary_folder.h"

namespace orogen::test {

class Nginx
{
public:
    static constexpr const char* kProgram = "/usr/sbin/nginx";
    static bool installed() { return std::filesystem::exists(kProgram); }

    // Serves the files of folder / "www". A file folder / "500", "404", "html" or "slow" selects that fault.
    explicit Nginx(const TemporaryFolder& folder) : folder_(folder)
    {
        std::filesystem::create_directories(folder / "www");
        folder.write("www/page.html", "<html>Sign in first</html>");
        for (int attempt = 0; attempt < 5 && !running_; ++attempt)
            start();
    }
    Nginx(const Nginx&) = delete;
    Nginx& operator=(const Nginx&) = delete;
    ~Nginx() { stop(); }

    bool running() const { return running_; }
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
    void start()
    {
        port_ = freePort();
        const std::string at = folder_.path();
        const auto on = [&](const std::string& flag, const std::string& then) {
            return "if (-f " + at + "/" + flag + ") { " + then + " }\n";
        };
        folder_.write("nginx.conf",
                      "daemon off; master_process off; pid " + at + "/pid; error_log " + at +
                          "/error.log;\nevents {}\nhttp { log_format bytes '$body_bytes_sent'; access_log " + at +
                          "/access.log bytes; client_body_temp_path " + at + "/t1; proxy_temp_path " + at +
                          "/t2; fastcgi_temp_path " + at + "/t3; uwsgi_temp_path " + at + "/t4; scgi_temp_path " + at +
                          "/t5;\nserver { listen 127.0.0.1:" + std::to_string(port_) + "; root " + at +
                          "/www;\nlocation = /page.html {}\n" + "location / {\n" + on("500", "return 500;") +
                          on("404", "return 404;") + on("html", "rewrite ^ /page.html last;") +
                          on("slow", "set $limit_rate 1;") + "} } }\n");
        process_ = fork();
        if (process_ == 0)
        {
            ::execl(kProgram, kProgram, "-q", "-c", (folder_ / "nginx.conf").c_str(), "-p", at.c_str(), nullptr);
            ::_exit(127);
        }
        for (int wait = 0; wait < 1000 && !running_; ++wait)
        {
            running_ = answers();
            if (waitpid(process_, nullptr, WNOHANG) == process_) return void(process_ = 0);
            if (!running_) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    void stop()
    {
        if (process_ <= 0) return;
        kill(process_, SIGTERM);
        waitpid(process_, nullptr, 0);
    }

    static sockaddr_in addressOf(int port)
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(std::uint16_t(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return address;
    }
    static int freePort()
    {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = addressOf(0);
        socklen_t size = sizeof address;
        ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
        ::close(socket);
        return ntohs(address.sin_port);
    }
    bool answers() const
    {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        const sockaddr_in address = addressOf(port_);
        const bool connected = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::close(socket);
        return connected;
    }

    const TemporaryFolder& folder_;
    int port_ = 0;
    pid_t process_ = 0;
    bool running_ = false;
};

}  // namespace orogen::test
