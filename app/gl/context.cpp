#include "app/gl/context.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "app/base/output.h"
#include "app/gl/driver.h"
#include "app/gl/egl_context.h"

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
    info_.glsl460 = glslNumber(info_.glsl) >= 460;
    limits_ = askLimits();
    debug_.install(debug);
}

Context::~Context()
{
    // Detaches the log, which may be destroyed before the driver's last message.
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

}  // namespace orogen::app
