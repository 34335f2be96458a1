// Tiles that touch a point of the Earth: see heights_tiles.glsl.
#ifndef OROGEN_HEIGHTS_TILES_EARTH_GLSL
#define OROGEN_HEIGHTS_TILES_EARTH_GLSL

// Returns the first of the tiles that touch the point, on its canonical face.  The slot is -1 unless all tiles that
// touch the point, on all faces, are active.  `weight`: their smallest weight.
TileEntry touchingTiles(Lattice point, int level, out float weight)
{
    weight = 1.0;
    ivec3 cube = cubePoint(point);
    TileEntry entry;
    int first = 1;
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
    {
        int face = findLSB(faces);
        TileEntry found = touchingOnFace(latticePlace(placeOnFace(cube, face)), level, weight);
        if (first == 1) entry = found;
        first = 0;
        if (found.slot < 0) entry.slot = -1;
        if (found.slot < 0) break;
    }
    return entry;
}

float pointRatio(Lattice point) { return distanceRatio(surfaceFromFoot(point)); }

#endif
