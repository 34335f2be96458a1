// Shades the ground of a plane once per pixel, from the depth of the drawn triangles and from the elevation model.  The
// triangles' normals are not used, so that coarse triangles look as smooth as fine ones.  With OROGEN_BEYOND the shader
// shades land around the terrain.  terrain.comp is the same shader for compute.
//
// Features are compiled in.  TerrainPicture makes a program for each combination, so that a software rasteriser does
// not pay for disabled features.  OROGEN_SHADING is the number of the mode in `enum class Shading` (core/settings.h).
// OROGEN_RELIEF is the number of the relief shading (relief.glsl).  OROGEN_AIR, OROGEN_NEAR_DETAIL, OROGEN_WIREFRAME,
// OROGEN_FROZEN, OROGEN_VOIDS, OROGEN_RAMP, OROGEN_IMAGERY, OROGEN_CONTOURS and OROGEN_DETAIL enable features.
#ifndef OROGEN_COMPUTE
#define OROGEN_TAKES_UNIFORMS
#endif
#include "shaders/frame.glsl"
#include "shaders/pixel_uniforms.glsl"

#include "shaders/heights/gradient_texture.glsl"

layout(binding = kVoidTexture) uniform sampler2D voidTexture;
layout(binding = kLightTexture) uniform sampler2D lightTexture;

#include "shaders/shading/plane_pixel.glsl"
#include "shaders/shading/atmosphere.glsl"
#include "shaders/shading/ground.glsl"
#include "shaders/shading/tints.glsl"

#ifndef OROGEN_BEYOND
#include "shaders/shading/marks.glsl"
#endif

// Returns the colour at `uv` of an image with one texel per sample, filtered over the pixel's part of the surface.
vec4 sampled(sampler2D image, vec2 uv)
{
    return textureGrad(image, uv, texelAcross * terrain.rasterSize.zw, texelAlong * terrain.rasterSize.zw);
}

#ifdef OROGEN_IMAGERY
#include "shaders/shading/cover.glsl"
#include "shaders/imagery/imagery_tiles.glsl"
#endif

#ifndef OROGEN_SHADING
#define OROGEN_SHADING 0
#endif

// The elevation model in this pixel.
struct GroundPoint
{
    vec2 uv;        // texture coordinates of images with one texel per sample
    vec2 gradient;  // metres per metre, east and north, scaled
    vec3 normal;
    float height;  // metres, scaled
    vec2 light;    // visible share of the sun (or the moon) and of the sky
#ifdef OROGEN_BEYOND
    vec4 picture;       // Surrounding.colour
    float earthHeight;  // Surrounding.height
    float rough;        // typical slope of the hills that noise adds (metres per metre, scaled)
#endif
};

#ifdef OROGEN_BEYOND
#include "shaders/shading/beyond.glsl"
#else
#include "shaders/shading/ground_slope_@heights.glsl"
#ifdef OROGEN_DETAIL
#include "shaders/surface/surface_plane.glsl"
#include "shaders/heights/made_relief.glsl"

// Returns the slope of the procedural detail (metres per metre, unscaled), from the wavelengths that the pixel
// resolves.
vec2 madeSlope()
{
    vec2 units = (relative.xy + frame.cameraFraction.xy) / terrain.squareSize.y;
    ivec2 cell = ivec2(frame.cameraCell.xy) + ivec2(floor(units));
    cell = clamp(cell, ivec2(0), ivec2((1 << kDrawLatticeBits) - 1));
    float shortest = kPixelsAWave * footprintOf(vec3(relativeAcross.xy, 0.0), vec3(relativeAlong.xy, 0.0));
    if (shortest * detail.metres.w >= 1.0) return vec2(0.0);
    return detailAt(cell, fract(units), shortest, reliefAt(cell)).yz;
}
#endif

GroundPoint groundPoint()
{
    GroundPoint point;
    point.uv = (texel + 0.5) * terrain.rasterSize.zw;
    point.gradient = groundSlope(point.uv) * terrain.pixelSize.z;
#ifdef OROGEN_DETAIL
    point.gradient += madeSlope() * terrain.pixelSize.z;
#endif
    point.normal = normalize(vec3(-point.gradient, 1.0));
    point.height = relative.z + frame.cameraCell.z + frame.cameraFraction.z;
    point.light = textureLod(lightTexture, point.uv, 0.0).rg;
    return point;
}
#endif

#if OROGEN_SHADING == 5
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/surface/surface_plane.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/shading/seen.glsl"

// Returns the colour of an error: the ramp runs from 1 / 16 to 16 pixels by the logarithm.
vec3 errorColour(float pixels) { return ramp5((log2(max(pixels, 1.0e-6)) + 4.0) / 8.0, kErrorColours); }

// Returns the vertical distance between the drawn ground and the finest loaded data in this pixel (pixels).
float measuredError()
{
    float model = (finestAt(relative.xy, texel) * terrain.pixelSize.z - frame.cameraCell.z) - frame.cameraFraction.z;
    return verticalPixels(relative.z - model, relative, frame.pixelsPerRadian);
}
#endif

#if OROGEN_SHADING == 7
layout(binding = kDrainageTexture) uniform sampler2D drainageTexture;

