// The texture of one image of heights.  Needs TerrainUniforms `terrain` and `sampler2D heightTexture` in scope.
#ifndef OROGEN_HEIGHT_TEXTURE_GLSL
#define OROGEN_HEIGHT_TEXTURE_GLSL

float heightOfCode(float code) { return terrain.heights.x + terrain.heights.y * code; }

// Returns the height at sample coordinates (metres, unscaled).  It is bilinear in full float precision, since the
// texture unit's 8 fractional bits would show as steps near the camera.  The height depends on the position alone, so
// triangles that share a vertex agree bit for bit.
float heightAt(vec2 texel)
{
    vec2 last = terrain.rasterSize.xy - 1.0;
    vec2 t = clamp(texel, vec2(0.0), last);
    vec2 base = min(floor(t), max(last - 1.0, vec2(0.0)));
    vec2 f = t - base;
    // One gather reads all four samples at their common corner, half a texel from where rounding could select others.
    // Its components are south-west, south-east, north-east, north-west.
    vec4 codes = textureGather(heightTexture, (base + 1.0) * terrain.rasterSize.zw);
    return heightOfCode(mix(mix(codes.w, codes.z, f.x), mix(codes.x, codes.y, f.x), f.y));
}

#endif
