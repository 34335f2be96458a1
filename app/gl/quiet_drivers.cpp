#include "app/gl/quiet_drivers.h"

#include <cstdio>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace orogen::app {
namespace {

void setIfUnset(const char* name, const char* value) { setenv(name, value, 0); }

}  // namespace

void quietDrivers()
{
    setIfUnset("EGL_LOG_LEVEL", "fatal");
    setIfUnset("LIBGL_DEBUG", "quiet");
    setIfUnset("MESA_DEBUG", "silent");
    setIfUnset("MESA_LOG", "null");
}

DriverSilence::DriverSilence()
{
    if (std::getenv("OROGEN_GL_DEBUG")) return;
    std::fflush(stderr);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    saved_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (saved_ >= 0) dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

DriverSilence::~DriverSilence()
{
    if (saved_ < 0) return;
    std::fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
}

}  // namespace orogen::app