// Returns the colour of the drained area.  Each mipmap level of the texture holds maxima of the finer level, so that
// rivers stay visible from afar.
vec3 drainageColour(vec2 uv) { return ramp5(sampled(drainageTexture, uv).r, kDrainageColours); }
#endif

// Returns the radiance of ground that sun, sky and surrounding ground light.
vec3 litGround(GroundPoint point)
{
    float footprint = footprintOf(vec3(relativeAcross.xy, 0.0), vec3(relativeAlong.xy, 0.0));
    Pattern pattern = patternAt(relative.xy, texel, point.height, footprint, length(relative));
#ifdef OROGEN_BEYOND
    vec3 hill = hillAt(texel, footprint);
    point.normal = normalize(vec3(-point.gradient - point.rough * (pattern.hills + hill.yz), 1.0));
#endif
    Ground ground = groundAt(point.normal, point.height, pattern);
#ifdef OROGEN_BEYOND
    // Samples of the picture and of the coast lie 20 and 9 km apart: noise varies the colour and frays both edges.
    float noise = pattern.vast + pattern.broad - 1.0, w = point.picture.w;
    float land = clamp((point.earthHeight + 30.0 * noise) / 16.0 + 0.5, 0.0, 1.0);
    float patches = dot(vec4(pattern.vast, hill.x, pattern.broad, pattern.middle) - 0.5, vec4(1.0, 0.9, 0.8, 0.6));
    // From high above, patches of one size everywhere would look like a printed pattern.
    float clear = 1.0 / (1.0 + dot(relative, relative) * (1.0 / 9.0e8));
    float tint = mix(0.98, mix(1.30, 0.66, smoothstep(-0.5, 0.5, patches)), clear);
    vec3 seen = mix(kSeaAlbedo, point.picture.rgb * tint, land);
    ground.albedo = mix(ground.albedo, seen, clamp(w + 1.5 * w * (1.0 - w) * noise, 0.0, 1.0));
#endif
#ifdef OROGEN_IMAGERY
    vec4 seen = imageryOnPlane(relative.xy, footprint);
    float shows = seen.a * cover.imagery.x;
    ground.albedo = mix(ground.albedo, seen.rgb, shows);
    ground.normal = mix(ground.normal, point.normal, shows);
#endif
    vec3 direct = directLight(ground.normal) * point.light.r;
    vec3 sky = skyIrradiance() * (0.5 + 0.5 * ground.normal.z) * point.light.g * point.light.g;
    vec3 bounce = sunColour() * 0.05 * (1.0 - 0.6 * point.normal.z);
    return ground.albedo * (direct + sky + bounce);
}

// Returns radiance for lit shading, otherwise a display colour.
vec3 shaded(GroundPoint point)
{
#if OROGEN_SHADING == 0
    return litGround(point);
#elif defined(OROGEN_BEYOND)
    return kNoData * reliefShade(point.normal);
#elif OROGEN_SHADING == 1
    return point.normal * 0.5 + 0.5;
#elif OROGEN_SHADING == 2
    return slopeColour(length(point.gradient));
#elif OROGEN_SHADING == 3
    return hypsometricColour(point.height) * reliefShade(point.normal);
#elif OROGEN_SHADING == 4
    return lodColour(markedDepth(), kDeepestPlaneLevel) * reliefShade(point.normal);
#elif OROGEN_SHADING == 5
    return errorColour(measuredError()) * reliefShade(point.normal);
#elif OROGEN_SHADING == 6
    return vec3(reliefOf(point.normal));
#elif OROGEN_SHADING == 7
    return drainageColour(point.uv) * reliefShade(point.normal);
#else
#error OROGEN_SHADING is no mode that this shader draws
#endif
}

#ifdef OROGEN_CONTOURS
#include "shaders/shading/cover.glsl"
#include "shaders/shading/contours.glsl"
#endif

// Returns the display colour behind the air between camera and ground.  With lit shading the air follows OROGEN_AIR.
// In other shadings air hides only land without data, which fades towards the horizon.
vec3 throughAir(vec3 shown, GroundPoint point)
{
#ifdef OROGEN_BEYOND
    vec3 offset = vec3(relative.xy, point.height - frame.cameraCell.z - frame.cameraFraction.z);
#else
    vec3 offset = relative;
#endif
#if OROGEN_SHADING == 0
#ifdef OROGEN_AIR
    shown = throughTheAir(shown, bentDown(offset));
#endif
    return displayed(shown);
#elif defined(OROGEN_BEYOND)
    AirBetween between = airBefore(bentDown(offset));
    return mix(displayed(between.light), shown, between.left);
#else
    return shown;
#endif
}

void main()
{
    if (!beginPixel()) return;
    seePlane();
    GroundPoint point = groundPoint();
    vec3 shown = shaded(point);
#ifdef OROGEN_VOIDS
    shown = withVoids(shown, textureLod(voidTexture, point.uv, 0.0).r);
#endif
    shown = throughAir(shown, point);
#ifdef OROGEN_CONTOURS
    shown = withContours(shown, point.height, abs(relativeAcross.z) + abs(relativeAlong.z));
#endif
#ifdef OROGEN_WIREFRAME
    shown = withWire(shown);
#endif
#ifdef OROGEN_FROZEN
    if (outsideFrozenFrustum(relative)) shown *= vec3(0.52, 0.50, 0.57);
#endif
    show(shown);
}
