// Combines two pictures of equal size into one.  Shows the left part of one beside the right part of the other, with a
// line between them, or shows their difference in colours.
#include "core/gpu_layout.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) uniform readonly image2D left;
layout(rgba8, binding = 1) uniform readonly image2D right;
layout(rgba8, binding = 2) uniform writeonly image2D both;
layout(location = 0) uniform int divider;  // first column that shows the right picture
layout(location = 1) uniform int difference;  // 1: shows the difference

const vec3 kLine = vec3(1.0);
const float kGround = 0.3;  // brightness of the left picture where nothing differs

// Returns the colour of a difference in (0, 1], by its logarithm: 1 / 255 is blue, 16 / 255 magenta, 1 light yellow.
vec3 heat(float d)
{
    float t = log2(255.0 * d) / 8.0;
    vec3 low = mix(vec3(0.15, 0.25, 0.85), vec3(0.85, 0.15, 0.55), min(2.0 * t, 1.0));
    return mix(low, vec3(1.0, 0.95, 0.5), max(2.0 * t - 1.0, 0.0));
}

void main()
{
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(place, imageSize(both)))) return;
    vec4 a = imageLoad(left, place), b = imageLoad(right, place);
    vec4 shown = place.x < divider ? a : b;
    if (difference == 1)
    {
        vec3 apart = abs(a.rgb - b.rgb);
        float d = max(apart.r, max(apart.g, apart.b));
        shown.rgb = d > 0.0 ? heat(d) : vec3(kGround * dot(a.rgb, vec3(0.2126, 0.7152, 0.0722)));
    }
    else if (place.x == divider - 1 || place.x == divider)
        shown.rgb = kLine;
    imageStore(both, place, shown);
}
