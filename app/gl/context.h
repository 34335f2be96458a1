// OpenGL context in a window (GLFW) or headless (EGL): 4.6 core, or 4.5 core with the needed extensions.  Also the log
// of its driver's messages (KHR_debug).  A process has at most one context at a time.  All OpenGL calls must come from
// the thread that created the context.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glad/gl.h>

#include "app/gl/driver.h"
#include "app/gl/window.h"
#include "core/base/status.h"

namespace orogen::app {

struct DebugMessage
{
    std::uint64_t number = 0;  // from 1
    GLenum type = 0, severity = 0;
    GLuint id = 0;
    std::string text;
};

// Driver messages: counted and kept; printed only if OROGEN_GL_DEBUG is set in the environment.  The context must be
// current for install() and poll(), and be destroyed before the log.
class DebugLog
{
public:
    DebugLog() = default;
    DebugLog(const DebugLog&) = delete;
    DebugLog& operator=(const DebugLog&) = delete;

    void install(bool synchronous);

    // Call once per frame.  Finds and counts errors for which the driver sent no debug message.
    void poll();

    std::uint64_t errors() const;  // error messages, except those of shader compilers, plus those found by poll()
    std::vector<DebugMessage> messages() const;  // the last kKept, without notifications, oldest first

    static constexpr std::size_t kKept = 64;

private:
    static void GLAD_API_PTR callback(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                      const GLchar* text, const void* log);
    void add(GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text);
    void countError();
    void keep(GLenum type, GLuint id, GLenum severity, std::string_view text);

    mutable std::mutex mutex_;  // drivers may call from their own threads
    std::deque<DebugMessage> messages_;
    std::uint64_t count_ = 0, errors_ = 0, errorsAtPoll_ = 0;
    std::uint64_t awaited_ = 0;  // errors that poll() found before their messages arrived
    bool print_ = false;
};

struct ContextOptions
{
    WindowOptions window = {};  // unused when headless
    bool headless = false;
    bool debug = false;   // debug context: more messages, may be slower; also set by OROGEN_GL_DEBUG
    int gpu = -1;         // headless: index into eglDevices(); -1: the first that works
    int cudaDevice = -1;  // headless: prefer the EGL device of this CUDA device; -1: no preference
};

struct ContextInfo
{
    int major = 0, minor = 0;
    std::string version, renderer, vendor, glsl;  // as reported by the driver
    std::string path;                             // "window", "egl device 0", "surfaceless", "software device"
    bool software = false;           // software rasteriser: its GPU timers may attribute time to the wrong pass
    bool glsl460 = false;            // false: 450 with GL_ARB_shader_draw_parameters
    bool resetNotification = false;  // the driver reports a lost context, see Context::resetStatus()
    // Whether a compute shader shades the ground (TerrainPicture): on every GPU, since on GPUs for data centres few
    // multiprocessors run fragment shaders.
    bool shadesByCompute = false;
};

// Driver limits, queried once.
struct Limits
{
    std::int64_t shaderStorageBytes = 0;  // bytes per block
    std::int64_t uniformBytes = 0;        // bytes per block
    int workGroupCount[3] = {0, 0, 0};
    int workGroupSize[3] = {0, 0, 0};
    int workGroupInvocations = 0;
    int sharedBytes = 0;  // per work group
    int storageBindings = 0, computeStorageBlocks = 0, vertexStorageBlocks = 0;
    int storageAlignment = 0, uniformAlignment = 0;  // for buffer offsets (bytes)
    int textureSize = 0, arrayLayers = 0;
    int samples = 0;  // maximum per pixel, for colour and depth textures
};

enum class ResetStatus
{
    kNone,
    kGuilty,    // caused by this context
    kInnocent,  // caused by another context
    kUnknown,
};

class EglContext;

class Context
{
public:
    // Creates a context that is current on this thread.  Errors: kNoContext (one line with the version found, or every
    // attempt); kUsage (gpu out of range); kLimit (too few threads or too little memory to load the driver).
    static Result<std::unique_ptr<Context>> create(const ContextOptions& options);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const ContextInfo& info() const { return info_; }
    const Limits& limits() const { return limits_; }
    void injectInfo(const ContextInfo& info) { info_ = info; }     // for tests: another kind of driver
    void injectLimits(const Limits& limits) { limits_ = limits; }  // for tests: a driver with lower limits
    DebugLog& debug() { return debug_; }
    Window* window() { return window_.get(); }  // null if headless
    const Window* window() const { return window_.get(); }

    // Queries whether the context was lost; cheap, call once per frame.  After any result but kNone all objects are
    // invalid: destroy their owners, then this context, and create another.
    ResetStatus resetStatus();
    void injectReset(ResetStatus status) { injected_ = status; }  // for tests: the result of the next query

private:
    Context() = default;
    void finish(bool debug);  // after creation, with the context current: reads info and limits, installs the debug log

    DebugLog debug_;
    std::unique_ptr<Window> window_;
    std::unique_ptr<EglContext> egl_;
    ContextInfo info_;
    Limits limits_;
    std::optional<ResetStatus> injected_;
};

// Returns why no window can be opened, so that the viewer runs headless; empty if a window can be opened.
std::optional<std::string> noWindowReason();

// ---- headless OpenGL context through EGL ----

struct EglDevice
{
    int index = 0;  // in the order of eglQueryDevicesEXT, as for --gpu
    bool software = false;
    int cudaDevice = -1;  // -1: unknown to EGL
    std::string name;     // renderer or device file; empty if unknown
};

// Returns the devices that EGL lists; empty without a driver.  `reason`, if given, receives why the list is empty.
std::vector<EglDevice> eglDevices(std::string* reason = nullptr);

class EglContext
{
public:
    // Creates a context that is current on this thread.  Arguments: see ContextOptions.  Errors as Context::create().
    static Result<std::unique_ptr<EglContext>> create(int gpu, int cudaDevice, bool debug);
    ~EglContext();
    EglContext(const EglContext&) = delete;
    EglContext& operator=(const EglContext&) = delete;

    const std::string& path() const { return path_; }  // as ContextInfo::path
    const ContextAttempt& got() const { return got_; }

private:
    EglContext() = default;
    Status open(void* display, bool debug);
    bool make(const ContextAttempt& attempt);
    bool makeAny();
    void destroy();

    void* display_ = nullptr;
    void* config_ = nullptr;
    void* context_ = nullptr;
    bool robustnessOffered_ = false;
    std::string path_;
    ContextAttempt got_;
};

}  // namespace orogen::app
