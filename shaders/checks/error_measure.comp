// Measures the error in each pixel: the vertical distance between the drawn ground and the finest surface of the data.
#include "shaders/frame.glsl"
#include "shaders/checks/ground_points.glsl"
#include "shaders/shading/seen.glsl"

layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/surface/surface.glsl"
#include "shaders/heights/heights.glsl"
#include "shaders/tree/leb.glsl"
#include "shaders/tree/diamond.glsl"
#include "shaders/surface/drawn_surface.glsl"
#include "shaders/surface/drawn_leaf.glsl"
#include "shaders/checks/drawn_place.glsl"
#include "shaders/checks/missed_@world.glsl"

// Returns a patch vertex as drawn, computed anew (metres from the camera).
vec3 drawnVertex(uvec4 leaf, ivec2 weights)
{
    Lattice lattice = drawnLattice(leaf, weights);
    return surfaceRelative(lattice, drawnVertexHeight(leaf, lattice));
}

// Sets `rise`, the distance (metres) along the vertical from the place's point to the mesh.  Returns false if the point
// is off the mesh.
bool riseToMesh(DrawnPlace place, out float rise)
{
    uint record;
    MeshPiece weights;
    rise = 0.0;
    if (!triangleOver(false, place.cell, place.rest, record, weights)) return false;
    uvec4 leaf = meshRecord(false, (record - 1u) * meshStride(false));
    vec3 corners[3];
    for (int i = 0; i < 3; ++i)  // a loop, so that the vertex code is compiled in once
        corners[i] = drawnVertex(leaf, i == 0 ? weights.apex : i == 1 ? weights.end0 : weights.end1);
    rise = riseTo(MeshTriangle(corners[0], corners[1], corners[2]), place.relative, place.up);
    return isOnMesh(place, rise);
}

// Depth determines a pixel's error to a few thousandths of a pixel, except for triangles seen edge-on.  So only pixels
// that would become the new maximum are looked up on the mesh, which is slow.
void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    vec3 relative;
    if (any(greaterThanEqual(pixel, ivec2(view.viewport.xy))) || !groundPoint(pixel, relative)) return;
    DrawnPlace place = drawnPlace(relative);
    float pixels = verticalPixels(missedAt(place, 0.0), relative, place.up, view.lens.z);
    bool counts = true;
    if (floatBitsToUint(pixels) > tally.largest)
    {
        float rise;
        counts = riseToMesh(place, rise);
        pixels = verticalPixels(missedAt(place, rise), relative, place.up, view.lens.z);
    }
    if (counts) addToTally(pixels);
}
