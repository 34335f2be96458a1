// Computes the places of the vertices of the land around the terrain (border.vert).  A height is that of the border,
// smoothed over a width that grows with distance, and changes into the Earth's.
#include "shaders/frame.glsl"
#include "shaders/shading/border_point.glsl"
#include "shaders/shading/surroundings.glsl"

layout(local_size_x = kLeafGroupSize) in;
layout(std430, binding = kLandBinding) buffer LandBlock { LandPoint land[]; };

layout(location = 0) uniform float spacing;  // metres between texels of the border texture

// Returns the position of land of a height (metres, scaled), `distance` metres from the border (sunkAt()).  The point
// is drawn at `reach` times the distance.  `around`: see borderPoint().  core/terrain/imagery/land_around.h computes
// the same positions.
vec3 landAt(float around, float height, float distance, float reach)
{
    vec4 point = borderPoint(around);
    float across = borderAcross(around);
    vec2 curve = sunkAt(distance * reach * across);
    vec2 place = relativeOf(latticeOfBorder(point), point.zw * (curve.x / across));
    return vec3(place, relativeHeight(height) - curve.y);
}

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= uint(land.length())) return;
    float around = land[index].inner.w, distance = land[index].outer.w;
    float height = borderHeight(around, max(log2(distance / spacing), 0.0));
    Surrounding earth = surroundingAt(around, distance);
    height = mix(height, drawnHeight(earth), earth.share);
    land[index].inner.xyz = landAt(around, height, distance, 1.0);
    land[index].outer.xyz = landAt(around, height, distance, kRingOverlap);
}
