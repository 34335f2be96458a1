// Sharpens a picture that is about to be scaled up, by contrast: edges that are sharp already, and places near black or
// white, change least, so that no halo appears.  After AMD's Contrast Adaptive Sharpening (FidelityFX, MIT licence).
#include "core/gpu_layout.h"

layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba8, binding = 0) uniform readonly image2D drawn;
layout(rgba8, binding = 1) uniform writeonly image2D sharpened;

const float kSharpest = 1.0 / 6.0;  // weight of each neighbour where the contrast is lowest

vec3 at(ivec2 place) { return imageLoad(drawn, clamp(place, ivec2(0), imageSize(drawn) - 1)).rgb; }

void main()
{
    ivec2 place = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(place, imageSize(drawn)))) return;
    vec4 here = imageLoad(drawn, place);
    vec3 north = at(place + ivec2(0, 1)), south = at(place - ivec2(0, 1));
    vec3 east = at(place + ivec2(1, 0)), west = at(place - ivec2(1, 0));
    vec3 least = min(min(min(north, south), min(east, west)), here.rgb);
    vec3 most = max(max(max(north, south), max(east, west)), here.rgb);
    vec3 room = min(least, 1.0 - most) / max(most, vec3(1.0 / 255.0));
    vec3 weight = -kSharpest * sqrt(clamp(room, 0.0, 1.0));
    vec3 sharp = (here.rgb + weight * (north + south + east + west)) / (1.0 + 4.0 * weight);
    imageStore(sharpened, place, vec4(clamp(sharp, 0.0, 1.0), here.a));
}
