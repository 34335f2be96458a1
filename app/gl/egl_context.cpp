#include "app/gl/egl_context.h"

#include <algorithm>
#include <string_view>
#include <utility>

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include "app/gl/driver.h"

#ifndef EGL_RENDERER_EXT
#define EGL_RENDERER_EXT 0x335F
#endif

namespace orogen::app {
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
