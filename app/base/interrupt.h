// SIGINT and SIGTERM request a regular end; the signal handler itself releases nothing.
#pragma once

#include <optional>

#include "core/base/status.h"

namespace orogen::app {

// Installs the handlers.  Both signals then only set a flag; the third one restores the default action, so that the
// next one kills.  Writing to a closed pipe, or beyond the file size limit (ulimit -f), becomes an error instead of a
// signal.
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
