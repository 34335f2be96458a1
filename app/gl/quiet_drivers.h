// Suppression of driver output on standard error, where this program prints one line only.
#pragma once

namespace orogen::app {

// Sets environment variables, unless already set, that silence EGL and Mesa.  Call before the first use of EGL or GLFW,
// while the process has one thread.
void quietDrivers();

// Redirects standard error to /dev/null during its lifetime, as some loaders print regardless of settings.  No-op if
// OROGEN_GL_DEBUG is set in the environment.
class DriverSilence
{
public:
    DriverSilence();
    ~DriverSilence();
    DriverSilence(const DriverSilence&) = delete;
    DriverSilence& operator=(const DriverSilence&) = delete;

private:
    int saved_ = -1;  // duplicate of standard error
};

}  // namespace orogen::app
