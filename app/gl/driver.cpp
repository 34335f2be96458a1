#include "app/gl/driver.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glad/gl.h>
#include <unistd.h>

#include "core/base/memory.h"
#include "core/base/thread_pool.h"

namespace orogen::app {
namespace {

void setIfUnset(const char* name, const char* value) { setenv(name, value, 0); }

}  // namespace

void quietDrivers()
{
    setIfUnset("EGL_LOG_LEVEL", "fatal");
    setIfUnset("LIBGL_DEBUG", "quiet");
    setIfUnset("MESA_DEBUG", "silent");
    setIfUnset("MESA_LOG", "null");
    // NVIDIA's driver keeps no compiled shaders for root, the user of most containers; compiling them takes many
    // seconds.
    setIfUnset("__GL_SHADER_DISK_CACHE", "1");
}

DriverSilence::DriverSilence()
{
    if (std::getenv("OROGEN_GL_DEBUG")) return;
    std::fflush(stderr);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    saved_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (saved_ >= 0) dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

DriverSilence::~DriverSilence()
{
    if (saved_ < 0) return;
    std::fflush(stderr);
    dup2(saved_, STDERR_FILENO);
    close(saved_);
}

namespace {

constexpr int kMostRasteriserThreads = 32;  // Mesa's limit
constexpr int kOtherThreads = 4;            // Mesa's threads for shader compilation and the cache

int rasteriserThreads()
{
    const char* wanted = std::getenv("LP_NUM_THREADS");
    return std::clamp(wanted ? std::atoi(wanted) : usableThreads(), 0, kMostRasteriserThreads);
}

Status checkMemoryOfDriver()
{
    const MemorySources sources = memorySources();
    if (sources.addressSpaceLimit < kDriverAddressSpace)
        return Error{ExitCode::kLimit,
                     fmt::format("OpenGL: the address space is limited to {} (ulimit -v), expected at least {}",
                                 bytesText(double(sources.addressSpaceLimit)), bytesText(double(kDriverAddressSpace)))};
    return checkMemory("OpenGL", kDriverMemory, availableMemoryOf(sources));
}

// Starts all threads at once; each lives until the last has started or one has failed.
Status checkThreads(int count)
{
    std::atomic<bool> over = false;
    std::vector<std::jthread> threads;
    threads.reserve(std::size_t(count));
    const struct Release
    {
        ~Release() { storeAndNotify(over, true); }
        std::atomic<bool>& over;
    } release{over};  // releases the threads on every path, before they are joined
    Status status;
    while (status && int(threads.size()) < count)
    {
        Result<std::jthread> thread = startThread("OpenGL", [&over] { over.wait(false); });
        if (thread)
            threads.push_back(std::move(*thread));
        else
            status = Error{thread.error().code, fmt::format("{} (the driver starts up to {}, but only {} started)",
                                                            thread.error().message, count, threads.size())};
    }
    return status;
}

}  // namespace

Status checkDriverNeeds()
{
    if (Status status = checkMemoryOfDriver(); !status) return status;
    return checkThreads(rasteriserThreads() + kOtherThreads);
}

namespace {

// Core in 4.6; needed for gl_BaseInstance and gl_DrawID.
constexpr std::array<std::string_view, 1> kNeededBefore46 = {"GL_ARB_shader_draw_parameters"};

std::vector<std::string_view> missingExtensions()
{
    std::set<std::string_view> offered;
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLuint i = 0; i < GLuint(count); ++i)
        offered.insert(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, i)));
    std::vector<std::string_view> missing;
    for (const std::string_view name : kNeededBefore46)
        if (!offered.contains(name)) missing.push_back(name);
    return missing;
}

Error versionTooOld(const ContextMaker& maker)
{
    std::string found = "none";
    if (maker.makeAny && maker.makeAny())
    {
        // gladLoadGL() cannot be used: an old context lacks most of the functions that it loads.
        const auto getString = reinterpret_cast<PFNGLGETSTRINGPROC>(maker.load("glGetString"));
        const GLubyte* version = getString ? getString(GL_VERSION) : nullptr;
        if (version) found = reinterpret_cast<const char*>(version);
        maker.destroy();
    }
    return {ExitCode::kNoContext, fmt::format("OpenGL {}, expected 4.6 or 4.5 core", found)};
}

}  // namespace

Result<ContextAttempt> negotiateContext(const ContextMaker& maker, bool debug)
{
    constexpr std::array<ContextAttempt, 4> kAttempts = {
        {{4, 6, true, false}, {4, 6, false, false}, {4, 5, true, false}, {4, 5, false, false}}};
    for (ContextAttempt attempt : kAttempts)
    {
        attempt.debug = debug;
        if (!maker.make(attempt)) continue;
        if (gladLoadGL(maker.load) == 0)
        {
            maker.destroy();
            return Error{ExitCode::kNoContext, "OpenGL functions could not be loaded"};
        }
        if (attempt.minor >= 6) return attempt;
        const auto missing = missingExtensions();
        if (missing.empty()) return attempt;
        maker.destroy();
        return Error{ExitCode::kNoContext,
                     fmt::format("OpenGL 4.5 without {}, expected 4.6, or 4.5 with it", fmt::join(missing, ", "))};
    }
    return versionTooOld(maker);
}

