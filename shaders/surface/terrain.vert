// Draws one instance for each visible leaf, and one vertex for each point of the patch that subdivides it.
#include "shaders/frame.glsl"

layout(location = 0) in uvec2 patchPoint;  // weights of the leaf's second and third corner, in 1 / 2^patchLevel

layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"

layout(location = 0) out vec3 relative;
layout(location = 2) out vec2 patchWeights;
layout(location = 3) flat out uint leafDepth;
#ifdef OROGEN_EARTH
layout(location = 4) flat out uvec3 leafShape;  // drawn leaf; gives a place with the weights (earth_place.glsl)
layout(location = 5) out float drawnHeight;     // metres above the ellipsoid, scaled
#else
layout(location = 1) out vec2 texel;
#endif

out gl_PerVertex
{
    vec4 gl_Position;
#ifdef OROGEN_CLIP_TO_RASTER
    float gl_ClipDistance[4];
#endif
};

void main()
{
    uvec4 leaf = visible[gl_InstanceID];
    ivec2 w = ivec2(patchPoint);
    Lattice lattice = drawnLattice(leaf, w);
    float height = drawnVertexHeight(leaf, lattice);

#ifdef OROGEN_EARTH
    leafShape = leaf.xyz;
    drawnHeight = height;
#else
    texel = surfaceTexel(lattice);
#endif
    relative = surfaceRelative(lattice, height);
    patchWeights = vec2(w);
    leafDepth = drawnLeafDepth(leaf);
    gl_Position = frame.clipFromRelative * vec4(relative, 1.0);
#ifdef OROGEN_CLIP_TO_RASTER
    vec2 p = vec2(lattice);
    gl_ClipDistance[0] = p.x - terrain.latticeBounds.x;
    gl_ClipDistance[1] = p.y - terrain.latticeBounds.y;
    gl_ClipDistance[2] = terrain.latticeBounds.z - p.x;
    gl_ClipDistance[3] = terrain.latticeBounds.w - p.y;
#endif
}
