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
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace orogen::app
