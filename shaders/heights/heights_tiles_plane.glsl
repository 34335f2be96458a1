// Tiles that touch a point of a plane: see heights_tiles.glsl.
#ifndef OROGEN_HEIGHTS_TILES_PLANE_GLSL
#define OROGEN_HEIGHTS_TILES_PLANE_GLSL

// Like touchingOnFace(), since a plane has one face.
TileEntry touchingTiles(Lattice point, int level, out float weight)
{
    weight = 1.0;
    return touchingOnFace(latticePlace(point), level, weight);
}

// Returns the offset from the camera (metres east and north); `precise` makes all programs round it equally.
vec2 latticeFromCamera(Lattice lattice)
{
    precise vec2 whole = vec2(lattice - ivec2(frame.cameraCell.xy)) * terrain.squareSize.y;
    precise vec2 relative = whole - frame.cameraFraction.xy;
    return relative;
}

float pointRatio(Lattice point) { return distanceRatio(latticeFromCamera(point)); }

vec2 finestHeight(SamplePlace place);

// Like those in heights_image.glsl, these read the height, but from the finest active tile.
vec2 finestHeight(vec2 relative, vec4 cameraTexel) { return finestHeight(placeFromCamera(relative)); }
float finestAt(vec2 relative, vec2 texel) { return finestHeight(placeFromCamera(relative)).x; }

#endif
