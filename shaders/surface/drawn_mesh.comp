// Lists the mesh that a frame drew: see drawn_mesh.glsl.  One thread per vertex computes the vertex by
// drawnVertexHeight() (drawn_leaf.glsl), which has the rule of the draw.  If no vertices are requested, there is one
// thread per leaf.
#include "shaders/frame.glsl"

layout(local_size_x = kLeafGroupSize) in;

layout(location = 0) uniform uint mostLeaves;  // capacity of the list
layout(location = 1) uniform uint points;  // vertices listed per leaf: all of its patch, or 0

layout(std430, binding = kVisibleBinding) readonly buffer VisibleBlock { uvec4 visible[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(std430, binding = kPatchPointsBinding) readonly buffer PatchPointsBlock { uint patchPoints[]; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"
#include "shaders/surface/drawn_mesh.glsl"

// Stores the leaf at the start of its record.  Enters its depth and the record's number in meshTable[].
void listLeaf(uint number, uvec4 leaf, uint stride)
{
    meshRecords[number * stride] = leaf;
    uint depth = drawnLeafDepth(leaf);
    uint bit = 1u << (depth & 31u);
    if ((meshTable[1u + (depth >> 5u)] & bit) == 0u) atomicOr(meshTable[1u + (depth >> 5u)], bit);
    uint last = meshEntries(false) - 1u;
    uint i = meshHash(leaf.xyz) & last;
    while (atomicCompSwap(meshTable[kMeshTableHead + i], 0u, number + 1u) != 0u)
        i = (i + 1u) & last;
}

void main()
{
    uint thread = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (kMaxGroupsX * kLeafGroupSize);
    uint stride = points + 1u, each = max(points, 1u);
    uint leaves = min(state.drawInstances, mostLeaves), number = thread / each, point = thread % each;
    if (thread == 0u)
    {
        meshTable[0] = leaves;
        meshTable[3] = frame.patchLevel | stride << 8u;
    }
    if (number >= leaves) return;
    uvec4 leaf = visible[number];
    if (point == 0u) listLeaf(number, leaf, stride);
    if (point < points)
    {
        ivec2 weights = pointWeights(patchPoints[point]);
        Lattice lattice = drawnLattice(leaf, weights);
        float height = drawnVertexHeight(leaf, lattice);
        meshRecords[number * stride + 1u + point] = floatBitsToUint(vec4(surfaceRelative(lattice, height), height));
    }
}
