#include "app/base/progress.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

#include "app/base/interrupt.h"
#include "core/base/terminal_text.h"

namespace orogen::app {

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
