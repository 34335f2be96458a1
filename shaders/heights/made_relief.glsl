// Procedural detail, which is relief finer than the samples, and all files that it requires.  Needs in scope: the
// requirements of heights.glsl.
#ifndef OROGEN_MADE_RELIEF_GLSL
#define OROGEN_MADE_RELIEF_GLSL

layout(std140, binding = kDetailBinding) uniform DetailBlock { DetailUniforms detail; };

// Returns the roughness (metres) of a texel of an R8 texture of roughness codes.  `texel`: 0 ... 1.
float roughnessOfCode(float texel)
{
    uint code = uint(texel * 255.0 + 0.5);
    return detail.roughness[code >> 2u][code & 3u];
}

#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/heights/detail_@heights.glsl"
#include "shaders/heights/detail_@world.glsl"

#endif
