#include "app/base/output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "app/base/process.h"
#include "core/base/text.h"

namespace orogen::app {
namespace {

int firstWriteError = 0;

void rememberWriteError()
{
    if (firstWriteError == 0) firstWriteError = errno != 0 ? errno : EIO;
}

}  // namespace

void occupyStandardStreams()
{
    // Opens /dev/null in the wrong mode: reads from standard input, and writes to standard output or error, fail.
    constexpr int kWrongWay[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = 0; stream < 3; ++stream)
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) (void)!::open("/dev/null", kWrongWay[stream]);
}

void print(std::string_view text)
{
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) rememberWriteError();
}

Status outputStatus()
{
    errno = 0;
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) rememberWriteError();
    if (firstWriteError == 0) return Status::ok();
    return Error{ExitCode::kOutput,
                 fmt::format("standard output: cannot be written: {}", std::strerror(firstWriteError))};
}

void tell(std::string_view message)
{
    const std::string line = "orogen: " + printable(message) + '\n';
    std::fwrite(line.data(), 1, line.size(), stderr);
}

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
