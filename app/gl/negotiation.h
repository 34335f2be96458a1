// Sequence of context versions to request from a driver, shared by the window and EGL.
#pragma once

#include <functional>
#include <string>

#include <glad/gl.h>

#include "core/base/status.h"

namespace orogen::app {

struct ContextAttempt
{
    int major = 4, minor = 6;
    bool resetNotification = true;  // reports GPU resets to the program
    bool debug = false;
};

// Functions that create a context.
struct ContextMaker
{
    std::function<bool(const ContextAttempt&)> make;  // creates a suitable one, current on this thread
    std::function<bool()> makeAny;                    // creates any, to find the available version
    std::function<void()> destroy;                    // destroys the current one
    GLADloadfunc load = nullptr;
};

// Creates a 4.6 core context, else 4.5 core with the needed extensions, loads its functions and returns its properties.
// Error kNoContext: the version found, or the extensions missing from 4.5.
Result<ContextAttempt> negotiateContext(const ContextMaker& maker, bool debug);

}  // namespace orogen::app
