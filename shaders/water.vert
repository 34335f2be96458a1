// Level surfaces of water over the ground, a rectangle each: the sea over the raster, or a lake.
#include "shaders/frame.glsl"
#include "shaders/cover.glsl"

#ifdef OROGEN_LAKES
layout(location = 0) in ivec4 lakeCells;  // first and last of its columns and rows: west, north, east, south
layout(location = 1) in float lakeLevel;  // metres, not scaled
#endif

layout(location = 0) out vec3 relative;
layout(location = 1) out vec2 texel;
#ifdef OROGEN_LAKES
layout(location = 2) flat out float level;
#endif

#include "shaders/water_level.glsl"

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef OROGEN_LAKES
    level = lakeLevel * terrain.pixelSize.z;
    float surface = level;
    texel = mix(vec2(lakeCells.xy), vec2(lakeCells.zw + 1), corner);
#else
    float surface = cover.sea.x;
    texel = corner * (terrain.rasterSize.xy - 1.0);
#endif
    vec2 lattice = (texel - terrain.texelFromLattice.zw) / terrain.texelFromLattice.xy;
    relative = vec3((lattice - frame.cameraCell.xy) * terrain.squareSize.y - frame.cameraFraction.xy,
                    waterHeight(surface));
    gl_Position = overGround(frame.clipFromRelative * vec4(relative, 1.0));
}
