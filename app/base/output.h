// Standard output for results, standard error for messages and for a progress line.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "core/base/status.h"

namespace orogen::app {

// Replaces closed descriptors among 0, 1 and 2, so that no file opened later becomes a standard stream.  Reads from a
// replaced standard input fail, and so do writes to a replaced output or error.  Call first in main().
void occupyStandardStreams();

// Writes to standard output.  outputStatus() reports write errors.
void print(std::string_view text);
Status outputStatus();  // flushes; error kOutput if any write failed

// Writes a message to standard error: "orogen: " and the text, made printable, on one line.  Ignores write errors.
void tell(std::string_view message);

std::string durationText(double seconds);  // "42 s", "3 min 20 s", "2 h 5 min"

// Progress line on the terminal; no output if standard error is not a terminal.
class ProgressLine
{
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // Shows `what` and `fraction` (in [0, 1]), at most ten times a second.  Returns false after SIGINT or SIGTERM,
    // which tells the work that reports its progress here (LoadProgress, core/terrain/raster/raster.h) to stop.
    bool show(double fraction, const std::string& what);
    void clear();  // erases the line

private:
    bool terminal_ = false, shown_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace orogen::app
