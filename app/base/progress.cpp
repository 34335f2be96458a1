#include "app/base/progress.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

#include "app/base/interrupt.h"
#include "core/base/terminal_text.h"

namespace orogen::app {

std::string durationText(double seconds)
{
    const auto whole = std::uint64_t(std::clamp(seconds, 0.0, 1e9) + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::show(double fraction, const std::string& what)
{
    if (interruption()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now < next_) return true;
    next_ = now + std::chrono::milliseconds(100);
    shown_ = true;
    std::fprintf(stderr, "\r\033[K%s: %d %%", printable(what).c_str(), int(100.0 * std::clamp(fraction, 0.0, 1.0)));
    std::fflush(stderr);
    return true;
}

void ProgressLine::clear()
{
    if (!shown_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    shown_ = false;
}

}  // namespace orogen::app
