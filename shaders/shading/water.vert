// Draws level surfaces of water, a rectangle each: the sea over the raster, or with OROGEN_LAKES lakes.  With
// OROGEN_SEA_BEYOND it draws the sea around the raster, in rings that sink with the Earth's curvature, like the land
// there.
#include "shaders/frame.glsl"
#include "shaders/shading/cover.glsl"

#ifdef OROGEN_LAKES
layout(location = 0) in ivec4 lakeCells;  // first column and row, last column and row: west, north, east, south
layout(location = 1) in float lakeLevel;  // metres, unscaled
#endif

layout(location = 0) out vec3 relative;
layout(location = 1) out vec2 texel;
#ifdef OROGEN_LAKES
layout(location = 2) flat out float level;
#endif

// Returns the height of a water surface relative to the camera (metres).  The surface is raised by 2 cm, so that ground
// at the water level is under water.  `level`: metres, scaled.
float waterHeight(float level) { return ((level + 0.02) - frame.cameraCell.z) - frame.cameraFraction.z; }

// Returns clip coordinates with their depth moved towards the camera by a share of the distance.  Otherwise rounding
// would decide between water and ground at the same height.
vec4 overGround(vec4 clip) { return vec4(clip.xy, clip.z * (1.0 + 2.0e-5), clip.w); }

#ifdef OROGEN_SEA_BEYOND
#include "shaders/shading/border_point.glsl"
#include "shaders/shading/earth_curve.glsl"
#endif

void main()
{
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
#ifdef OROGEN_LAKES
    level = lakeLevel * terrain.pixelSize.z;
    float surface = level;
    texel = mix(vec2(lakeCells.xy), vec2(lakeCells.zw + 1), corner);
#else
    float surface = cover.sea.x;
#ifdef OROGEN_SEA_BEYOND
    // The vertices go around the border, an inner and an outer one at each column, and end at the first column.  The
    // farthest ring is drawn first, so that nearer rings cover it where it is behind the horizon.
    float around = float(gl_VertexID >> 1) / float(kSeaColumns), across = borderAcross(around);
    float root = float(int(kSeaRings) - 1 - gl_InstanceID + (gl_VertexID & 1)) * kHorizonStep;
    vec2 curve = sunkAt(root * root * across);
    vec4 point = borderPoint(around);
    vec2 outwards = point.zw * (curve.x / across) / terrain.pixelSize.xy;
    texel = vec2(point.x, 1.0 - point.y) * (terrain.rasterSize.xy - 1.0) + vec2(outwards.x, -outwards.y);
    surface -= curve.y;
#else
    texel = corner * (terrain.rasterSize.xy - 1.0);
#endif
#endif
    vec2 lattice = (texel - terrain.texelFromLattice.zw) / terrain.texelFromLattice.xy;
    relative = vec3((lattice - frame.cameraCell.xy) * terrain.squareSize.y - frame.cameraFraction.xy,
                    waterHeight(surface));
    gl_Position = overGround(frame.clipFromRelative * vec4(relative, 1.0));
}
