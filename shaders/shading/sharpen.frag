// Sharpens a picture that is about to be scaled up.  The strength depends on the contrast: edges that are sharp
// already, and pixels near black or white, change least, so that no halo appears.  The method is AMD's Contrast
// Adaptive Sharpening (FidelityFX, MIT licence).  This is a fragment shader, since a compute shader would stop a
// software rasteriser until the picture has been drawn.
#include "core/gpu_layout.h"

layout(binding = kDrawnTexture) uniform sampler2D drawn;

layout(location = 0) out vec4 sharpened;

const float kSharpest = 1.0 / 6.0;  // weight of each neighbour where the contrast is lowest

void main()
{
    ivec2 place = ivec2(gl_FragCoord.xy), last = textureSize(drawn, 0) - 1;
    vec4 here = texelFetch(drawn, place, 0);
    vec3 north = texelFetch(drawn, ivec2(place.x, min(place.y + 1, last.y)), 0).rgb;
    vec3 south = texelFetch(drawn, ivec2(place.x, max(place.y - 1, 0)), 0).rgb;
    vec3 east = texelFetch(drawn, ivec2(min(place.x + 1, last.x), place.y), 0).rgb;
    vec3 west = texelFetch(drawn, ivec2(max(place.x - 1, 0), place.y), 0).rgb;
    vec3 least = min(min(min(north, south), min(east, west)), here.rgb);
    vec3 most = max(max(max(north, south), max(east, west)), here.rgb);
    vec3 room = min(least, 1.0 - most) / max(most, vec3(1.0 / 255.0));
    vec3 weight = -kSharpest * sqrt(clamp(room, 0.0, 1.0));
    vec3 sharp = (here.rgb + weight * (north + south + east + west)) / (1.0 + 4.0 * weight);
    sharpened = vec4(clamp(sharp, 0.0, 1.0), here.a);
}
