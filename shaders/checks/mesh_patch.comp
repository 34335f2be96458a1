// The mesh validator's pass over the triangles of the patch, read from the buffers used for drawing: see
// mesh_check.glsl.  One work group.
#include "shaders/frame.glsl"

layout(local_size_x = kLeafGroupSize) in;

layout(std430, binding = kPatchPointsBinding) readonly buffer PatchPointsBlock { uint patchPoints[]; };
layout(std430, binding = kPatchIndicesBinding) readonly buffer PatchIndicesBlock { uint patchIndices[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };

#include "shaders/checks/mesh_check.glsl"

int parts() { return 1 << frame.patchLevel; }

ivec2 pointOf(uint place)
{
    uint index = (patchIndices[place >> 1u] >> (16u * (place & 1u))) & 0xffffu;
    if (index >= uint(patchPoints.length())) return ivec2(255);  // a point outside every patch
    return ivec2(patchPoints[index] & 0xffu, (patchPoints[index] >> 8u) & 0xffu);
}

bool inPatch(ivec2 p) { return p.x + p.y <= parts(); }

// Returns whether both ends lie on the same edge of the leaf.
bool onSide(ivec2 a, ivec2 b)
{
    return (a.x == 0 && b.x == 0) || (a.y == 0 && b.y == 0) || (a.x + a.y == parts() && b.x + b.y == parts());
}

// Adds an edge's signed hash.  The sums vanish if every inner edge occurs once in each direction.
void addEdge(ivec2 a, ivec2 b)
{
    if (onSide(a, b)) return;
    bool ordered = a.x < b.x || (a.x == b.x && a.y < b.y);
    uint low = uint(ordered ? a.x | (a.y << 8) : b.x | (b.y << 8));
    uint high = uint(ordered ? b.x | (b.y << 8) : a.x | (a.y << 8));
    uvec2 hash = finished(hashed(hashed(uvec2(0u), low), high));
    if (!ordered) hash = uvec2(0u) - hash;
    atomicAdd(check.patchSums[0], hash.x);
    atomicAdd(check.patchSums[1], hash.y);
}

// Checks that a triangle has the smallest possible area on the patch's points, and the leaf's orientation.
void checkTriangle(uint triangle)
{
    ivec2 a = pointOf(3u * triangle), b = pointOf(3u * triangle + 1u), c = pointOf(3u * triangle + 2u);
    ivec2 ab = b - a, ac = c - a;
    if (!inPatch(a) || !inPatch(b) || !inPatch(c) || ab.x * ac.y - ab.y * ac.x != 1) fault(kFaultPatch, 0u);
    addEdge(a, b);
    addEdge(b, c);
    addEdge(c, a);
}

void main()
{
    uint count = uint(parts() * parts());
    bool whole = state.drawCount == 3u * count && uint(patchIndices.length()) >= (3u * count + 1u) / 2u;
    if (gl_LocalInvocationID.x == 0u && (!whole || state.drawFirst != 0u || state.drawBaseVertex != 0 || state.drawBaseInstance != 0u))
        fault(kFaultPatch, 0u);
    if (!whole) return;
    for (uint i = gl_LocalInvocationID.x; i < count; i += kLeafGroupSize)
        checkTriangle(i);
}
