// Draws the Earth's triangulation as seen from far above a place: an instance per leaf, three vertices each.  Large
// leaves are drawn in a second draw, each in the triangles of a grid, since the ground is curved.
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
layout(location = 1) uniform vec3 camera;  // in the region's axes, from the region's origin (metres)
layout(location = 2) uniform vec3 region;  // x, y: north-western corner; z: side (metres)
layout(location = 3) uniform uint pieces;  // pieces along a side of a leaf; 1: skips the large leaves

layout(location = 0) out vec3 corners;  // weights of the leaf's corners, each 0 on the opposite edge
layout(location = 1) out vec3 ground;   // metres, in the region's axes
layout(location = 2) out float facing;  // below 0: on the far side of the globe
layout(location = 3) flat out uint depth;

out gl_PerVertex { vec4 gl_Position; };

// Returns the point of a vertex in the grid: its row, counted from the apex, and its column.
uvec2 gridPoint()
{
    uint triangle = uint(gl_VertexID) / 3u, corner = uint(gl_VertexID) % 3u;
    uint row = uint(sqrt(float(triangle) + 0.5)), place = triangle - row * row, column = place / 2u;
    bool upright = place % 2u == 0u;
    if (corner == 0u) return uvec2(row, column);
    if (corner == 1u) return upright ? uvec2(row + 1u, column) : uvec2(row, column + 1u);
    return uvec2(row + 1u, column + 1u);
}

void main()
{
    CubeLeaf leaf = poolLeaf(leaves[gl_InstanceID]);
    uvec2 point = gridPoint();
    ivec2 left = cubeLeft(leaf), right = cubeRight(leaf);
    ivec2 steps = ivec2(point.x - point.y, point.y);  // towards the left and the right corner
    ivec2 corner = leaf.apex + ((left - leaf.apex) / int(pieces)) * steps.x + ((right - leaf.apex) / int(pieces)) * steps.y;
    Lattice lattice = ivec3(corner, cubeLeafFace(leaf.shape));
    ground = camera + turn * surfaceRelative(lattice, groundHeight(lattice) * terrain.pixelSize.z);
    facing = (turn * surfaceUp(lattice)).z;
    depth = cubeLeafDepth(leaf.shape);
    corners = vec3(float(pieces - point.x), vec2(steps)) / float(pieces);
    vec2 place = (ground.xy - region.xy) / region.z;  // y: 0 at the north, -1 at the south
    bool elsewhere = pieces == 1u && depth < kCurvedDepth;
    gl_Position = elsewhere ? vec4(2.0, 2.0, 0.0, 1.0) : vec4(2.0 * place.x - 1.0, -2.0 * place.y - 1.0, 0.0, 1.0);
}
