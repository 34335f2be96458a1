// Includes detail.glsl (procedural detail) with its requirements.  Needs in scope: the requirements of heights.glsl.
#ifndef OROGEN_MADE_RELIEF_GLSL
#define OROGEN_MADE_RELIEF_GLSL

layout(std140, binding = kDetailBinding) uniform DetailBlock { DetailUniforms detail; };

float roughnessOfCode(float texel)
{
    uint code = uint(texel * 255.0 + 0.5);
    return detail.roughness[code >> 2u][code & 3u];
}

#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#ifdef OROGEN_TILES
#include "shaders/heights/detail_tiles.glsl"
#else
#include "shaders/heights/detail_image.glsl"
#endif
#include "shaders/heights/detail.glsl"

#endif
