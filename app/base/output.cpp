#include "app/base/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>

#include <fmt/format.h>

#include "core/base/terminal_text.h"

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
    // Opened in the wrong mode, so that reads from standard input and writes to the others fail.
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

}  // namespace orogen::app
