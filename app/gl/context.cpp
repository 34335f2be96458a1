#include "app/gl/context.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include "app/base/output.h"
#include "app/gl/driver.h"

#ifndef EGL_RENDERER_EXT
#define EGL_RENDERER_EXT 0x335F
#endif

namespace orogen::app {

void DebugLog::install(bool synchronous)
{
    print_ = std::getenv("OROGEN_GL_DEBUG") != nullptr;
    glEnable(GL_DEBUG_OUTPUT);
    if (synchronous) glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
    glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DEBUG_SEVERITY_NOTIFICATION, 0, nullptr, GL_FALSE);
    glDebugMessageCallback(&DebugLog::callback, this);
}

void GLAD_API_PTR DebugLog::callback(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
                                     const GLchar* text, const void* log)
{
    const std::string_view view = length < 0 ? std::string_view(text) : std::string_view(text, std::size_t(length));
    const_cast<DebugLog*>(static_cast<const DebugLog*>(log))->add(source, type, id, severity, view);
}

void DebugLog::add(GLenum source, GLenum type, GLuint id, GLenum severity, std::string_view text)
{
    if (type == GL_DEBUG_TYPE_PUSH_GROUP || type == GL_DEBUG_TYPE_POP_GROUP) return;
    while (!text.empty() && (text.back() == '\n' || text.back() == '\0'))
        text.remove_suffix(1);
    const std::lock_guard lock(mutex_);
    // Shader compile errors are not counted: the caller reads the compiler's log.
    if (type == GL_DEBUG_TYPE_ERROR && source != GL_DEBUG_SOURCE_SHADER_COMPILER) countError();
    keep(type, id, severity, text);
}

// Counts an error, unless poll() has counted it already: an asynchronous message may arrive after poll().
void DebugLog::countError()
{
    if (awaited_ > 0)
        --awaited_;
    else
        ++errors_;
}

void DebugLog::keep(GLenum type, GLuint id, GLenum severity, std::string_view text)
{
    messages_.push_back({++count_, type, severity, id, std::string(text)});
    if (messages_.size() > kKept) messages_.pop_front();
    if (print_) tell(fmt::format("OpenGL {} {}: {}", type == GL_DEBUG_TYPE_ERROR ? "error" : "message", id, text));
}

void DebugLog::poll()
{
    const GLenum error = glGetError();
    const std::lock_guard lock(mutex_);
    if (error != GL_NO_ERROR && errors_ == errorsAtPoll_)
    {
        ++errors_;
        ++awaited_;
        keep(GL_DEBUG_TYPE_ERROR, error, GL_DEBUG_SEVERITY_HIGH, fmt::format("glGetError: 0x{:04x}", unsigned(error)));
    }
    errorsAtPoll_ = errors_;
}

std::uint64_t DebugLog::errors() const
{
    const std::lock_guard lock(mutex_);
    return errors_;
}

std::vector<DebugMessage> DebugLog::messages() const
{
    const std::lock_guard lock(mutex_);
    return {messages_.begin(), messages_.end()};
}

namespace {

std::string glText(GLenum name)
{
    const GLubyte* text = glGetString(name);
    return text ? reinterpret_cast<const char*>(text) : "";
}

int glInteger(GLenum name)
{
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

std::int64_t glInteger64(GLenum name)
{
    GLint64 value = 0;
    glGetInteger64v(name, &value);
    return value;
}

bool isSoftware(std::string_view renderer)
{
    for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "SWR", "Software Rasterizer", "lavapipe"})
        if (renderer.find(name) != std::string_view::npos) return true;
    return false;
}

bool hasExtension(std::string_view wanted)
{
    for (GLint i = 0, count = glInteger(GL_NUM_EXTENSIONS); i < count; ++i)
        if (reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, GLuint(i))) == wanted) return true;
    return false;
}

