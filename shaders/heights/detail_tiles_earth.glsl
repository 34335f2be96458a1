// Roughness of the data of the Earth: see detail_tiles.glsl.
#ifndef OROGEN_DETAIL_TILES_EARTH_GLSL
#define OROGEN_DETAIL_TILES_EARTH_GLSL

bool hasRoughness(ivec2 sampleAt) { return true; }

// The tile of a point's detail: its level and the share of it that is shown.
TileEntry detailTile(Lattice point, out int level, out float shown)
{
    float ratio = pointRatio(point), arrived;
    level = shownLevel(ratio);
    TileEntry entry = finestTouching(point, level, arrived);
    shown = level < tiles.last.z ? min(distanceWeight(ratio, level), arrived) : arrived;
    if (entry.slot < 0) shown = 0.0;
    return entry;
}

// Roughness (metres), weighted by the share of the tile that is shown; `level` is the tile's.
float roughnessAt(Lattice point, out int level)
{
    float shown;
    TileEntry entry = detailTile(point, level, shown);
    return shown <= 0.0 ? 0.0 : roughnessInSlot(entry.slot, firstCell(touchingPlace(point), level)) * shown;
}

// x: that roughness; y, z: slope of the data along the face's x and y.  `between`: see betweenSamples().
vec3 reliefAt(Lattice point, out int level, out float between)
{
    float shown;
    TileEntry entry = detailTile(point, level, shown);
    between = 0.0;
    if (shown <= 0.0) return vec3(0.0);
    TileCell c = firstCell(touchingPlace(point), level);
    between = betweenSamples(c.part);
    return vec3(roughnessInSlot(entry.slot, c) * shown, exactSlopeInSlot(entry.slot, c));
}

// The middle (0) and the corners of a box of one face.
Lattice lookAt(Lattice low, Lattice high, int i)
{
    if (i == 0) return latticeMiddle(low, high);
    return ivec3((i & 1) != 0 ? low.x : high.x, i < 3 ? low.y : high.y, low.z);
}

// Estimates from five probes; x, y, z as roughnessAcross() on a plane.  `level`: the coarsest one found.
vec3 roughnessAcross(Lattice low, Lattice high, float units, out int level)
{
    float rough = 0.0, least = 1.0e30, sum = 0.0, middle = 0.0;
    level = 0;
    for (int i = 0; i < 5; ++i)
    {
        int own;
        float look = roughnessAt(lookAt(low, high, i), own);
        if (look > 0.0) level = max(level, own);
        least = min(least, look);
        rough = max(rough, look);
        if (i == 0) middle = look;
        else sum += look;
    }
    float share = min(2.0 * units / float(max(high.x - low.x, 1)), 1.0);
    return vec3(rough, (rough - least) * share, abs(middle - 0.25 * sum) * share) * kBetweenLooks;
}

float roughestBetween(Lattice low, Lattice high)
{
    int level;
    return roughnessAcross(low, high, 0.0, level).x;
}

#endif
