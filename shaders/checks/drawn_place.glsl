// The ground drawn in a pixel: the pixel's depth gives the place, and the triangle drawn there the height.
//
// Depth alone is not sufficient: for a triangle seen edge-on, rasterisers interpolate depth over corners that were
// rounded to a grid, and any point of the pixel's ray may result.  The measurements need a point of the mesh.
//
// `then` selects the mesh of the previous frame instead of this frame's.  `record` is the number of a leaf's record in
// drawn_mesh.glsl, counted from 1.
//
// Needs in scope: frame.glsl, ground_points.glsl, seen.glsl, surface.glsl.
#ifndef OROGEN_DRAWN_PLACE_GLSL
#define OROGEN_DRAWN_PLACE_GLSL

#include "shaders/surface/drawn_mesh.glsl"

// A triangle of the bisection.  Its corners are points of the draw lattice (the grid of all possible vertices), or
// weights of the two base corners in a leaf's patch (in units of 1 / 2^patchLevel).
struct MeshPiece
{
    ivec2 apex, end0, end1;
};

ivec2 middleOf(ivec2 p, ivec2 q) { return ivec2((uvec2(p) + uvec2(q)) / 2u); }  // unsigned: the sum may need 32 bits

// Returns whether the point `cell` + `rest` (lattice point and fraction) lies in the half with end0.  The base is
// parallel to an axis or a diagonal, so the signs of its direction suffice.
bool inFirstHalf(MeshPiece piece, ivec2 middle, ivec2 cell, vec2 rest)
{
    ivec2 way = sign(piece.end0 - middle), off = cell - middle;
    return float(way.x * off.x + way.y * off.y) + dot(vec2(way), rest) >= 0.0;
}

MeshPiece halfOf(MeshPiece piece, ivec2 middle, bool first)
{
    MeshPiece half_;
    half_.end0 = first ? piece.end0 : piece.apex;
    half_.end1 = first ? piece.apex : piece.end1;
    half_.apex = middle;
    return half_;
}

// The point seen in a pixel, from its depth.
struct DrawnPlace
{
    vec3 relative;  // metres from the camera
    vec3 up;        // the vertical there, unit
    Lattice cell;   // lattice coordinates rounded down; on the Earth with the face
    vec2 rest;      // their fractions
    float height;   // metres above the ellipsoid; 0 on a plane
};

#include "shaders/checks/drawn_place_@world.glsl"

// Finds the triangle drawn over a place: its leaf's record and the patch weights of its corners.  Returns false if
// there is none.
bool triangleOver(bool then, Lattice cell, vec2 rest, out uint record, out MeshPiece weights)
{
    uint level = meshWord(then, 3u) & 0xffu;
    MeshPiece piece;
    if (!leafOver(then, cell, rest, meshStride(then), record, piece)) return false;
    weights.apex = ivec2(0);
    weights.end0 = ivec2(1 << level, 0);
    weights.end1 = ivec2(0, 1 << level);
    for (uint i = 0u; i < 2u * level; ++i)
    {
        ivec2 middle = middleOf(piece.end0, piece.end1);
        bool first = inFirstHalf(piece, middle, cell.xy, rest);
        piece = halfOf(piece, middle, first);
        weights = halfOf(weights, (weights.end0 + weights.end1) / 2, first);
    }
    return true;
}

uint patchPointNumber(ivec2 weights)
{
    uint row = uint(weights.x + weights.y);
    return row * (row + 1u) / 2u + uint(weights.y);
}

// A triangle, relative to the camera of the frame that drew it (metres).
struct MeshTriangle
{
    vec3 a, b, c;
};

// Returns a vertex from the mesh's records (metres from the camera of its frame).  The records must list vertices:
// meshStride() > 1.
vec3 meshVertex(bool then, uint record, ivec2 weights)
{
    return uintBitsToFloat(meshRecord(then, (record - 1u) * meshStride(then) + 1u + patchPointNumber(weights)).xyz);
}

MeshTriangle listedTriangle(bool then, uint record, MeshPiece weights)
{
    return MeshTriangle(meshVertex(then, record, weights.apex), meshVertex(then, record, weights.end0),
                        meshVertex(then, record, weights.end1));
}

// Returns the distance (metres) along the vertical from a point to a triangle over or under it.  The triangle must not
// be vertical.
float riseTo(MeshTriangle t, vec3 point, vec3 up)
{
    vec3 normal = cross(t.b - t.a, t.c - t.a);
    return dot(t.a - point, normal) / dot(up, normal);
}

// Tolerance of isOnMesh() (pixels); larger than the error from rounding corners to the rasteriser's grid.
const float kOffMesh = 0.05;

// Returns whether a place lies on the mesh.  `rise`: distance to the mesh along the vertical (metres), from riseTo().
bool isOnMesh(DrawnPlace place, float rise)
{
    return verticalPixels(rise, place.relative, place.up, view.lens.z) <= kOffMesh;
}

#endif
