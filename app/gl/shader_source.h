// Shader files, made ready for the compiler: includes resolved, version and defines in front, and messages mapped back
// to files and lines.  No OpenGL here.
//
// A file is named name.stage and carries no #version.  #include "shaders/x.glsl" and #include "core/x.h" are replaced
// by the file (a file included twice comes twice: it guards itself); #include <...> is for C++ and dropped.
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
};

struct ShaderDialect
{
    // 460, or 450 with GL_ARB_shader_draw_parameters.  Either way shaders write OROGEN_BASE_INSTANCE,
    // OROGEN_BASE_VERTEX and OROGEN_DRAW_ID, in vertex shaders only.
    bool glsl460 = true;
};

struct ShaderSource
{
    std::string text;
    std::vector<std::string> files;  // by the number that #line gives them; the first is what the loader prepends
};

// Reads a file by its path from the root ("shaders/terrain.vert"); empty if there is none.
using ShaderReader = std::function<std::optional<std::string>(const std::string& path)>;

inline constexpr int kMaxIncludeDepth = 16;
inline constexpr int kMaxIncludes = 1024;                 // of one shader, all levels together
inline constexpr std::size_t kMaxShaderBytes = 4u << 20;  // of the resolved text

// Error kShader: file, line and what is wrong with it (missing, outside shaders/ and core/, "..", includes itself, too
// deep, too many, too long, a #version of its own).
Result<ShaderSource> resolveShader(const ShaderReader& read, const std::string& path, const ShaderDialect& dialect,
                                   const std::vector<ShaderDefine>& defines = {});

// Reads below a folder on disk.
ShaderReader shaderReader(std::string root);

// A driver's log with file names for the numbers at the start of its lines ("1:12(3): error" of Mesa, "1(12) : error"
// of NVIDIA, "ERROR: 1:12:" of others).  Mesa says 0 for any file where an undeclared name is at fault: such a line
// gets the one file that has the quoted name there, else "FILE or an include".
std::string mapShaderLog(std::string_view log, const ShaderSource& source);

// The first line of a mapped log that speaks of an error; else its first line.
std::string firstShaderError(std::string_view log);

}  // namespace orogen::app
