// The leaf over a place of the Earth, and the place of a pixel: see drawn_place.glsl.
#ifndef OROGEN_DRAWN_PLACE_EARTH_GLSL
#define OROGEN_DRAWN_PLACE_EARTH_GLSL

#include "shaders/pool/cube_leaf.glsl"
#include "shaders/earth/earth_place.glsl"
#include "shaders/earth/earth_point.glsl"

// Finds the leaf over a place, its record and its corners.  Returns false if the mesh's table lists no leaf there.
bool leafOver(bool then, Lattice cell, vec2 rest, uint stride, out uint record, out MeshPiece piece)
{
    int side = 1 << kDrawLatticeBits;
    bool second = cell.x + cell.y >= side;
    piece.apex = second ? ivec2(side) : ivec2(0);
    piece.end0 = second ? ivec2(0, side) : ivec2(side, 0);
    piece.end1 = second ? ivec2(side, 0) : ivec2(0, side);
    uvec2 depths = uvec2(meshWord(then, 1u), meshWord(then, 2u));
    uint deepest = depths.y != 0u ? 32u + uint(findMSB(depths.y)) : uint(findMSB(depths.x | 1u));
    record = 0u;
    CubeLeaf leaf;
    leaf.apex = piece.apex;
    leaf.shape = (second ? 2u << 6u : 0u) | uint(cell.z) << 8u;
    for (uint depth = 0u; depth <= deepest; ++depth)
    {
        if (((depth < 32u ? depths.x : depths.y) >> (depth & 31u) & 1u) != 0u)
            record = findRecord(then, uvec3(uvec2(leaf.apex), leaf.shape), stride);
        if (record != 0u) break;
        ivec2 middle = middleOf(piece.end0, piece.end1);
        bool first = inFirstHalf(piece, middle, cell.xy, rest);
        leaf = cubeChild(leaf, first ? 0u : 1u);
        piece.apex = leaf.apex;
        piece.end0 = cubeLeft(leaf);
        piece.end1 = cubeRight(leaf);
    }
    return record != 0u;
}

DrawnPlace drawnPlace(vec3 relative)
{
    DrawnPlace place;
    place.relative = relative;
    EarthPoint point = earthPoint(relative);
    place.up = point.up;
    place.cell = ivec3(point.place.whole, point.place.face);
    place.rest = point.place.part;
    place.height = point.height;
    return place;
}

#endif
