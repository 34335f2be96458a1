// Progress line on the terminal; no output if standard error is not a terminal.
#pragma once

#include <chrono>
#include <string>

namespace orogen::app {

std::string durationText(double seconds);  // "42 s", "3 min 20 s", "2 h 5 min"

class ProgressLine
{
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // Shows `fraction` in [0, 1] of `what`, at most ten times a second.  Returns false after a signal, as progress
    // functions (LoadProgress) do to cancel.
    bool show(double fraction, const std::string& what);
    void clear();

private:
    bool terminal_ = false, shown_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace orogen::app
