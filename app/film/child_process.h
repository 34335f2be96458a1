// Child process whose standard input this process writes.  The child has a process group of its own, so Ctrl-C on the
// terminal does not reach it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/base/status.h"

namespace orogen::app {

class ChildProcess
{
public:
    // Starts `program` (a path).  The child's standard input is a socket, its output and messages go to memory.  Error
    // kOutput.
    static Result<std::unique_ptr<ChildProcess>> start(const std::string& program,
                                                       const std::vector<std::string>& arguments);
    ~ChildProcess();  // closes the input and waits for the end
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    bool write(std::span<const std::uint8_t> bytes);  // writes all, waits; false if the child closed its input or ended
    void closeInput();
    int wait();  // closes the input, waits for the end, and returns the exit code, or 128 + number of a fatal signal
    int fatalSignal() const { return signal_; }  // signal that ended the child; 0: none, or wait() was not called yet
    std::string output() const;                  // standard output so far, at most 1 MiB
    std::string lastLine() const;                // last line in the first MiB of standard error

private:
    ChildProcess() = default;

    pid_t pid_ = 0;  // 0: no process, or it has ended
    int code_ = -1, signal_ = 0;
    int input_ = -1, output_ = -1, messages_ = -1;
};

}  // namespace orogen::app
