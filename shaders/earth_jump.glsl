// The jump on the Earth, from two depths of one camera's picture: of the present ground, and of what the frame before
// drew.  Around a pixel the latter is taken for a plane; how far the present point lies from it along the vertical is the
// jump, where the ground so found is there again when one looks for it in the pixel that it falls into.  Where it is not,
// another ridge stands in the way, and the pixel is left out.
//
// Must be in scope: frame.glsl, ground_points.glsl, seen.glsl.
#ifndef OROGEN_EARTH_JUMP_GLSL
#define OROGEN_EARTH_JUMP_GLSL

#ifdef OROGEN_MULTISAMPLED
layout(binding = kDepthThenTexture) uniform sampler2DMS depthThen;
#else
layout(binding = kDepthThenTexture) uniform sampler2D depthThen;
#endif

const float kSameShift = 0.25, kLeastShift = 0.02;  // how far two looks may differ: a share, and pixels

bool pointThen(ivec2 pixel, out vec3 point)
{
    point = vec3(0.0);
    if (any(lessThan(pixel, ivec2(0))) || any(greaterThanEqual(pixel, ivec2(view.viewport.xy)))) return false;
    float depth = texelFetch(depthThen, pixel, 0).r;
    if (depth <= 0.0) return false;
    point = rayThrough(pixel) * (view.lens.w / depth);
    return true;
}

// From the pixel to the one before or after it, whichever is less far in depth.
bool stepThen(ivec2 pixel, ivec2 along, vec3 here, out vec3 way)
{
    vec3 after, before;
    bool hasAfter = pointThen(pixel + along, after), hasBefore = pointThen(pixel - along, before);
    after -= here;
    before = here - before;
    bool takeAfter = hasAfter && (!hasBefore || dot(after, after) <= dot(before, before));
    way = takeAfter ? after : before;
    return hasAfter || hasBefore;
}

// Metres upwards from a point to the ground that the frame before drew around a pixel.
bool shiftTo(ivec2 pixel, vec3 point, vec3 up, out float shift)
{
    vec3 here, right, above;
    shift = 0.0;
    if (!pointThen(pixel, here) || !stepThen(pixel, ivec2(1, 0), here, right) || !stepThen(pixel, ivec2(0, 1), here, above))
        return false;
    vec3 normal = normalize(cross(right, above));
    float lean = dot(up, normal);
    if (abs(lean) < 1.0e-4) return false;
    shift = dot(here - point, normal) / lean;
    return true;
}

// In pixels; false: not to be told here.
bool jumpOf(ivec2 pixel, vec3 relative, vec3 up, out float pixels)
{
    float shift, again;
    if (!shiftTo(pixel, relative, up, shift)) return false;
    vec4 clip = frame.clipFromRelative * vec4(relative + up * shift, 1.0);
    if (clip.w <= 0.0) return false;
    ivec2 there = ivec2(floor((clip.xy / clip.w * 0.5 + 0.5) * view.viewport.xy));
    if (!shiftTo(there, relative, up, again)) return false;
    pixels = verticalPixels(again, relative, up, view.lens.z);
    float apart = verticalPixels(again - shift, relative, up, view.lens.z);
    return apart <= kLeastShift + kSameShift * pixels;
}

#endif
