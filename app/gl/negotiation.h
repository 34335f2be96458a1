// Which context to ask a driver for, in which order; shared by the window and by EGL.
#pragma once

#include <functional>
#include <string>

#include <glad/gl.h>

#include "core/base/status.h"

namespace orogen::app {

struct ContextAttempt
{
    int major = 4, minor = 6;
    bool resetNotification = true;  // be told when the GPU was reset
    bool debug = false;
};

// One way to make a context.
struct ContextMaker
{
    std::function<bool(const ContextAttempt&)> make;  // a context that fits, current on this thread
    std::function<bool()> makeAny;                    // any at all, to learn which version there is
    std::function<void()> destroy;                    // the current one
    GLADloadfunc load = nullptr;
};

// Makes 4.6 core, else 4.5 core with its extensions, loads the functions and says what it got.
// Error kNoContext: the version found, or what 4.5 lacks.
Result<ContextAttempt> negotiateContext(const ContextMaker& maker, bool debug);

}  // namespace orogen::app
