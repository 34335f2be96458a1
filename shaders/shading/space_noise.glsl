// Noise in space, whose features are not stretched on steep ground.  It decorates lit ground, on planes (ground.glsl)
// and on the Earth (earth_land.glsl).
#ifndef OROGEN_SPACE_NOISE_GLSL
#define OROGEN_SPACE_NOISE_GLSL

// Slope of the noise's layers towards x.  A shift by 20,480 m along x then crosses a multiple of 256 layers, for
// every feature size in nearNoise().  Layers repeat after 256.
const float kTilt = 0.4;

// Divisions cost a software rasteriser as much as ten products, so that these functions take reciprocals.

// Returns a random number for a lattice point, 0 ... 65535.
float hash(ivec2 p)
{
    uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    return float((h ^ (h >> 15)) & 0xffffu);
}

// Returns random numbers, 0 ... 65535, at the corners of a cell: lower left and right, upper left and right.  They
// repeat after `mask` + 1 cells, a power of two; with a mask of -1 they do not repeat.
vec4 cornersOf(ivec2 cell, int mask)
{
    return vec4(hash(cell & mask), hash(cell + ivec2(1, 0) & mask), hash(cell + ivec2(0, 1) & mask),
                hash(cell + ivec2(1, 1) & mask));
}

// Interpolates between a cell's corners.  Returns x: value noise in [0, 1]; y, z: its derivatives.  `f`: place in the
// cell, 0 ... 1.
vec3 noiseBetween(vec4 corners, vec2 f)
{
    corners *= 1.0 / 65535.0;
    vec2 s = f * f * (3.0 - 2.0 * f), ds = 6.0 * f * (1.0 - f), along = corners.yz - corners.x;
    float twist = corners.w - corners.x - along.x - along.y;
    vec2 slope = along + twist * s.yx;
    return vec3(corners.x + along.x * s.x + slope.y * s.y, ds * slope);
}

// Returns noiseBetween() at a place, in units of cells.  `mask`: see cornersOf().
vec3 noiseWithSlope(vec2 p, int mask)
{
    vec2 cell = floor(p);
    return noiseBetween(cornersOf(ivec2(cell), mask), p - cell);
}

// Returns x: noise with 1 / `perSize` metres between features, in [0, 1]; y, z, w: its derivatives along the axes of
// `place` (metres), per distance of features.  The grid is rotated by `axis` (cosine, sine) about the vertical, and its
// layers are tilted, so that neither rows nor layers show.  `mask`: see cornersOf().
vec4 noiseInSpace(vec3 place, float perSize, vec2 axis, int mask)
{
    vec3 p = vec3(dot(place.xy, axis), dot(place.xy, vec2(-axis.y, axis.x)), place.z + kTilt * place.x) * perSize;
    vec3 cell = floor(p), f = p - cell;
    ivec2 low = ivec2(cell.xy) + ivec2(23, 57) * (int(cell.z) & 255);
    vec4 corners = cornersOf(low, mask), rise = cornersOf(low + ivec2(23, 57), mask) - corners;
    vec3 n = noiseBetween(corners + rise * (f.z * f.z * (3.0 - 2.0 * f.z)), f.xy);
    float up = 6.0 * f.z * (1.0 - f.z) * noiseBetween(rise, f.xy).x;
    return vec4(n.x, n.y * axis.x - n.z * axis.y + kTilt * up, n.y * axis.y + n.z * axis.x, up);
}

// Returns the visible share of features 1 / `perSize` metres apart if a pixel covers `footprint` metres.  Features fade
// before they alias.
float shown(float footprint, float perSize) { return clamp(1.5 - 2.6 * footprint * perSize, 0.0, 1.0); }

// Returns how many of the sizes `size`, size / 4, size / 16 ... have visible features.  In a loop over that many, a
// software rasteriser executes only as many iterations as the pixels of a group need.  A loop with constant bounds or
// with indexed arrays is unrolled, and all its iterations are executed.
int finerShown(float footprint, float size) { return max(int(ceil(0.5 * log2(size * (1.5 / 2.6) / footprint))), 0); }

// The crown of a plant, seen from above.
struct Crown
{
    float height;  // above the crown's edge, as a share of the crown's height; 0 between crowns
    float tone;    // random, -1 ... 1
    float rank;    // random, 0 ... 1: a plant exists where the density of plants exceeds it
    vec2 slope;    // half the derivatives of the height along the place's axes, times the radius; 0 between crowns
};

// Returns the crown at a place along two axes of the ground, in units of about 20 km.  At most one plant stands in each
// cell of a grid, which has `cells` cells in a unit, a multiple of 512.  So a shift of the place by a whole number
// changes nothing, and callers may pass the fraction alone.  `seed`: distinguishes grids.
Crown crownOfGrid(vec2 place, int cells, uint seed)
{
    vec2 p = place * float(cells), corner = floor(p);
    uvec2 cell = uvec2(ivec2(corner) & 511);
    uint h = (cell.x + seed) * 0x8da6b343u ^ cell.y * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    h ^= h >> 15;
    vec4 random = vec4(uvec4(h, h >> 8, h >> 16, h >> 24) & 0xffu) * (1.0 / 255.0);
    float radius = 0.48 - 0.22 * random.z;  // in cells
    vec2 from = (p - corner - (radius + (1.0 - 2.0 * radius) * random.xy)) * (1.0 / radius);
    Crown crown;
    crown.height = max(1.0 - dot(from, from), 0.0);
    crown.tone = 2.0 * fract(17.0 * random.z + random.x) - 1.0;
    crown.rank = random.w;
    crown.slope = crown.height > 0.0 ? -from : vec2(0.0);
    return crown;
}

