// The leaf over a place of a plane, and the place of a pixel: see drawn_place.glsl.
#ifndef OROGEN_DRAWN_PLACE_PLANE_GLSL
#define OROGEN_DRAWN_PLACE_PLANE_GLSL

// Finds the leaf over a place, its record and its corners.  Returns false if the mesh's table lists no leaf there.
bool leafOver(bool then, Lattice cell, vec2 rest, uint stride, out uint record, out MeshPiece piece)
{
    int side = 1 << kDrawLatticeBits;
    bool second = cell.x + cell.y >= side;
    piece.apex = second ? ivec2(side) : ivec2(0);
    piece.end0 = second ? ivec2(side, 0) : ivec2(0, side);
    piece.end1 = second ? ivec2(0, side) : ivec2(side, 0);
    uvec2 depths = uvec2(meshWord(then, 1u), meshWord(then, 2u));
    uint deepest = depths.y != 0u ? 32u + uint(findMSB(depths.y)) : uint(findMSB(depths.x | 1u));
    record = 0u;
    for (uint depth = 1u; depth <= deepest; ++depth)
    {
        uvec2 a = uvec2(piece.apex) >> kPatchBits, p = uvec2(piece.end0) >> kPatchBits, q = uvec2(piece.end1) >> kPatchBits;
        if ((depths.x >> depth & 1u) != 0u)
            record = findRecord(then, uvec3(a.x | a.y << 16u, p.x | p.y << 16u, q.x | q.y << 16u), stride);
        if (record != 0u) break;
        ivec2 middle = middleOf(piece.end0, piece.end1);
        piece = halfOf(piece, middle, inFirstHalf(piece, middle, cell, rest));
    }
    return record != 0u;
}

DrawnPlace drawnPlace(vec3 relative)
{
    DrawnPlace place;
    place.relative = relative;
    vec2 units = (relative.xy + view.cameraFraction.xy) / terrain.squareSize.y;
    place.up = vec3(0.0, 0.0, 1.0);
    place.cell = clamp(ivec2(view.cameraCell.xy) + ivec2(floor(units)), ivec2(0), ivec2((1 << kDrawLatticeBits) - 1));
    place.rest = fract(units);
    place.height = 0.0;
    return place;
}

#endif
