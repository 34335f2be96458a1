// Preparation of shader files for the compiler: resolves includes, adds version and defines, and maps messages back to
// files and lines.  Independent of OpenGL.
//
// Files are named name.stage and have no #version.  #include "shaders/x.glsl" and #include "core/x.h" are replaced by
// the file's text, or dropped where an earlier copy defines the file's include guard.  #include <...> is for C++ and
// dropped.
//
// A path may contain @NAME, a choice between files that offer the same functions: "shaders/lod/lod_@world.glsl" is
// lod_plane.glsl or lod_earth.glsl.  A define whose name begins with @ makes the choice; kDefaultChoices holds for
// names without such a define.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace orogen::app {

struct ShaderDefine
{
    std::string name, value;
    bool operator==(const ShaderDefine&) const = default;
};

inline const std::vector<ShaderDefine> kDefaultChoices = {
    {"@world", "plane"},    // or "earth": files of lattice, surface, leaves and level of detail
    {"@heights", "image"},  // or "tiles": files that read heights, errors and slopes
};

struct ShaderDialect
{
    // 460, or 450 with GL_ARB_shader_draw_parameters.  Vertex shaders use OROGEN_BASE_INSTANCE, OROGEN_BASE_VERTEX and
    // OROGEN_DRAW_ID in both.
    bool glsl460 = true;
};

struct ShaderSource
{
    std::string text;
    std::vector<std::string> files;     // indexed by the file number in #line; the first is the loader's prelude
    std::vector<ShaderDefine> choices;  // choices that the shader's paths needed
};

// Reads a file by its path from the root ("shaders/surface/terrain.vert"); empty if it cannot be read.
using ShaderReader = std::function<std::optional<std::string>(const std::string& path)>;

inline constexpr int kMaxIncludeDepth = 16;
inline constexpr int kMaxIncludes = 1024;                 // per shader, over all levels
inline constexpr std::size_t kMaxShaderBytes = 4u << 20;  // resolved text

// Returns the text of a shader file for the compiler.  Error kShader with file, line and cause, such as a path that is
// missing or outside shaders/ and core/, recursive includes, an exceeded limit, or a #version.
Result<ShaderSource> resolveShader(const ShaderReader& read, const std::string& path, const ShaderDialect& dialect,
                                   const std::vector<ShaderDefine>& defines = {});

// Returns a reader for files below a folder.
ShaderReader shaderReader(std::string root);

// Replaces the file numbers at the start of a driver log's lines by names.  Mesa writes "1:12(3): error", NVIDIA
// "1(12) : error", others "ERROR: 1:12:".  For undeclared names, Mesa reports file 0.  The line then gets the file that
// has the quoted name on that line if there is one such file, else "FILE or an include".
std::string mapShaderLog(std::string_view log, const ShaderSource& source);

// Returns the first error line of a mapped log, or its first line.
std::string firstShaderError(std::string_view log);

}  // namespace orogen::app
