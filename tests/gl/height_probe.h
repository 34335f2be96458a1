// Heights as computed by the shaders at points of the lattice.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/renderer.h"
#include "tests/gl/lod_support.h"
#include "tests/gl/support.h"

namespace orogen::app::test {

// Evaluates GLSL's `expression` of a point p for each point, with the ground of the renderer's last frame.  Point: an
// ivec2 on a plane, or an ivec4 whose first three are a place on a face of the cube.
template <class Point>
std::vector<float> heightsByShaders(const Renderer& renderer, const std::vector<Point>& points,
                                    const std::string& expression, std::vector<ShaderDefine> world)
{
    constexpr bool onCube = Point::length() == 4;
    const std::string type = onCube ? "ivec4" : "ivec2",
                      place = onCube ? "ivec3 p = points[i].xyz" : "ivec2 p = points[i]";
    const ShaderCopy shaders;
    shaders.write("shaders/probe.comp", "#include \"shaders/frame.glsl\"\n"
                                        "layout(local_size_x = 64) in;\n"
                                        "layout(std430, binding = 0) readonly buffer P { " +
                                            type +
                                            " points[]; };\n"
                                            "layout(std430, binding = 1) writeonly buffer H { float heights[]; };\n"
                                            "layout(binding = kHeightTexture) uniform sampler2D heightTexture;\n"
                                            "#include \"shaders/surface/surface.glsl\"\n"
                                            "#include \"shaders/heights/heights.glsl\"\n"
                                            "#ifdef OROGEN_PROBE_ERRORS\n"
                                            "#include \"shaders/heights/error_@heights.glsl\"\n"
                                            "#endif\n"
                                            "void main() { uint i = gl_GlobalInvocationID.x;\n"
                                            "    if (i >= uint(points.length())) return;\n    " +
                                            place + "; heights[i] = " + expression + "; }\n");
    ShaderLibrary library(shaders.root(), {.glsl460 = false});
    library.choose(std::move(world));
    const ProgramHandle probe = library.add("probe", {"shaders/probe.comp"});
    const Status made = library.finish();
    EXPECT_TRUE(made) << made.error().message;
    renderer.terrain().bind();
    std::vector<float> heights(points.size());
    Result<Buffer> in = makeBuffer("points", points.size() * sizeof points[0], 0, points.data());
    Result<Buffer> out = makeBuffer("heights", heights.size() * sizeof heights[0], 0, heights.data());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, in->id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, out->id());
    glUseProgram(library.program(probe));
    glDispatchCompute(GLuint(points.size() / 64 + 1), 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(out->id(), 0, GLsizeiptr(heights.size() * sizeof heights[0]), heights.data());
    return heights;
}

}  // namespace orogen::app::test
