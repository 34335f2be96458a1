#include "app/base/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

namespace orogen::app {
namespace {

int firstWriteError = 0;

void rememberWriteError()
{
    if (firstWriteError == 0) firstWriteError = errno != 0 ? errno : EIO;
}

}  // namespace

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

}  // namespace orogen::app
