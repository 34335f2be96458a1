// Roughness of the data of a plane: see detail_tiles.glsl.
#ifndef OROGEN_DETAIL_TILES_PLANE_GLSL
#define OROGEN_DETAIL_TILES_PLANE_GLSL

// Returns the codes of a cell's corners; 0 on the border of the raster, where it meets the land around the terrain.
vec4 roughnessCodes(int slot, TileCell c)
{
    vec4 codes = textureGather(tileRoughness, cornersOf(slot, c.cell));
    ivec2 low = c.tile * int(kTileIntervals) + c.cell, high = low + 1;
    bvec4 has = bvec4(low.x > 0 && high.y < tiles.last.y, high.x < tiles.last.x && high.y < tiles.last.y,
                      high.x < tiles.last.x && low.y > 0, low.x > 0 && low.y > 0);
    return mix(vec4(0.0), codes, has);
}

// Returns the same as roughnessAt().  If that is above 0, sets `entry` and `c` to the tile of level 0 there and to the
// place in this tile.
float roughnessIn(ivec2 lattice, out TileEntry entry, out TileCell c)
{
    float ratio = distanceRatio(latticeFromCamera(lattice));
    float weight = distanceWeight(ratio, 0), arrived;
    if (weight <= 0.0) return 0.0;
    entry = touchingTiles(lattice, 0, arrived);
    if (entry.slot < 0) return 0.0;
    c = firstCell(latticePlace(lattice), 0);
    return roughnessInSlot(entry.slot, c) * min(weight, arrived);
}

float roughnessAt(ivec2 lattice)
{
    TileEntry entry;
    TileCell c;
    return roughnessIn(lattice, entry, c);
}

vec3 reliefAt(ivec2 lattice)
{
    TileEntry entry;
    TileCell c;
    float rough = roughnessIn(lattice, entry, c);
    return rough <= 0.0 ? vec3(0.0) : vec3(rough, exactSlopeInSlot(entry.slot, c));
}

// Estimates the maximum from five probes.  Few are enough: boxes larger than a few samples lie where level 0 is hardly
// shown.
float roughestBetween(ivec2 low, ivec2 high)
{
    ivec2 most = ivec2(1 << kDrawLatticeBits), a = clamp(low, ivec2(0), most), b = clamp(high, ivec2(0), most);
    float rough = roughnessAt((a + b) / 2);
    for (int i = 0; i < 4; ++i)
        rough = max(rough, roughnessAt(ivec2((i & 1) == 0 ? a.x : b.x, (i & 2) == 0 ? a.y : b.y)));
    return rough * kBetweenLooks;
}

// Estimates the bounds from the probes of roughestBetween().  The variation between them is scaled to the triangle's
// size.
vec3 roughnessAcross(ivec2 low, ivec2 high, float units)
{
    ivec2 most = ivec2(1 << kDrawLatticeBits), a = clamp(low, ivec2(0), most), b = clamp(high, ivec2(0), most);
    float middle = roughnessAt((a + b) / 2), least = middle, rough = middle, sum = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        float corner = roughnessAt(ivec2((i & 1) == 0 ? a.x : b.x, (i & 2) == 0 ? a.y : b.y));
        least = min(least, corner);
        rough = max(rough, corner);
        sum += corner;
    }
    float share = min(2.0 * units / float(max(high.x - low.x, 1)), 1.0);
    return vec3(rough, (rough - least) * share, abs(middle - 0.25 * sum) * share) * kBetweenLooks;
}

#endif
