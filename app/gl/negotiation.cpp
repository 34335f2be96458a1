#include "app/gl/negotiation.h"

#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace orogen::app {
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
        // Not gladLoadGL(), as an old context lacks most of its functions.
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
