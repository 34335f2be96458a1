// Shades the ground from the elevation model itself, per fragment: the triangles' own normals are never used, so a coarse
// triangle is as smooth as a fine one.
#include "shaders/frame.glsl"

layout(binding = kGradientTexture) uniform sampler2D gradientTexture;
layout(binding = kVoidTexture) uniform sampler2D voidTexture;
layout(binding = kLightTexture) uniform sampler2D lightTexture;

#include "shaders/atmosphere.glsl"
#include "shaders/ground.glsl"

layout(location = 0) in vec3 relative;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec2 patchWeights;
layout(location = 3) flat in uint leafDepth;

layout(location = 0) out vec4 colour;

#ifdef OROGEN_DRAPED
#include "shaders/cover.glsl"

layout(binding = kDrapeTexture) uniform sampler2D drapeTexture;

#include "shaders/drape.glsl"
#endif

#ifdef OROGEN_SHADING_ERROR
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/heights_image.glsl"
#include "shaders/seen.glsl"

vec3 errorColour(float pixels) { return ramp5((log2(max(pixels, 1.0e-6)) + 4.0) / 8.0, kErrorColours); }

// Of the drawn point of this fragment, as the measured error has it.
float measuredError()
{
    float model = (heightAt(texel) * terrain.pixelSize.z - frame.cameraCell.z) - frame.cameraFraction.z;
    return verticalPixels(relative.z - model, relative, frame.pixelsPerRadian);
}
#endif

vec3 litGround(vec3 normal, float height, vec2 uv)
{
    vec2 light = texture(lightTexture, uv).rg;
    Ground ground = groundAt(normal, height, texel);
#ifdef OROGEN_DRAPED
    vec4 image = drapedImage(texel);
    ground.albedo = mix(ground.albedo, image.rgb, image.a);
    ground.normal = mix(ground.normal, normal, image.a);
#endif
    vec3 direct = sunColour() * max(dot(ground.normal, frame.sunDirection.xyz), 0.0) * light.r;
    vec3 sky = skyIrradiance() * (0.5 + 0.5 * ground.normal.z) * light.g * light.g;
    vec3 bounce = sunColour() * 0.05 * (1.0 - 0.6 * normal.z) * daylight();
    return ground.albedo * (direct + sky + bounce);
}

// Pixels to the nearest of the lines value = 0, 1, 2, ...; `value` is linear on the screen.
float toLine(float value, float width) { return (0.5 - abs(fract(value) - 0.5)) / width; }

#ifdef OROGEN_CONTOURS
#include "shaders/cover.glsl"
#include "shaders/contours.glsl"
#endif

// Lines of the triangles that are drawn, and stronger ones around leaves; constant width on screen.  A patch is cut along
// its legs' directions into cells, and each cell along the diagonal whose corners have an even sum: that of a bisection.
vec3 withWire(vec3 base)
{
    float side = float(1 << frame.patchLevel);
    vec3 w = vec3(patchWeights, side - patchWeights.x - patchWeights.y);
    float falling = patchWeights.x + patchWeights.y, rising = patchWeights.x - patchWeights.y;
    vec3 width = max(fwidth(w), 1.0e-6);
    vec3 toBorder = w / width;
    float toDiagonal = min(toLine(0.5 * falling, max(0.5 * fwidth(falling), 1.0e-6)),
                           toLine(0.5 * rising, max(0.5 * fwidth(rising), 1.0e-6)));
    float toInner = min(min(toLine(w.x, width.x), toLine(w.y, width.y)), toDiagonal);
    float inner = frame.patchLevel == 0u ? 0.0 : 1.0 - smoothstep(0.25, 0.85, toInner);
    float border = 1.0 - smoothstep(0.35, 1.05, min(toBorder.x, min(toBorder.y, toBorder.z)));
    // Triangles of a few pixels are all line: they fade, and leaves fade later than what they are cut into.
    float pixels = 1.0 / max(width.x, max(width.y, width.z));
    inner *= 0.40 * clamp((pixels - 2.0) / 6.0, 0.0, 1.0);
    border *= 0.85 * clamp((pixels * side - 2.0) / 8.0, 0.0, 1.0);
    return mix(base, vec3(0.03, 0.05, 0.09), max(inner, border));
}

vec3 shaded(vec3 normal, vec2 gradient, float height, vec2 uv)
{
    if (frame.shading == kShadingNormals) return normal * 0.5 + 0.5;
    if (frame.shading == kShadingSlope) return slopeColour(length(gradient));
    if (frame.shading == kShadingHypsometric) return hypsometricColour(height) * reliefShade(normal);
    if (frame.shading == kShadingLod) return lodColour(leafDepth) * reliefShade(normal);
#ifdef OROGEN_SHADING_ERROR
    return errorColour(measuredError()) * reliefShade(normal);
#else
    return litGround(normal, height, uv);
#endif
}

void main()
{
    vec2 uv = (texel + 0.5) * terrain.rasterSize.zw;
    vec2 gradient = texture(gradientTexture, uv).rg * terrain.pixelSize.z;
    vec3 normal = normalize(vec3(-gradient, 1.0));
    float cameraHeight = frame.cameraCell.z + frame.cameraFraction.z;
    vec3 shown = shaded(normal, gradient, relative.z + cameraHeight, uv);
    if (terrain.pixelSize.w > 0.5) shown = withVoids(shown, texture(voidTexture, uv).r);
    if (frame.shading == kShadingLit) shown = displayed(throughHaze(shown, relative, cameraHeight - terrain.heights.z));
#ifdef OROGEN_CONTOURS
    shown = withContours(shown, relative.z + cameraHeight);
#endif
    if (frame.wireframe != 0u) shown = withWire(shown);
    if (frame.frozen != 0u && outsideFrozenFrustum(relative)) shown *= vec3(0.52, 0.50, 0.57);
    colour = vec4(shown, 1.0);
}
