// Heights from one image.  Needs TerrainUniforms `terrain` and `sampler2D heightTexture` in scope.
#ifndef OROGEN_HEIGHTS_IMAGE_GLSL
#define OROGEN_HEIGHTS_IMAGE_GLSL

float heightOfCode(float code) { return terrain.heights.x + terrain.heights.y * code; }

// Bilinear in full float precision: the texture unit's 8 fractional bits would show as steps near the ground.
// The one rule for the height at a vertex: it depends on the position alone, so that neighbours agree bit for bit.
// Metres, not yet scaled.
float heightAt(vec2 texel)
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

#endif
