// The parts of heights_tiles.glsl for a plane: tiles that touch a lattice point, and heights at points given relative
// to the camera.  Needs in scope: the requirements of heights_tiles.glsl.
#ifndef OROGEN_HEIGHTS_TILES_PLANE_GLSL
#define OROGEN_HEIGHTS_TILES_PLANE_GLSL

// Returns the first tile of the level that touches the point, as touchingOnFace() does: a plane has one face.
// `weight`: the smallest fade-in weight of the tiles that touch the point.
TileEntry touchingTiles(Lattice point, int level, out float weight)
{
    weight = 1.0;
    return touchingOnFace(latticePlace(point), level, weight);
}

// Returns the offset of a lattice point from the camera (metres east and north).  `precise` makes all programs round it
// equally.
vec2 latticeFromCamera(Lattice lattice)
{
    precise vec2 whole = vec2(lattice - ivec2(frame.cameraCell.xy)) * terrain.squareSize.y;
    precise vec2 relative = whole - frame.cameraFraction.xy;
    return relative;
}

float pointRatio(Lattice point) { return distanceRatio(latticeFromCamera(point)); }

vec2 finestHeight(SamplePlace place);

// Return the height in the finest active tile (see heights_tiles.glsl) at a point given in metres from the camera.
// heights_image.glsl has functions with the same parameters, so the second parameter is unused here.
vec2 finestHeight(vec2 relative, vec4 cameraTexel) { return finestHeight(placeFromCamera(relative)); }
float finestAt(vec2 relative, vec2 texel) { return finestHeight(placeFromCamera(relative)).x; }

#endif
