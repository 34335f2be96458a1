// Draws the Earth's triangulation as seen from far above a place: one instance a leaf, three vertices each.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"

layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kLeavesBinding) readonly buffer LeavesBlock { uint leaves[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/tree/cbt.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/pool/pool.glsl"

layout(location = 0) uniform mat3 turn;    // from the camera's axes to the region's
layout(location = 1) uniform vec3 camera;  // in the region's axes, from its origin
layout(location = 2) uniform vec3 region;  // x, y: north-western corner (metres); z: side

layout(location = 0) out vec3 corners;  // weights
layout(location = 1) out vec3 ground;   // metres, in the region's axes
layout(location = 2) out float facing;  // below 0: on the far side of the globe
layout(location = 3) flat out uint depth;

out gl_PerVertex { vec4 gl_Position; };

void main()
{
    CubeLeaf leaf = poolLeaf(leaves[gl_InstanceID]);
    ivec2 corner = gl_VertexID == 0 ? leaf.apex : gl_VertexID == 1 ? cubeLeft(leaf) : cubeRight(leaf);
    Lattice lattice = ivec3(corner, cubeLeafFace(leaf.shape));
    ground = camera + turn * surfaceRelative(lattice, groundHeight(lattice) * terrain.pixelSize.z);
    facing = (turn * surfaceUp(lattice)).z;
    depth = cubeLeafDepth(leaf.shape);
    corners = vec3(equal(ivec3(gl_VertexID), ivec3(0, 1, 2)));
    vec2 place = (ground.xy - region.xy) / region.z;  // y: 0 at the north, -1 at the south
    gl_Position = vec4(2.0 * place.x - 1.0, -2.0 * place.y - 1.0, 0.0, 1.0);
}
