// One line on the terminal that says how far long work is; nothing where standard error is no terminal.
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

    // Shows `fraction` in [0, 1] of `what`, at most ten times a second.  False if the user wants to stop: what
    // loadRaster and the like ask of their progress function.
    bool show(double fraction, const std::string& what);
    void clear();

private:
    bool terminal_ = false, shown_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace orogen::app
