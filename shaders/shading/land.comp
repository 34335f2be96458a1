// Computes the heights of the land around the terrain at the vertices of its rings (border.vert).  A height is that of
// the border, smoothed over a width that grows with distance, and changes into the Earth's.
#include "shaders/frame.glsl"
#include "shaders/shading/border_point.glsl"
#include "shaders/shading/surroundings.glsl"

layout(local_size_x = kLeafGroupSize) in;
layout(std430, binding = kLandBinding) buffer LandBlock { LandPoint land[]; };

layout(location = 0) uniform float spacing;  // metres between texels of the border texture

void main()
{
    uint index = gl_GlobalInvocationID.x;
    if (index >= uint(land.length())) return;
    float around = land[index].around, distance = land[index].distance;
    float height = borderHeight(around, max(log2(distance / spacing), 0.0));
    Surrounding earth = surroundingAt(around, distance);
    land[index].height = mix(height, drawnHeight(earth), earth.share);
}
