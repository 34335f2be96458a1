// Drivers and their loaders like to write to standard error, which belongs to this program's one line.
#pragma once

namespace orogen::app {

// Asks EGL and Mesa to be quiet, through environment variables that are not set yet.  Before the first call into EGL or
// GLFW, while there is one thread.
void quietDrivers();

// Sends standard error to nowhere while it lives: loaders say some things whatever they were asked.  Does nothing where
// OROGEN_GL_DEBUG is set in the environment.
class DriverSilence
{
public:
    DriverSilence();
    ~DriverSilence();
    DriverSilence(const DriverSilence&) = delete;
    DriverSilence& operator=(const DriverSilence&) = delete;

private:
    int saved_ = -1;  // a duplicate of standard error
};

}  // namespace orogen::app
