// An OpenGL context, in a window (GLFW) or without one (EGL): 4.6 core, or 4.5 core with the extensions that 4.6 folded
// in.  One at a time in a process; all OpenGL calls belong to the thread that created it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "app/gl/debug.h"
#include "app/gl/window.h"
#include "core/base/status.h"

namespace orogen::app {

struct ContextOptions
{
    WindowOptions window = {};  // not looked at when headless
    bool headless = false;
    bool debug = false;   // a debug context: tells more, may be slower; OROGEN_GL_DEBUG in the environment asks too
    int gpu = -1;         // headless: an index into eglDevices(); -1: the first that works
    int cudaDevice = -1;  // headless: try the EGL device of this CUDA device first; -1: no wish
};

struct ContextInfo
{
    int major = 0, minor = 0;
    std::string version, renderer, vendor, glsl;  // as the driver words them
    std::string path;                             // "window", "egl device 0", "surfaceless", "software device"
    bool software = false;  // a software rasteriser: its GPU timers attribute wrongly between passes
    bool glsl460 = false;   // false: 450 with GL_ARB_shader_draw_parameters
    bool resetNotification = false;
};

// What this driver promises, asked of it once.
struct Limits
{
    std::int64_t shaderStorageBytes = 0;  // of one block
    std::int64_t uniformBytes = 0;        // of one block
    int workGroupCount[3] = {0, 0, 0};
    int workGroupSize[3] = {0, 0, 0};
    int workGroupInvocations = 0;
    int sharedBytes = 0;  // of a work group
    int storageBindings = 0, computeStorageBlocks = 0, vertexStorageBlocks = 0;
    int storageAlignment = 0, uniformAlignment = 0;  // of offsets, bytes
    int textureSize = 0, arrayLayers = 0;
    int samples = 0;  // colour and depth
};

enum class ResetStatus
{
    kNone,
    kGuilty,    // this context caused it
    kInnocent,  // another one did
    kUnknown,
};

class EglContext;

class Context
{
public:
    // Errors: kNoContext (one line that names the version found, or each way that was tried), kUsage (gpu out of
    // range), kLimit (before a driver is loaded: threads or memory that it needs are not to be had).
    static Result<std::unique_ptr<Context>> create(const ContextOptions& options);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const ContextInfo& info() const { return info_; }
    const Limits& limits() const { return limits_; }
    void injectLimits(const Limits& limits) { limits_ = limits; }  // for tests: a driver that promises less
    DebugLog& debug() { return debug_; }
    Window* window() { return window_.get(); }  // null: headless
    const Window* window() const { return window_.get(); }

    // Asks the driver whether the context was lost; cheap, once a frame.  After anything but kNone, all objects are
    // gone: drop their owners, then this context, and create another.
    ResetStatus resetStatus();
    void injectReset(ResetStatus status) { injected_ = status; }  // for tests: what the next question answers

private:
    Context() = default;
    void finish(bool debug);  // after a context became current: its info, limits, messages

    DebugLog debug_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<EglContext> egl_;
    ContextInfo info_;
    Limits limits_;
    std::optional<ResetStatus> injected_;
};

// Why no window can be opened here; empty if one can.  The viewer then goes on without a window.
std::optional<std::string> noWindowReason();

}  // namespace orogen::app
