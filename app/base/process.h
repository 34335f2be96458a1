// Process: checks at program start, and a regular end after SIGINT and SIGTERM.
#pragma once

#include <optional>

#include "core/base/status.h"

namespace orogen::app {

// Checks the memory and touches the pages of the stack: with a limited address space, a stack that grows later would
// end the process with a signal.  Error kLimit: too little memory to start.
//
// Linking this file also installs two handlers.  A stack limit below 256 KiB ends the process with one line and exit
// code 6 before any library starts.  So do an uncaught std::bad_alloc and a thread that cannot be started, on any
// thread, even before main().  Other uncaught exceptions abort as usual.
Status prepareMemory();

// Installs handlers of SIGINT and SIGTERM, which release nothing themselves.  Both signals then only set a flag; the
// third one restores the default action, so that the next one kills.  Writing to a closed pipe, or beyond the file size
// limit (ulimit -f), becomes an error instead of a signal.
void installSignalHandlers();

// Returns the error of the received signal, kInterrupted or kTerminated, or empty.  Long loops must poll it.
std::optional<Error> interruption();

bool interrupted();  // whether a signal was received

// While an instance lives, a signal ends the process immediately with its exit code.  For work that has no results to
// keep and may be inside a third-party library, such as a benchmark.
class ExitAtOnce
{
public:
    ExitAtOnce();
    ~ExitAtOnce();
    ExitAtOnce(const ExitAtOnce&) = delete;
    ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

// Simulates a received signal; 0 clears it.  For tests.
void requestInterrupt(int signal);

}  // namespace orogen::app
