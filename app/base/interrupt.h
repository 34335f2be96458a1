// SIGINT and SIGTERM ask the program to finish; nothing is torn down in a signal handler.
#pragma once

#include <optional>

#include "core/base/status.h"

namespace orogen::app {

// From now on both signals only set a flag (the third one kills as it always did), and writing to a closed pipe or
// beyond the largest size of a file that is allowed (ulimit -f) is an error instead of a death.
void installSignalHandlers();

// The error of the signal that came: kInterrupted or kTerminated; empty if none did.  Loops that last ask this.
std::optional<Error> interruption();

bool interrupted();  // whether one came

// While one lives there is nothing to finish and nothing to keep, so that a signal ends the program at once with its
// exit code, whatever it is doing: a benchmark may be deep within somebody else's library.
class ExitAtOnce
{
public:
    ExitAtOnce();
    ~ExitAtOnce();
    ExitAtOnce(const ExitAtOnce&) = delete;
    ExitAtOnce& operator=(const ExitAtOnce&) = delete;
};

// Acts as if the signal had come; 0 forgets it.  For tests.
void requestInterrupt(int signal);

}  // namespace orogen::app
