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
#ifdef OROGEN_EARTH
#include "shaders/earth/earth_place.glsl"
#include "shaders/earth/earth_samples.glsl"
#include "shaders/earth/earth_point.glsl"
#endif
#include "shaders/surface/drawn_place.glsl"

#ifdef OROGEN_EARTH
// Height of the procedural detail down to its finest octave (metres); `above`: metres of the data over the sea.
float madeHeight(DrawnPlace place, float above)
{
#ifdef OROGEN_DETAIL
    if (detail.octaves.x == 0u) return 0.0;
    DetailGround data = detailGroundAt(place.cell);
    float rough = data.relief.x + data.wide.x, share = rough <= 0.0 ? 0.0 : detailShoreShare(rough, above, data.between);
    return share <= 0.0 ? 0.0 : detailAt(place.cell, place.rest, 0.0, data).x * share;
#else
    return 0.0;
#endif
}

// Error against the finest active tile or the sea, plus that tile's deviation from the finest data: an upper bound.
float missedAt(DrawnPlace place, float rise)
{
    vec2 finest = finestHeight(samplePlace(EarthPlace(place.cell.z, place.cell.xy, place.rest)));
    float ground = max(finest.x + madeHeight(place, finest.x - seaLevel()), seaLevel()) * terrain.pixelSize.z;
    return abs(place.height + rise - ground) + finest.y * terrain.pixelSize.z;
}
#else
// Height of the procedural detail down to its finest octave (metres, scaled).
float madeHeight(DrawnPlace place)
{
#ifdef OROGEN_DETAIL
    return detailAt(place.cell, place.rest, 0.0, reliefAt(place.cell)).x * terrain.pixelSize.z;
#else
    return 0.0;
#endif
}

#ifdef OROGEN_TILES
// Error against the finest active tile, plus that tile's deviation from the finest data: an upper bound.
float missedAt(DrawnPlace place, float rise)
{
    vec2 finest = finestHeight(placeFromCamera(place.relative.xy)) * terrain.pixelSize.z;
    float drawn = place.relative.z + rise - madeHeight(place);
    return abs(drawn - ((finest.x - view.cameraCell.z) - view.cameraFraction.z)) + finest.y;
}
#else
float codeAt(ivec2 texel) { return texelFetch(heightTexture, texel, 0).r; }

// The elevation model's height at a point relative to the camera (metres, scaled).  Coordinates are counted from the
// camera's sample, which keeps them precise near it.
float modelHeight(vec2 relative)
{
    vec2 t = view.cameraTexel.zw + relative / terrain.pixelSize.xy * vec2(1.0, -1.0);
    ivec2 last = ivec2(terrain.rasterSize.xy) - 1;
    ivec2 whole = ivec2(view.cameraTexel.xy) + ivec2(floor(t));
    ivec2 low = clamp(whole, ivec2(0), max(last - 1, ivec2(0)));
    vec2 f = clamp(fract(t) + vec2(whole - low), 0.0, 1.0);
    ivec2 high = min(low + 1, last);
    float north = mix(codeAt(low), codeAt(ivec2(high.x, low.y)), f.x);
    float south = mix(codeAt(ivec2(low.x, high.y)), codeAt(high), f.x);
    return heightOfCode(mix(north, south, f.y)) * terrain.pixelSize.z;
}

float missedAt(DrawnPlace place, float rise)
{
    float model = (modelHeight(place.relative.xy) - view.cameraCell.z) - view.cameraFraction.z;
    return place.relative.z + rise - madeHeight(place) - model;
}
#endif
#endif

vec3 drawnVertex(uvec4 leaf, ivec2 weights)
{
    Lattice lattice = drawnLattice(leaf, weights);
    return surfaceRelative(lattice, drawnVertexHeight(leaf, lattice));
}

// Sets `rise`, the metres along the vertical from the place's point to the mesh; false if the point is off the mesh.
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
    for (bool largest = floatBitsToUint(pixels) > tally.largest; largest; largest = false)
    {
        float rise;
        counts = riseToMesh(place, rise);
        pixels = verticalPixels(missedAt(place, rise), relative, place.up, view.lens.z);
    }
    if (counts) addToTally(pixels);
}
