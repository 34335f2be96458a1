// The ground in a pixel of the shading pass: its place, rebuilt from the drawn depth, and the place's change from pixel
// to pixel.
//
// Implicit derivatives would mix surfaces at silhouettes.  So a pixel is compared, on each axis, with that neighbour
// whose depth is closer to its own.  Depth is linear on a plane, so this neighbour is on the same surface.  One of the
// two neighbours lies in the pixel's 2 x 2 quad, whose differences are free in a fragment shader.
//
// Defines:
//     OROGEN_COMPUTE    a compute shader, with a thread per pixel (terrain.comp, earth.comp)
//     OROGEN_BEYOND     shades land around the terrain, which the stencil or marks.frag tells from the ground
//     OROGEN_LAND       shades the ground, in a compute shader, of a picture that may also show land around the terrain
//     OROGEN_SAMPLES    the picture is multisampled
//     OROGEN_PER_SAMPLE shades the pixels of edges.comp once per sample
#ifndef OROGEN_PIXEL_GLSL
#define OROGEN_PIXEL_GLSL

#include "shaders/frame.glsl"

vec3 relative;                       // metres from the camera
vec3 relativeAcross, relativeAlong;  // change of `relative` to the next pixel along x and y (metres)
int seenSample = 0;                  // index of the sample that is shaded

#ifdef OROGEN_SAMPLES
layout(binding = kDepthTexture) uniform sampler2DMS depthTexture;
layout(binding = kMarksTexture) uniform sampler2DMS marksTexture;
layout(location = 0) uniform vec2 samplePlaces[kMostSamples];  // within a pixel, from its lower left
layout(location = kMostSamples) uniform int sampleCount;       // samples per pixel
#else
layout(binding = kDepthTexture) uniform sampler2D depthTexture;
layout(binding = kMarksTexture) uniform sampler2D marksTexture;
const vec2 samplePlaces[1] = vec2[1](vec2(0.5));
#endif

#ifdef OROGEN_PER_SAMPLE
layout(location = 0) flat in uvec2 edgePixel;  // pixel that edges.vert draws a square over
#endif

// Returns the point of a pixel's ray at depth 1, the near plane (depth is reversed).  The point at another depth is
// this point divided by that depth.
vec3 rayOf(vec2 pixel)
{
    vec2 ndc = pixel * (2.0 * frame.viewport.zw) - 1.0;
    return (frame.relativeFromClip * vec4(ndc, 0.0, 1.0)).xyz * (1.0 / frame.relativeFromClip[2].w);
}

// Returns the change of a ray from one pixel to the next along x (axis 0) or y (axis 1).
vec3 rayChange(int axis)
{
    return frame.relativeFromClip[axis].xyz * (2.0 * frame.viewport[2 + axis] * (1.0 / frame.relativeFromClip[2].w));
}

// Returns the depth of a pixel.  Returns 0 outside the picture: quads of the last column and row may reach beyond it.
float depthAt(ivec2 pixel)
{
    bvec2 outside = bvec2(any(lessThan(pixel, ivec2(0))), any(greaterThanEqual(pixel, ivec2(frame.viewport.xy))));
    return any(outside) ? 0.0 : texelFetch(depthTexture, pixel, seenSample).r;
}

// Returns the change of `relative` along one axis.  `ray`: ray of the next pixel outwards, away from the quad's other
// pixel on the axis; `other`: depth there; `change`, `inQuad`: change of depth and of `relative` between this pixel and
// that other pixel of the quad; `outwards`: 1 or -1, along the axis.
vec3 changeAlong(float depth, float change, vec3 inQuad, vec3 ray, float other, float outwards)
{
    float nearest = min(abs(change), abs(other - depth));
    // If neither neighbour is on this surface, assumes a surface that faces the camera.
    float next = nearest > 0.5 * depth ? depth : max(other, 1.0e-20);
    bool useQuad = nearest <= 0.5 * depth && abs(change) <= abs(other - depth);
    return useQuad ? inQuad : (ray * (1.0 / next) - relative) * outwards;
}