// Parses "4.60 NVIDIA" and the like to 460.  Returns 0 if malformed.
int glslNumber(const std::string& text)
{
    int major = 0, minor = 0;
    return std::sscanf(text.c_str(), "%d.%d", &major, &minor) == 2 ? 100 * major + minor : 0;
}

Limits askLimits()
{
    Limits limits;
    limits.shaderStorageBytes = glInteger64(GL_MAX_SHADER_STORAGE_BLOCK_SIZE);
    limits.uniformBytes = glInteger64(GL_MAX_UNIFORM_BLOCK_SIZE);
    for (GLuint axis = 0; axis < 3; ++axis)
    {
        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, axis, &limits.workGroupCount[axis]);
        glGetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, axis, &limits.workGroupSize[axis]);
    }
    limits.workGroupInvocations = glInteger(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    limits.sharedBytes = glInteger(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
    limits.storageBindings = glInteger(GL_MAX_SHADER_STORAGE_BUFFER_BINDINGS);
    limits.computeStorageBlocks = glInteger(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
    limits.vertexStorageBlocks = glInteger(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS);
    limits.storageAlignment = glInteger(GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT);
    limits.uniformAlignment = glInteger(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT);
    limits.textureSize = glInteger(GL_MAX_TEXTURE_SIZE);
    limits.arrayLayers = glInteger(GL_MAX_ARRAY_TEXTURE_LAYERS);
    limits.samples = std::min(glInteger(GL_MAX_COLOR_TEXTURE_SAMPLES), glInteger(GL_MAX_DEPTH_TEXTURE_SAMPLES));
    return limits;
}

}  // namespace

Result<std::unique_ptr<Context>> Context::create(const ContextOptions& options)
{
    const bool debug = options.debug || std::getenv("OROGEN_GL_DEBUG") != nullptr;
    if (Status status = checkDriverNeeds(); !status) return status.error();
    quietDrivers();
    const DriverSilence silence;
    std::unique_ptr<Context> context(new Context);
    if (options.headless)
    {
        Result<std::unique_ptr<EglContext>> egl = EglContext::create(options.gpu, options.cudaDevice, debug);
        if (!egl) return egl.error();
        context->egl_ = std::move(*egl);
        context->info_.path = context->egl_->path();
    }
    else
    {
        Result<std::unique_ptr<Window>> window = Window::create(options.window, debug);
        if (!window) return window.error();
        context->window_ = std::move(*window);
        context->info_.path = "window";
    }
    context->finish(debug);
    return context;
}

void Context::finish(bool debug)
{
    info_.major = glInteger(GL_MAJOR_VERSION);
    info_.minor = glInteger(GL_MINOR_VERSION);
    info_.version = glText(GL_VERSION);
    info_.renderer = glText(GL_RENDERER);
    info_.vendor = glText(GL_VENDOR);
    info_.glsl = glText(GL_SHADING_LANGUAGE_VERSION);
    // Queries reset notification from the context, since GLFW silently omits it if GLX lacks it.
    info_.resetNotification = glInteger(GL_RESET_NOTIFICATION_STRATEGY) == GL_LOSE_CONTEXT_ON_RESET;
    info_.software = isSoftware(info_.renderer);
    info_.shadesByCompute = !info_.software;
    buffersInOwnMemory = info_.software && hasExtension("GL_AMD_pinned_memory");
    dispatchesBlock = info_.renderer.starts_with("llvmpipe");  // not Zink, which names it later
    info_.glsl460 = glslNumber(info_.glsl) >= 460;
    limits_ = askLimits();
    debug_.install(debug);
}

Context::~Context()
{
    // Detaches the log, so that no message reaches it while the context is destroyed.
    if (egl_ || window_) glDebugMessageCallback(nullptr, nullptr);
}

ResetStatus Context::resetStatus()
{
    if (injected_)
    {
        const ResetStatus status = *injected_;
        injected_.reset();
        return status;
    }
    switch (glGetGraphicsResetStatus())
    {
    case GL_NO_ERROR:
        return ResetStatus::kNone;
    case GL_GUILTY_CONTEXT_RESET:
        return ResetStatus::kGuilty;
    case GL_INNOCENT_CONTEXT_RESET:
        return ResetStatus::kInnocent;
    default:
        return ResetStatus::kUnknown;
    }
}

namespace {

bool hasWord(const char* list, std::string_view word)
{
    if (!list) return false;
    for (std::string_view rest = list; !rest.empty();)
    {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        if (rest.substr(0, end) == word) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

template <class Function>
Function eglFunction(const char* name)
{
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

const char* clientExtensions() { return eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS); }

std::vector<EGLDeviceEXT> deviceHandles()
{
    const char* extensions = clientExtensions();
    if (!hasWord(extensions, "EGL_EXT_device_base") && !hasWord(extensions, "EGL_EXT_device_enumeration")) return {};
    const auto queryDevices = eglFunction<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLint count = 0;
    if (!queryDevices || !queryDevices(0, nullptr, &count) || count <= 0) return {};
    std::vector<EGLDeviceEXT> devices{std::size_t(count)};
    if (!queryDevices(count, devices.data(), &count)) return {};
    devices.resize(std::size_t(count));
    return devices;
}

EglDevice describe(EGLDeviceEXT handle, int index)
{
    EglDevice device;
    device.index = index;
    const auto queryString = eglFunction<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    const auto queryAttrib = eglFunction<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
    if (!queryString) return device;
    const char* extensions = queryString(handle, EGL_EXTENSIONS);
    device.software = hasWord(extensions, "EGL_MESA_device_software");
    EGLAttrib cuda = -1;
    if (queryAttrib && hasWord(extensions, "EGL_NV_device_cuda") && queryAttrib(handle, EGL_CUDA_DEVICE_NV, &cuda))
        device.cudaDevice = int(cuda);
    const char* name = nullptr;
    if (hasWord(extensions, "EGL_EXT_device_query_name")) name = queryString(handle, EGL_RENDERER_EXT);
    if (!name && hasWord(extensions, "EGL_EXT_device_drm")) name = queryString(handle, EGL_DRM_DEVICE_FILE_EXT);
    if (name) device.name = name;
    return device;
}

EGLDisplay platformDisplay(EGLenum platform, void* native)
{
    const auto get = eglFunction<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    return get ? get(platform, native, nullptr) : EGL_NO_DISPLAY;
}

struct Candidate
{
    EGLDisplay display = EGL_NO_DISPLAY;
    std::string path;
};

Candidate deviceCandidate(const std::vector<EGLDeviceEXT>& handles, const EglDevice& device)
{
    return {platformDisplay(EGL_PLATFORM_DEVICE_EXT, handles[std::size_t(device.index)]),
            device.software ? "software device" : fmt::format("egl device {}", device.index)};
}

// Returns the displays to try, in order: hardware devices (the device of CUDA first); surfaceless; software devices.
// If `gpu` >= 0, returns only the display of that device.
std::vector<Candidate> candidates(int gpu, int cudaDevice)
{
    const std::vector<EGLDeviceEXT> handles = deviceHandles();
    const std::vector<EglDevice> devices = eglDevices();
    if (gpu >= 0) return {deviceCandidate(handles, devices[std::size_t(gpu)])};
    std::vector<Candidate> list;
    for (const bool matching : {true, false})
        for (const EglDevice& device : devices)
            if (!device.software && (cudaDevice >= 0 && device.cudaDevice == cudaDevice) == matching)
                list.push_back(deviceCandidate(handles, device));
    if (hasWord(clientExtensions(), "EGL_MESA_platform_surfaceless"))
        list.push_back({platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY), "surfaceless"});
    for (const EglDevice& device : devices)
        if (device.software) list.push_back(deviceCandidate(handles, device));
    return list;
}

}  // namespace

std::vector<EglDevice> eglDevices(std::string* reason)
{
    if (const Status status = checkDriverNeeds(); !status)
    {
        if (reason) *reason = status.error().message;
        return {};
    }
    quietDrivers();
    const DriverSilence silence;
    std::vector<EglDevice> devices;
    for (const EGLDeviceEXT handle : deviceHandles())
        devices.push_back(describe(handle, int(devices.size())));
    if (devices.empty() && reason) *reason = "EGL lists no devices (no driver, or no EGL_EXT_device_enumeration)";
    return devices;
}

Result<std::unique_ptr<EglContext>> EglContext::create(int gpu, int cudaDevice, bool debug)
{
    const int devices = int(eglDevices().size());
    if (gpu >= devices)
        return Error{devices > 0 ? ExitCode::kUsage : ExitCode::kNoContext,
                     devices > 0 ? fmt::format("--gpu {}: expected 0 to {}", gpu, devices - 1)
                                 : fmt::format("--gpu {}: EGL lists no devices", gpu)};
    std::string reasons;
    for (const Candidate& candidate : candidates(gpu, cudaDevice))
    {
        std::unique_ptr<EglContext> context(new EglContext);
        Status status = context->open(candidate.display, debug);
        context->path_ = candidate.path;
        if (status) return context;
        reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", candidate.path, status.error().message);
    }
    if (reasons.empty()) reasons = "EGL offers neither devices nor surfaceless displays";
    return Error{ExitCode::kNoContext, fmt::format("no usable OpenGL context ({})", reasons)};
}

Status EglContext::open(void* display, bool debug)
{
    EGLint major = 0, minor = 0;
    if (display == EGL_NO_DISPLAY) return Error{ExitCode::kNoContext, "no EGL display"};
    if (!eglInitialize(display, &major, &minor))
        return Error{ExitCode::kNoContext, fmt::format("eglInitialize failed (0x{:04x})", unsigned(eglGetError()))};
    display_ = display;
    if (!eglBindAPI(EGL_OPENGL_API)) return Error{ExitCode::kNoContext, "EGL has no desktop OpenGL"};
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLint count = 0;
    if (!eglChooseConfig(display_, wanted, &config_, 1, &count) || count == 0) config_ = EGL_NO_CONFIG_KHR;
    robustnessOffered_ = major > 1 || minor >= 5;
    const ContextMaker maker = {[this](const ContextAttempt& attempt) { return make(attempt); },
                                [this] { return makeAny(); }, [this] { destroy(); }, eglGetProcAddress};
    Result<ContextAttempt> got = negotiateContext(maker, debug);
    if (!got) return got.error();
    got_ = *got;
    return Status::ok();
}

bool EglContext::make(const ContextAttempt& attempt)
{
    if (attempt.resetNotification && !robustnessOffered_) return false;
    std::vector<EGLint> list = {EGL_CONTEXT_MAJOR_VERSION,       attempt.major,
                                EGL_CONTEXT_MINOR_VERSION,       attempt.minor,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
    if (attempt.debug) list.insert(list.end(), {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE});
    // GLFW can only request reset notification and robust buffer access together.  Robust access costs time, so this
    // code requests both as well: frame times with and without a window stay comparable.
    if (attempt.resetNotification)
        list.insert(list.end(), {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET,
                                 EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE});
    list.push_back(EGL_NONE);
    context_ = eglCreateContext(display_, config_, EGL_NO_CONTEXT, list.data());
    if (context_ == EGL_NO_CONTEXT) return false;
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return true;
    destroy();
    return false;
}

bool EglContext::makeAny()
{
    context_ = eglCreateContext(display_, config_, EGL_NO_CONTEXT, nullptr);
    return context_ != EGL_NO_CONTEXT && eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_);
}

void EglContext::destroy()
{
    if (context_ == EGL_NO_CONTEXT) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    context_ = EGL_NO_CONTEXT;
}

EglContext::~EglContext()
{
    destroy();
    if (display_) eglTerminate(display_);
}

}  // namespace orogen::app
