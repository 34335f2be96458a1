// Roughness of the data of the Earth: see detail_tiles.glsl.  With OROGEN_MODELS, elevation models are laid into the
// Earth's own data (the base), so that some places have finer levels.
#ifndef OROGEN_DETAIL_TILES_EARTH_GLSL
#define OROGEN_DETAIL_TILES_EARTH_GLSL

vec4 roughnessCodes(int slot, TileCell c) { return textureGather(tileRoughness, cornersOf(slot, c.cell)); }

// Returns the tile from which a point's detail follows, its level, and the share (0 ... 1) with which it is shown.
TileEntry detailTile(Lattice point, out int level, out float shown)
{
    float ratio = pointRatio(point), arrived;
    level = shownLevel(ratio);
    TileEntry entry = finestTouching(point, level, arrived);
    shown = level < tiles.last.z ? min(distanceWeight(ratio, level), arrived) : arrived;
    if (entry.slot < 0) shown = 0.0;
    return entry;
}

// Data at a place, see DataRelief (core/terrain/detail).
struct DetailGround
{
    vec3 relief;    // x: roughness (metres), weighted by the share of the tile that is shown; y, z: slope along x and y
    vec2 wide;      // x: roughness of the base around an elevation model (0 elsewhere); y: metres to that model
    int level;      // level of the tile
    float between;  // see betweenSamples()
};

// Returns x: roughness; y: distance to an elevation model (metres); z: weight of the samples that store such a
// distance.
vec3 codesInSlot(int slot, TileCell c)
{
    vec3 corners = cornersOf(slot, c.cell);
    vec4 texels = textureGather(tileRoughness, corners, 0), codes = round(texels * 255.0);
    vec4 fractions = round(textureGather(tileRoughness, corners, 1) * 255.0);
    bvec4 far = greaterThanEqual(codes, vec4(kFirstDistance));
    vec4 share = ((codes - float(kFirstDistance)) * 256.0 + fractions) / kMostDistance;
    return vec3(withinCell(mix(roughnessOfCodes(texels), vec4(0.0), far), c.part),
                withinCell(mix(vec4(0.0), share * share * kFarthestDistance, far), c.part),
                withinCell(mix(vec4(0.0), vec4(1.0), far), c.part));
}

// Returns the data at a place in a tile.  `shown`: weight of the tile against its parent.
DetailGround detailGroundIn(TileEntry entry, SamplePlace place, int level, float shown)
{
    TileCell c = firstCell(place, level);
    DetailGround ground;
    ground.level = level;
    ground.wide = vec2(0.0);
    ground.between = betweenSamples(c.part);
#ifndef OROGEN_MODELS
    ground.relief = vec3(roughnessInSlot(entry.slot, c) * shown, exactSlopeInSlot(entry.slot, c));
#else
    int base = int(detail.octaves.w);
    if (level >= base)
    {
        ground.relief = vec3(roughnessInSlot(entry.slot, c) * shown, exactSlopeInSlot(entry.slot, c));
        return ground;
    }
    vec3 codes = codesInSlot(entry.slot, c);
    ground.relief = vec3(codes.x * shown, exactSlopeInSlot(entry.slot, c));
    if (shown < 1.0)
    {
        vec3 coarser = level + 1 < base ? codesInSlot(entry.parent, firstCell(place, level + 1)) : vec3(0.0, kFarthestDistance, 1.0);
        codes = vec3(codes.x, between(coarser.y, codes.y, shown), between(coarser.z, codes.z, shown));
    }
    if (codes.y <= 0.0) return ground;
    TileEntry below = activeTile(place, base);
    TileCell there = firstCell(place, base);
    ground.wide = vec2(roughnessInSlot(below.slot, there), codes.y);
    ground.between = between(ground.between, betweenSamples(there.part), codes.z);
    vec2 slope = exactSlopeInSlot(below.slot, there);
    ground.relief.y = between(ground.relief.y, slope.x, codes.z);
    ground.relief.z = between(ground.relief.z, slope.y, codes.z);
#endif
    return ground;
}

DetailGround detailGroundAt(Lattice point)
{
    int level;
    float shown;
    TileEntry entry = detailTile(point, level, shown);
    if (shown > 0.0) return detailGroundIn(entry, touchingPlace(point), level, shown);
    return DetailGround(vec3(0.0), vec2(0.0), level, 0.0);
}

// Returns the roughness (metres) that bounds the detail, and the level of its octaves.
float roughnessAt(Lattice point, out int level)
{
    DetailGround ground = detailGroundAt(point);
    level = ground.wide.x > 0.0 ? max(int(detail.octaves.w), ground.level) : ground.level;
    return ground.relief.x + ground.wide.x;
}

// Returns the middle (i = 0) or a corner (i = 1 ... 4) of a box of one face.
Lattice lookAt(Lattice low, Lattice high, int i)
{
    if (i == 0) return latticeMiddle(low, high);
    return ivec3((i & 1) != 0 ? low.x : high.x, i < 3 ? low.y : high.y, low.z);
}

// Estimates roughness from five probes; x, y, z as for roughnessAcross() in detail_plane.glsl.  `level`: the coarsest
// level found.
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