// Sets `relative`, relativeAcross, relativeAlong and seenSample for this thread's pixel.
void seePixel()
{
    ivec2 pixel = ivec2(PIXEL_MIDDLE);
#ifdef OROGEN_PER_SAMPLE
    if (uvec2(pixel) != edgePixel) discard;  // the square of edges.vert also touches the pixels beside it
    seenSample = gl_SampleID;
#elif defined(OROGEN_SAMPLES)
    while (seenSample + 1 < sampleCount && depthAt(pixel) <= 0.0) ++seenSample;
#endif
    vec2 centre = vec2(pixel) + samplePlaces[seenSample].xy;
    float depth = max(depthAt(pixel), 1.0e-20);
    vec3 ray = rayOf(centre);
    relative = ray * (1.0 / depth);
    ivec2 outwards = (pixel & 1) * 2 - 1;
    vec3 rayAcross = rayChange(0) * float(outwards.x), rayAlong = rayChange(1) * float(outwards.y);
#if defined(OROGEN_PER_SAMPLE) || defined(OROGEN_COMPUTE)
    // Compute shaders have no quads.  With OROGEN_PER_SAMPLE, the other pixels of the quad may not be shaded.
    float acrossDepth = max(depthAt(pixel - ivec2(outwards.x, 0)), 1.0e-20);
    float alongDepth = max(depthAt(pixel - ivec2(0, outwards.y)), 1.0e-20);
    vec3 across = ((ray - rayAcross) * (1.0 / acrossDepth) - relative) * float(-outwards.x);
    vec3 along = ((ray - rayAlong) * (1.0 / alongDepth) - relative) * float(-outwards.y);
    float acrossChange = acrossDepth - depth, alongChange = alongDepth - depth;
#else
    vec3 across = dFdxFine(relative), along = dFdyFine(relative);
    float acrossChange = dFdxFine(depth), alongChange = dFdyFine(depth);
#endif
    relativeAcross = changeAlong(depth, acrossChange, across, ray + rayAcross, depthAt(pixel + ivec2(outwards.x, 0)),
                                 float(outwards.x));
    relativeAlong = changeAlong(depth, alongChange, along, ray + rayAlong, depthAt(pixel + ivec2(0, outwards.y)),
                                float(outwards.y));
#if defined(OROGEN_SAMPLES) && !defined(OROGEN_PER_SAMPLE)
    vec2 toMiddle = 0.5 - samplePlaces[seenSample];  // the colour counts for the whole pixel
    relative += relativeAcross * toMiddle.x + relativeAlong * toMiddle.y;
#endif
}

// Returns whether the pixel shows land around the terrain.
bool seesLand() { return texelFetch(marksTexture, ivec2(PIXEL_MIDDLE), seenSample).x == 1.0; }

#ifdef OROGEN_COMPUTE
layout(local_size_x = kShadingGroupSide, local_size_y = kShadingGroupSide) in;
layout(binding = 0, rgba8) uniform restrict writeonly image2D picture;

// Returns whether this thread has a pixel, and the pixel shows ground that this program shades.  main() begins with it.
bool beginPixel()
{
    ivec2 pixel = ivec2(PIXEL_MIDDLE);
    if (uint(pixel.y) >= shadedRows.y || depthAt(pixel) <= 0.0) return false;
#if defined(OROGEN_LAND) || defined(OROGEN_BEYOND)
#ifdef OROGEN_BEYOND
    return seesLand();
#else
    return !seesLand();
#endif
#else
    return true;
#endif
}

// Writes the pixel's display colour.
void show(vec3 shown) { imageStore(picture, ivec2(PIXEL_MIDDLE), vec4(shown, 1.0)); }
#else
layout(location = 0) out vec4 colour;

// Pixels without ground fail the depth test.
bool beginPixel()
{
#ifdef OROGEN_TAKES_UNIFORMS
    takeUniforms();
#endif
    return true;
}

void show(vec3 shown)
{
#if defined(OROGEN_BEYOND) && defined(OROGEN_SAMPLES)
    if (!seesLand()) discard;  // otherwise the stencil test has skipped the ground
#endif
    colour = vec4(shown, 1.0);
}
#endif

// Returns the footprint of a pixel (metres).  At a low angle the pixel's area on the ground is much longer than wide.
// The footprint is the area's width, as for an anisotropic filter, but at least a fifth of its length.  A smaller one
// would make the ground shimmer.
float footprintOf(vec3 across, vec3 along)
{
    float length2 = max(dot(across, across), dot(along, along)), area = length(cross(across, along));
    float footprint = max(area * inversesqrt(max(length2, 1.0e-12)), sqrt(length2) / 5.0);
    return footprint < 1.0e7 ? footprint : 1.0e7;  // a sliver between silhouettes has no neighbour on its own surface
}

#endif