// The crowns of two grids at a place.  The grids are rotated against each other, so that neither shows.
struct Crowns
{
    Crown a, b;
};

// Returns the crowns at a place.  The rotated grid has 5 / 4 of the cells, so that a unit is a multiple of 512 cells
// along its axes, too.
Crowns crownsAt(vec2 place, int cells)
{
    const vec2 axis = vec2(0.8, 0.6);
    Crowns crowns;
    crowns.a = crownOfGrid(place, cells, 0u);
    crowns.b = crownOfGrid(vec2(dot(place, axis), dot(place, vec2(-axis.y, axis.x))), cells + cells / 4, 77u);
    vec2 slope = crowns.b.slope;
    crowns.b.slope = vec2(dot(slope, vec2(axis.x, -axis.y)), dot(slope, vec2(axis.y, axis.x)));
    return crowns;
}

// Returns the higher one of the crowns that exist at this density of plants (share of the cells with a plant).
Crown grown(Crowns crowns, float density)
{
    Crown a = crowns.a, b = crowns.b;
    if (a.rank >= density) a.height = 0.0;
    if (b.rank >= density) b.height = 0.0;
    bool first = a.height >= b.height;
    Crown crown;
    crown.height = max(a.height, b.height);
    crown.tone = first ? a.tone : b.tone;
    crown.rank = first ? a.rank : b.rank;
    crown.slope = first ? a.slope : b.slope;
    return crown;
}

// Cells of the grids of trees, bushes and tufts in a unit, and the metres for which plantsShown() gives their visible
// share.  The cells of the first grid are 10, 3.3 and 1 m wide, those of the rotated one 8, 2.7 and 0.8 m.
const int kTreeCells = 2048, kBushCells = 6144, kTuftCells = 20480;
const float kTreeSize = 10.0, kBushSize = 3.5, kTuftSize = 1.0;

// Returns the visible share of plants of a size: 0 for those too small for the pixels, and for those so near that they
// would look flat.  `footprint`: metres that a pixel covers; `distance`: of the camera; all in metres.
float plantsShown(float footprint, float distance, float size)
{
    return clamp(1.8 - footprint * (3.1 / size), 0.0, 1.0) * clamp(2.0 - 36.0 * size * (1.0 / distance), 0.0, 1.0);
}

// Fine noise at a place, and the plants that stand there.
struct NearNoise
{
    float value;  // mean 0
    vec3 bumps;   // derivatives along the axes of the place, per feature size
    Crowns tree, bush, tuft;
};

// Returns noise with the feature sizes 16, 4, 1, 0.25 and 0.0625 m.  `place`: metres, modulo 20,480 along all axes;
// `footprint`: metres that a pixel covers.  World coordinates in single precision are too coarse far from the origin:
// the noise would streak and swim.  On axes rotated by (4, 3) / 5, a shift by 20,480 m is a multiple of 4,096 m, and so
// of the noise's period.  So the modulo leaves no seam.
//
// `plants`: place of the plants; see crownOfGrid().  They are found in the loop over the octaves, so that a software
// rasteriser looks only for those that may be visible.  Noise moves them by some metres, which breaks up their rows.
NearNoise nearNoise(vec3 place, vec2 plants, float footprint)
{
    const Crown none = Crown(0.0, 0.0, 1.0, vec2(0.0));
    const Crowns bare = Crowns(none, none);
    NearNoise near = NearNoise(0.0, vec3(0.0), bare, bare, bare);
    float perSize = 1.0 / 16.0;
    for (int octave = 0, count = min(finerShown(footprint, 16.0), 5); octave < count; ++octave, perSize *= 4.0)
    {
        float show = shown(footprint, perSize);
        vec2 axis = (octave & 1) == 0 ? vec2(0.8, octave == 0 ? 0.6 : -0.6) : vec2(0.6, octave == 1 ? -0.8 : 0.8);
        vec4 noise = noiseInSpace(place, perSize, axis, octave == 0 ? 255 : 1023);
        near.value += (noise.x - 0.5) * (octave == 0 ? 0.50 : octave == 1 ? 0.42 : 0.40) * show;
        if (octave == 0) plants += 3.2 / 20480.0 * show * noise.yz;
        if (octave < 3)
        {
            Crowns crowns = crownsAt(plants, octave == 0 ? kTreeCells : octave == 1 ? kBushCells : kTuftCells);
            if (octave == 0) near.tree = crowns;
            if (octave == 1) near.bush = crowns;
            if (octave == 2) near.tuft = crowns;
        }
        near.bumps += noise.yzw * (octave == 0 ? 1.0 : 0.9 - 0.1 * float(octave)) * show;
    }
    return near;
}

#endif
