// Preparation of an OpenGL driver, for the window and for EGL.  Suppresses the driver's output, checks the resources
// that the driver needs before it is loaded, and negotiates a context version.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <glad/gl.h>

#include "core/base/status.h"

namespace orogen::app {

// Sets environment variables, unless already set, that silence EGL and Mesa and let NVIDIA's driver keep compiled
// shaders.  Call before the first use of EGL or GLFW, while the process has one thread.
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

inline constexpr std::uint64_t kDriverAddressSpace = std::uint64_t(1) << 30;  // minimum address-space limit (bytes)
inline constexpr std::uint64_t kDriverMemory = std::uint64_t(256) << 20;      // minimum available memory (bytes)

// Checks the resources that a driver needs; call before it is loaded.  Mesa's software rasteriser starts a thread per
// processor when it creates a context.  If a thread cannot start, the rasteriser crashes, aborts or hangs.  Refused
// memory also breaks the rasteriser and its compiler.
//
// Error kLimit with the limit: less address space or memory than the constants above, or fewer threads than the driver
// will start.  Starts that many threads for a fraction of a millisecond.
Status checkDriverNeeds();

struct ContextAttempt
{
    int major = 4, minor = 6;
    bool resetNotification = true;  // reports GPU resets to the program
    bool debug = false;
};

// Functions that create a context.
struct ContextMaker
{
    std::function<bool(const ContextAttempt&)> make;  // creates a context of that version, current on this thread
    std::function<bool()> makeAny;                    // creates a context of any version, to find the version available
    std::function<void()> destroy;                    // destroys the current context
    GLADloadfunc load = nullptr;
};

// Creates a 4.6 core context, else 4.5 core with the needed extensions, loads its functions and returns its properties.
// Error kNoContext: the version found, the extensions missing from 4.5, or that functions do not load.
Result<ContextAttempt> negotiateContext(const ContextMaker& maker, bool debug);

// Counts calls of OpenGL while a capture runs: each call costs time on the driver's thread, and a capture reports the
// number of calls.

// While an instance lives, it counts the calls of this program, except those by the panels' own loader.  At most one
// instance may live at a time, on the thread that draws.
class GlCallCounter
{
public:
    GlCallCounter();
    ~GlCallCounter();
    GlCallCounter(const GlCallCounter&) = delete;
    GlCallCounter& operator=(const GlCallCounter&) = delete;

    std::uint64_t take();  // calls since the last take(), or since construction
};

}  // namespace orogen::app
