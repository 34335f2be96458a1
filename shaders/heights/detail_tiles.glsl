// Roughness of the data of a tiled terrain, for detail.glsl: from tiles of level 0, weighted by how far they are shown
// (heights_tiles.glsl).  Elsewhere coarser samples are drawn, without detail below them.
//
// On the Earth a tile has roughness only if no finer tile refines it, at any level: detail continues below the finest
// available samples.
//
// Needs in scope: the requirements of heights_tiles.glsl.
#ifndef OROGEN_DETAIL_TILES_GLSL
#define OROGEN_DETAIL_TILES_GLSL

#include "shaders/heights/heights_tiles.glsl"

layout(binding = kTileRoughnessTexture) uniform sampler2DArray tileRoughness;

// 0 on a plane raster's border, which joins other ground.
float roughnessInTile(int slot, TileCell c, ivec2 corner)
{
#ifndef OROGEN_EARTH
    ivec2 sampleAt = c.tile * int(kTileIntervals) + c.cell + corner;
    if (any(lessThanEqual(sampleAt, ivec2(0))) || any(greaterThanEqual(sampleAt, tiles.last.xy))) return 0.0;
#endif
    ivec3 at = slotPlace(slot, int(kTileIntervals) + 1) + ivec3(c.cell + corner, 0);
    return roughnessOfCode(texelFetch(tileRoughness, at, 0).r);
}

float roughnessInSlot(int slot, TileCell c)
{
    float nw = roughnessInTile(slot, c, ivec2(0)), ne = roughnessInTile(slot, c, ivec2(1, 0));
    float sw = roughnessInTile(slot, c, ivec2(0, 1)), se = roughnessInTile(slot, c, ivec2(1));
    return between(between(nw, ne, c.part.x), between(sw, se, c.part.x), c.part.y);
}

const float kBetweenLooks = 1.5;  // factor for rougher ground between probes; each is a mean over 13 samples

#ifdef OROGEN_EARTH
// Roughness (metres), weighted by the share of the tile that is shown; `level` is the tile's.
float roughnessAt(Lattice point, out int level)
{
    float ratio = pointRatio(point), arrived;
    level = shownLevel(ratio);
    TileEntry entry = finestTouching(point, level, arrived);
    if (entry.slot < 0) return 0.0;
    float shown = level < tiles.last.z ? min(distanceWeight(ratio, level), arrived) : arrived;
    return shown <= 0.0 ? 0.0 : roughnessInSlot(entry.slot, firstCell(touchingPlace(point), level)) * shown;
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
#else
float roughnessAt(ivec2 lattice)
{
    float ratio = distanceRatio(latticeFromCamera(lattice));
    float weight = distanceWeight(ratio, 0), arrived;
    if (weight <= 0.0) return 0.0;
    SamplePlace place = latticePlace(lattice);
    TileEntry entry = touchingTiles(lattice, 0, arrived);
    if (entry.slot < 0) return 0.0;
    return roughnessInSlot(entry.slot, firstCell(place, 0)) * min(weight, arrived);
}

// Estimates from five probes.  Boxes larger than a few samples lie where level 0 is hardly shown.
float roughestBetween(ivec2 low, ivec2 high)
{
    ivec2 most = ivec2(1 << kDrawLatticeBits), a = clamp(low, ivec2(0), most), b = clamp(high, ivec2(0), most);
    float rough = roughnessAt((a + b) / 2);
    for (int i = 0; i < 4; ++i)
        rough = max(rough, roughnessAt(ivec2((i & 1) == 0 ? a.x : b.x, (i & 2) == 0 ? a.y : b.y)));
    return rough * kBetweenLooks;
}

// Estimates from the same probes; the variation between them is scaled to the triangle's size.
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

#endif
