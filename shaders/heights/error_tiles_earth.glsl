// Errors and bounds of the ground of the Earth: see error_tiles.glsl.
#ifndef OROGEN_ERROR_TILES_EARTH_GLSL
#define OROGEN_ERROR_TILES_EARTH_GLSL

// Returns the heights at the corners of a box of the lattice that lies in one cell of samples, in the order of
// cornersInSlot().
vec4 boxCorners(int slot, int level, Lattice low, Lattice high)
{
    TileCell c = firstCell(insidePlace(low.xy >> sampleBits(), low.z), level);
    vec4 heights = cornersInSlot(slot, c.cell);
    int bits = sampleBits() + level, inside = (1 << bits) - 1;
    vec2 from = vec2(low.xy & inside) * powerOfTwo(-bits), to = from + vec2(high.xy - low.xy) * powerOfTwo(-bits);
    return vec4(withinCell(heights, vec2(from.x, to.y)), withinCell(heights, to), withinCell(heights, vec2(to.x, from.y)),
                withinCell(heights, from));
}

float twistOf(vec4 corners) { return abs((corners.w - corners.z) - (corners.x - corners.y)); }
float lowestOf(vec4 corners) { return min(min(corners.x, corners.y), min(corners.z, corners.w)); }
float highestOf(vec4 corners) { return max(max(corners.x, corners.y), max(corners.z, corners.w)); }

// Returns the additional error where the sea level truncates the ground, which creates a kink.  Heights range from
// `lowest` to `highest`, and vary by at most `most` metres within a triangle.
float missedAtShore(float lowest, float highest, float most)
{
    float above = highest - seaLevel(), below = seaLevel() - lowest;
    if (above <= 0.0 || below <= 0.0) return 0.0;
    return min(above * below / (above + below), 0.25 * most);
}

// Returns the error in a box from `low` to `high` that lies in one cell of samples, where the surface is bilinear.
// `parts`: side of the box, divided by the extent of a triangle's diagonal base along that side.
float errorInCell(int slot, int level, Lattice low, Lattice high, float parts, uint kind)
{
    vec4 heights = boxCorners(slot, level, low, high);
    float lowest = lowestOf(heights), highest = highestOf(heights);
    if (highest <= seaLevel()) return 0.0;  // flat sea
    float rise = max(abs(heights.w - heights.z), abs(heights.x - heights.y)) + max(abs(heights.w - heights.x), abs(heights.z - heights.y));
    float error = twistOf(heights) / (parts * parts) * (kind == kDiagonalBase ? 0.25 : 0.0625);
    return 1.0001 * error + missedAtShore(lowest, highest, rise / parts);
}

// Returns the error of the triangles in a cell of the lattice, or in a quarter of it, as far as it lies in one tile.
// `whole`: a sample in that tile; `cellBits`: log2 of the cell's side (lattice units); `drawnBits`: log2 of the unit of
// the drawn triangles; `kind`: direction of their bases.
float errorInTile(Lattice low, ivec2 whole, int cellBits, int drawnBits, uint kind)
{
    SamplePlace place = insidePlace(whole, low.z);
    TileCodes found = tileCodes(low, place, cellBits, drawnBits);
    int unitBits = found.unitBits;
    float error = errorAlong(found.codes, kind);
    float unit = powerOfTwo(min(drawnBits - unitBits, 0));  // the unit of the drawn triangles, in units of the level
    if (drawnBits < unitBits) error = errorMetres(found.codes.a) * unit * unit * (kind == kDiagonalBase ? 1.0 : 0.25);
    int rangeMip = clamp(cellBits - sampleBits() - found.level - kRangeBits, 0, 4);
    vec3 range = rangeTexel(found.entry.slot, firstCell(place, found.level).cell, rangeMip);
    vec4 facts = tileFacts(found.entry);
    range.gb += facts.z;
    if (drawnBits > unitBits) error = range.b - range.g;  // triangles larger than those of the coarsest level
    // Finer tiles may be drawn in the cell, so their deviation widens the range.
    float beyond = drawnBits < unitBits || found.level == 0 ? 0.0 : 0.5 * facts.y;
    float missing = range.b + beyond <= seaLevel()
                        ? 0.0 : error + missedAtShore(range.g - beyond, range.b + beyond, range.r * min(4.0 * unit, 1.0));
    if (cellBits <= sampleBits() + found.level)
        missing = errorInCell(found.entry.slot, found.level, low, beside(low, uvec2(low.xy) + (1u << cellBits)), powerOfTwo(cellBits - 1 - drawnBits), kind);
    return missing;
}

float errorInCells(Lattice low, int cellBits, int drawnBits, uint kind)
{
    return errorInTile(low, low.xy >> sampleBits(), cellBits, drawnBits, kind);  // no cell crosses a tile's border
}

// Returns a bound of the error of a flat triangle against the Earth's curvature, which holds on all faces.
float sagMissed(uvec2 point, uint patchLevel)
{
    float base = (diamondIsDiagonal(point) ? 2.82842712 : 2.0) * float((1u << diamondUnitBits(point)) >> patchLevel);
    float metres = base * kLongestUnit * earth.figure.x;
    return metres * metres * kSagOfSquare / terrain.pixelSize.z;
}

float leafError(Lattice point, uint patchLevel)
{
    ivec3 cube = cubePoint(point);
    float error = 0.0;
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
        error = max(error, leafErrorOnFace(placeOnFace(cube, findLSB(faces)), patchLevel));
    return error + sagMissed(onSquare(point), patchLevel);
}

// Returns bounds of the ground (metres) in a box that lies in one cell of samples of the finest active level.  For
// other boxes the result is empty (low above high).
vec2 rangeInCell(Lattice low, Lattice high)
{
    SamplePlace place = insidePlace(low.xy >> sampleBits(), low.z);
    int level = 0;
    TileEntry entry = activeTile(place, level);
    int bits = sampleBits() + level;
    if (any(notEqual(low.xy >> bits, (high.xy - 1) >> bits))) return vec2(1.0e30, -1.0e30);
    vec4 heights = boxCorners(entry.slot, level, low, high);
    float deviation = deviationIn(tileFacts(entry), firstCell(place, level).cell);
    return vec2(lowestOf(heights) - deviation, highestOf(heights) + deviation);
}

// Returns the lowest and the highest ground over a box on one face; both are at least the sea level.
vec2 groundRange(Lattice low, Lattice high)
{
    ivec4 box = samplesOfBox(low, high);
    ivec2 extent = box.zw - box.xy + 1;
    vec2 range = vec2(1.0e30, -1.0e30);
    if (extent.x <= 2 && extent.y <= 2) range = rangeInCell(low, high);
    if (range.x > range.y) range = rangeOfSamples(box, low.z);
    return max(range, vec2(seaLevel()));
}

#endif
