// Figures by which a GPU is judged.  Tests print them and fail only for wrong results, not for slow ones; tests/gpu/run
// reads these lines and reports whether goals were met.
#pragma once

#include <cstdio>
#include <limits>
#include <string>

namespace orogen::test {

inline constexpr double kNoGoal = std::numeric_limits<double>::quiet_NaN();

enum class Better
{
    kMore,
    kLess,
};

struct Figure
{
    std::string name, unit;
    Better better = Better::kMore;
    double goal = kNoGoal, found = 0;
    double floor = kNoGoal;  // the best that this hardware allows, from the bytes and operations required
};

// Prints a line such as "figure: look-back, 2^33 bits | of a copy | more | 0.9 | 0.93 | 1"
inline void report(const Figure& figure)
{
    const auto text = [](double value) {
        if (value != value) return std::string("-");
        char number[32];
        std::snprintf(number, sizeof(number), "%.5g", value);
        return std::string(number);
    };
    std::printf("figure: %s | %s | %s | %s | %s | %s\n", figure.name.c_str(), figure.unit.c_str(),
                figure.better == Better::kMore ? "more" : "less", text(figure.goal).c_str(), text(figure.found).c_str(),
                text(figure.floor).c_str());
    std::fflush(stdout);  // keeps the figure if the run is stopped
}

// Bandwidth of `bytes` moved in `milliseconds`, relative to that of a copy (bytes / s).
inline double shareOfCopy(double bytes, double milliseconds, double copyBytesPerSecond)
{
    return milliseconds > 0 ? bytes / (milliseconds * 1e-3) / copyBytesPerSecond : 0;
}

}  // namespace orogen::test
