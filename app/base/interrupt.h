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

// Acts as if the signal had come; 0 forgets it.  For tests.
void requestInterrupt(int signal);

}  // namespace orogen::app
