// A gather must return the same four samples as four fetches, to the last bit.
#include <cmath>

#include "tests/gl/lod_support.h"

namespace orogen::app::test {
namespace {

constexpr const char* kProbe = R"(
#include "shaders/frame.glsl"
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer D { uint different; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;
#include "shaders/heights/height_texture.glsl"

float byFetches(vec2 texel)
{
    vec2 last = terrain.rasterSize.xy - 1.0;
    vec2 t = clamp(texel, vec2(0.0), last);
    vec2 base = min(floor(t), max(last - 1.0, vec2(0.0)));
    vec2 f = t - base;
    ivec2 i = ivec2(base);
    ivec2 j = min(i + 1, ivec2(last));
    float nw = texelFetch(heightTexture, i, 0).r;
    float ne = texelFetch(heightTexture, ivec2(j.x, i.y), 0).r;
    float sw = texelFetch(heightTexture, ivec2(i.x, j.y), 0).r;
    float se = texelFetch(heightTexture, j, 0).r;
    return heightOfCode(mix(mix(nw, ne, f.x), mix(sw, se, f.x), f.y));
}

void main()
{
    // Positions at half samples and just beside them, from outside one border to outside the other.
    uvec2 size = 2u * uvec2(terrain.rasterSize.xy) + 8u;
    uint i = gl_GlobalInvocationID.x;
    if (i >= size.x * size.y) return;
    vec2 texel = 0.5 * vec2(i % size.x, i / size.x) - 2.0;
    for (int way = -1; way <= 1; ++way)
    {
        vec2 near = texel + 1.0e-3 * float(way);
        if (floatBitsToUint(heightAt(near)) != floatBitsToUint(byFetches(near))) atomicAdd(different, 1u);
    }
}
)";

class HeightGather : public GlTest
{
};

TEST_F(HeightGather, IsThatOfFourFetches)
{
    for (const auto& [width, height] : {std::pair{97, 54}, {2, 2}, {3000, 3}, {3, 4097}})
    {
        SCOPED_TRACE(testing::Message() << width << " x " << height);
        const TestTerrain terrain = hills(width, height, 30.0, 30.0);
        TreeUnderTest gpu(*context_, terrain, 12, 1024);
        gpu.look({});
        const ShaderCopy shaders;
        shaders.write("shaders/probe.comp", kProbe);
        ShaderLibrary library(shaders.root(), {.glsl460 = false});
        const ProgramHandle probe = library.add("probe", {"shaders/probe.comp"});
        ASSERT_TRUE(library.finish()) << library.log();
        const std::uint32_t none = 0;
        Result<Buffer> different = makeBuffer("different heights", sizeof none, GL_DYNAMIC_STORAGE_BIT, &none);
        ASSERT_TRUE(different);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, different->id());
        glUseProgram(library.program(probe));
        glDispatchCompute(GLuint((2 * width + 8) * (2 * height + 8) / 64 + 1), 1, 1);
        EXPECT_EQ(readWords(*different, 0, 1)[0], 0u);
    }
}

}  // namespace
}  // namespace orogen::app::test
