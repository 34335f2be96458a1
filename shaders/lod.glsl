// Level of detail: how large a bisector appears.  Every measure is a function of one base edge, taken in canonical order,
// so that both triangles on it, and all four leaves of a diamond, come to the same verdict.
// Needs in scope: `frame`, `terrain`, surface_plane.glsl, heights_image.glsl, leb.glsl, sampler2D rangeTexture, errorTexture.
#ifndef OROGEN_LOD_GLSL
#define OROGEN_LOD_GLSL

#include "shaders/pyramid.glsl"

ivec2 drawLattice(uvec2 corner) { return ivec2(corner << kPatchBits); }

vec3 lodPoint(uvec2 corner)
{
    ivec2 lattice = drawLattice(corner);
    float height = heightAt(surfaceTexel(lattice)) * terrain.pixelSize.z;
    return surfaceRelative(lattice, height, frame.cameraCell, frame.cameraFraction);
}

// Length over distance: the true projection is undefined behind the camera and next to nothing end-on.
float edgePixels(LebEdge edge)
{
    vec3 a = lodPoint(edge.low), b = lodPoint(edge.high);
    vec3 along = b - a;
    float t = clamp(-dot(a, along) / max(dot(along, along), 1.0e-12), 0.0, 1.0);
    return length(along) * frame.pixelsPerRadian / max(length(a + t * along), 1.0e-3);
}

struct BoxBounds
{
    vec2 height;  // lowest, highest; metres, scaled
    float error;  // metres, scaled: of triangles that are as large as those drawn in this box
};

// Bounds from the pyramid over a box of the lattice: at most 2 x 2 cells of the level whose cells are as large as the box.
BoxBounds boundsOf(LebBox box)
{
    vec2 a = surfaceTexel(drawLattice(box.low)), b = surfaceTexel(drawLattice(box.high));
    vec2 low = clamp(min(a, b), vec2(0.0), terrain.rasterSize.xy - 1.0);
    vec2 high = clamp(max(a, b), vec2(0.0), terrain.rasterSize.xy - 1.0);
    vec2 extent = abs(b - a);
    float intervals = max(extent.x, extent.y);
    uint level = pyramidLevel(intervals, terrain.pyramidLevelCount);
    ivec4 where = terrain.pyramidLevels[level - 1u];
    ivec2 first = min(ivec2(pyramidCell(low.x, level), pyramidCell(low.y, level)), where.zw - 1);
    ivec2 last = min(ivec2(pyramidCell(high.x, level), pyramidCell(high.y, level)), where.zw - 1);

    vec2 range = vec2(1.0, 0.0);
    float error = 0.0;
    for (int y = first.y; y <= last.y; ++y)
        for (int x = first.x; x <= last.x; ++x)
        {
            vec2 r = texelFetch(rangeTexture, where.xy + ivec2(x, y), 0).rg;
            range = vec2(min(range.x, r.x), max(range.y, r.y));
            error = max(error, texelFetch(errorTexture, where.xy + ivec2(x, y), 0).r);
        }
    BoxBounds bounds;
    bounds.height = vec2(heightOfCode(range.x), heightOfCode(range.y)) * terrain.pixelSize.z;
    // Within a grid interval the heights are bilinear: there the error shrinks at least in proportion to the triangle.
    float drawn = intervals / float(1 << frame.patchLevel);
    bounds.error = error * min(1.0, 2.0 * drawn) * terrain.pixelSize.z;
    return bounds;
}

// Corners of a box, relative to the camera.
vec3 relativeLow(LebBox box, float lowest) { return surfaceRelative(drawLattice(box.low), lowest, frame.cameraCell, frame.cameraFraction); }
vec3 relativeHigh(LebBox box, float highest) { return surfaceRelative(drawLattice(box.high), highest, frame.cameraCell, frame.cameraFraction); }

float errorPixels(LebEdge edge)
{
    LebBox box = lebDiamond(edge);
    BoxBounds bounds = boundsOf(box);
    vec3 low = relativeLow(box, bounds.height.x), high = relativeHigh(box, bounds.height.y);
    float away = length(max(max(low, -high), vec3(0.0)));
    return bounds.error * frame.pixelsPerRadian / max(away, 0.25);
}

float lodPixels(LebEdge edge) { return frame.criterion == kCriterionError ? errorPixels(edge) : edgePixels(edge); }

LebBox boxOf(LebTriangle t)
{
    LebBox box;
    box.low = min(t.apex, min(t.base0, t.base1));
    box.high = max(t.apex, max(t.base0, t.base1));
    return box;
}

// Wholly outside the raster, which need not fill the square.
bool outsideRaster(LebBox box)
{
    vec2 low = vec2(drawLattice(box.low)), high = vec2(drawLattice(box.high));
    return high.x <= terrain.latticeBounds.x || high.y <= terrain.latticeBounds.y || low.x >= terrain.latticeBounds.z ||
           low.y >= terrain.latticeBounds.w;
}

#endif
