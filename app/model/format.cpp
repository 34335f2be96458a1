#include "app/model/format.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace orogen::app {

namespace {

// Formats with three significant digits, but at most two decimals.  Values from 1,000 on keep all integer digits, in
// groups.
std::string threeDigits(double value)
{
    const double size = std::abs(value);
    const int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    return grouped(value, decimals);
}

std::string inSteps(double value, double step, std::initializer_list<std::string_view> units)
{
    auto unit = units.begin();
    while (value >= step * 0.9995 && unit + 1 != units.end())
    {
        value /= step;
        ++unit;
    }
    return fmt::format("{} {}", threeDigits(value), *unit);
}

}  // namespace

std::string compact(std::uint64_t number)
{
    return number < 1000 ? std::to_string(number) : inSteps(double(number) / 1000, 1000, {"k", "M", "G"});
}

std::string bytesText(std::uint64_t bytes)
{
    return bytes < 1024 ? fmt::format("{} B", bytes)
                        : inSteps(double(bytes) / 1024, 1024, {"KiB", "MiB", "GiB", "TiB"});
}

std::string metresText(double metres)
{
    const double size = std::abs(metres);
    if (size < 0.005) return "0 m";
    if (size >= 9'999.5) return fmt::format("{} km", threeDigits(metres / 1000));
    return (size >= 999.5 ? grouped(metres, 0) : threeDigits(metres)) + " m";
}

bool coarseSamples(double samplesApart) { return samplesApart >= 500; }

// Rounds to steps hardly finer than the interpolation error, which is some 1/100 of the spacing in natural relief.
std::string heightText(double metres, double samplesApart)
{
    if (!coarseSamples(samplesApart)) return metresText(metres);
    const double step = samplesApart >= 1'000 ? 100 : 10;
    const double size = std::round(std::abs(metres) / step) * step;
    return fmt::format("about {}{} m", metres < 0 && size > 0 ? "-" : "", grouped(std::uint64_t(size)));
}

std::string samplesNote(double samplesApart)
{
    if (!coarseSamples(samplesApart)) return {};
    return samplesApart < 1'000 ? fmt::format(" (samples {:.0f} m)", samplesApart)
                                : fmt::format(" (samples {:.1f} km)", samplesApart / 1'000);
}

std::string msText(double milliseconds)
{
    return std::abs(milliseconds) < 0.995 ? fixedText(milliseconds, 3) : threeDigits(milliseconds);
}

}  // namespace orogen::app