namespace {

std::uint64_t calls = 0;

// Replaces the loader's pointer to an OpenGL function by a function that counts the call and makes it.
template <auto* pointer>
struct Counted;

template <typename R, typename... A, R (**pointer)(A...)>
struct Counted<pointer>
{
    static inline R (*function)(A...) = nullptr;
    static R call(A... arguments)
    {
        ++calls;
        return function(arguments...);
    }
    static void install()
    {
        function = *pointer;
        if (function) *pointer = &call;
    }
    // Leaves the pointer alone if the loader has replaced it, as after a lost context.
    static void remove()
    {
        if (*pointer == &call) *pointer = function;
    }
};

// Functions that app/ calls; tests/gl/gl/gl_calls_test.cpp finds those that are missing.
// clang-format off
#define OROGEN_GL_FUNCTIONS(F) \
    F(glAttachShader) F(glBindBuffer) F(glBindBufferBase) F(glBindBufferRange) F(glBindFramebuffer)                    \
    F(glBindImageTexture) F(glBindSampler) F(glBindTextureUnit) F(glBindVertexArray) F(glBlendFunc)                    \
    F(glBlitFramebuffer) F(glBlitNamedFramebuffer) F(glBufferData) F(glClearBufferfi) F(glClearBufferfv)               \
    F(glClearNamedBufferData) F(glClearNamedBufferSubData) F(glClearTexImage) F(glClientWaitSync) F(glClipControl)     \
    F(glCompileShader) F(glCopyNamedBufferSubData) F(glCreateBuffers) F(glCreateFramebuffers) F(glCreateProgram)       \
    F(glCreateQueries) F(glCreateSamplers) F(glCreateShader) F(glCreateTextures) F(glCreateVertexArrays)               \
    F(glDebugMessageCallback) F(glDebugMessageControl) F(glDeleteBuffers) F(glDeleteFramebuffers) F(glDeleteProgram)   \
    F(glDeleteQueries) F(glDeleteSamplers) F(glDeleteShader) F(glDeleteSync) F(glDeleteTextures)                       \
    F(glDeleteVertexArrays) F(glDepthFunc) F(glDepthMask) F(glDetachShader) F(glDisable) F(glDispatchCompute)          \
    F(glDispatchComputeIndirect) F(glDrawArrays) F(glDrawArraysIndirect) F(glDrawArraysInstanced)                      \
    F(glDrawElementsIndirect) F(glEnable) F(glEnableVertexArrayAttrib) F(glFenceSync) F(glFinish) F(glFlush)           \
    F(glGenerateTextureMipmap) F(glGetError) F(glGetGraphicsResetStatus) F(glGetInteger64v) F(glGetIntegeri_v)         \
    F(glGetIntegerv) F(glGetMultisamplefv) F(glGetNamedBufferSubData) F(glGetProgramInfoLog) F(glGetProgramiv)         \
    F(glGetQueryObjectiv) F(glGetQueryObjectui64v) F(glGetQueryiv) F(glGetShaderInfoLog) F(glGetShaderiv)              \
    F(glGetString) F(glGetStringi) F(glGetTextureImage) F(glGetTextureLevelParameteriv) F(glLinkProgram)               \
    F(glMapNamedBufferRange) F(glMaxShaderCompilerThreadsKHR) F(glMemoryBarrier) F(glNamedBufferStorage)               \
    F(glNamedBufferSubData) F(glNamedFramebufferDrawBuffer) F(glNamedFramebufferReadBuffer)                            \
    F(glNamedFramebufferTexture) F(glObjectLabel) F(glPixelStorei) F(glProgramUniform1i) F(glProgramUniform2fv)        \
    F(glProgramUniform2i) F(glProgramUniform3f) F(glProgramUniform3fv) F(glProgramUniform4f)                           \
    F(glProgramUniformMatrix3fv) F(glQueryCounter) F(glReadPixels) F(glSamplerParameterf) F(glSamplerParameteri)       \
    F(glScissor) F(glShaderSource) F(glStencilFunc) F(glStencilOp) F(glTextureBarrier) F(glTextureParameteri)          \
    F(glTextureStorage2D) F(glTextureStorage2DMultisample) F(glTextureStorage3D) F(glTextureSubImage2D)                \
    F(glTextureSubImage3D) F(glUniform1d) F(glUniform1f) F(glUniform1i) F(glUniform1ui) F(glUniform2f) F(glUniform2i)  \
    F(glUniform2ui) F(glUniform3f) F(glUniform3fv) F(glUniform3i) F(glUniform4f) F(glUniform4fv) F(glUniform4i)        \
    F(glUniformMatrix4fv) F(glUseProgram) F(glVertexArrayAttribBinding) F(glVertexArrayAttribFormat)                   \
    F(glVertexArrayAttribIFormat) F(glVertexArrayBindingDivisor) F(glVertexArrayElementBuffer)                         \
    F(glVertexArrayVertexBuffer) F(glViewport)
// clang-format on

}  // namespace

GlCallCounter::GlCallCounter()
{
    calls = 0;
#define OROGEN_INSTALL(name) Counted<&glad_##name>::install();
    OROGEN_GL_FUNCTIONS(OROGEN_INSTALL)
}

GlCallCounter::~GlCallCounter()
{
#define OROGEN_REMOVE(name) Counted<&glad_##name>::remove();
    OROGEN_GL_FUNCTIONS(OROGEN_REMOVE)
}

std::uint64_t GlCallCounter::take() { return std::exchange(calls, 0); }

}  // namespace orogen::app
