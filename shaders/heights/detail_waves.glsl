// Parts of the procedural detail's octaves that the plane and the Earth share: see detail_plane.glsl.
//
// Must be in scope: DetailUniforms `detail`.
#ifndef OROGEN_DETAIL_WAVES_GLSL
#define OROGEN_DETAIL_WAVES_GLSL

const float kPixelsAWave = 3.5f;  // shortest wavelength that a pixel shows, in footprints of the pixel

const float kDetailFirstWave = 1.1f;  // frequency of the coarsest octave, relative to the samples' Nyquist frequency

// Approximates sin(2 pi turns) by parabolas; the derivative varies between -8 and 8.
float detailWave(float turns)
{
    float t = turns - floor(turns + 0.5f);
    return 8.0f * t * (1.0f - 2.0f * abs(t));
}

float detailWaveSlope(float turns)
{
    float t = turns - floor(turns + 0.5f);
    return 8.0f - 32.0f * abs(t);
}

float detailBlend(float f) { return f * f * f * (f * (f * 6.0f - 15.0f) + 10.0f); }
float detailBlendSlope(float f) { return 30.0f * f * f * (f * (f - 2.0f) + 1.0f); }

// Parameters of detailLean().
const float kDetailOwnSlope = 2.0f;       // slope of ground that waves follow, in amplitudes per cell
const float kDetailLeastStrength = 0.2f;  // least share of the amplitude
const float kDetailLeastRandom = 0.45f;   // least random part of the frequency

// Waves in cells of up to 16 m do not lean, those in cells of 48 m and more do: gullies are tens of metres apart.  In
// finer octaves, ground is rough in all directions, because fine ridges down a slope would look like hair.
const vec2 kDetailFollowsPerCell = vec2(0.03125f, 0.5f);

// Returns the share of detail on a slope.  Ground steeper than 45 degrees has less detail: octaves that all lean in one
// direction would add up to walls.
float detailSteepShare(float square) { return 1.0f / (1.0f + max(square - 1.0f, 0.0f)); }

// Returns the least share of the amplitude.  It is larger for cells of kilometres: these form mountains, which also
// stand on level ground.
float detailLeast(float cell) { return clamp(kDetailLeastStrength + (cell - 1500.0f) * 0.0002f, kDetailLeastStrength, 1.0f); }

// Returns the properties of an octave's waves at a place.  A wave leans if its frequency points across the fall of the
// ground, so that the wave forms gullies, and not in a random direction.  x, y: part of the frequency across the fall,
// up to 1; z: random part; w: share of the amplitude.
//
// `slope`: slope of the data with all coarser octaves; `amplitude`: amplitude of the octave (metres), whose cells are
// `cell` metres wide; `data`: squared slope of the data; `share`: share of the waves that may lean.
vec4 detailLean(vec2 slope, float amplitude, float cell, float data, float share)
{
    float own = amplitude / cell * kDetailOwnSlope, least = detailLeast(cell);
    share = share * clamp(cell * kDetailFollowsPerCell.x - kDetailFollowsPerCell.y, 0.0f, 1.0f);
    float square = slope.x * slope.x + slope.y * slope.y;
    float ground = data + (square - data) * share;
    float turn = share / sqrt(square + own * own);
    float steep = sqrt(ground / (ground + own * own));
    return vec4(-slope.y * turn, slope.x * turn, 1.0f - (1.0f - kDetailLeastRandom) * share * steep,
                (least + (1.0f - least) * steep) * detailSteepShare(square));
}

const uvec3 kDetailFactors = uvec3(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);

// Returns the hash of a node.  `sum`: sum of the node's coordinates in cells, each times its factor.  The hash's bytes
// are random numbers.  The three lower bytes give the direction of the node's wave, the highest its sign.
uint detailHash(uint sum, uint octave)
{
    uint v = sum + (octave + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    return v ^ (v >> 13u);
}

float detailRandom(uint hash, uint byteAt) { return float((hash >> byteAt) & 0xffu) * 0.0078125f - 1.0f; }

// Returns a random number of either sign, with a magnitude of 0.7 to 1.3.
float detailSign(uint hash)
{
    float t = float(hash >> 24u) * 0.0078125f - 1.0f;
    return t < 0.0f ? 0.6f * t - 0.7f : 0.6f * t + 0.7f;
}

// Returns x: the wave of a node at an offset (dx, dy) from the node (cells); y, z: its derivatives per cell.  `bytes`:
// bit positions of the hash's bytes for the wave's x and y; `lean`: from detailLean().
vec3 detailNode(uint hash, uvec2 bytes, vec4 lean, float dx, float dy)
{
    float side = detailSign(hash);
    float turnsX = detail.metres.y * (side * lean.x + lean.z * detailRandom(hash, bytes.x));
    float turnsY = detail.metres.y * (side * lean.y + lean.z * detailRandom(hash, bytes.y));
    float at = turnsX * dx + turnsY * dy;
    float slope = detailWaveSlope(at);
    return vec3(detailWave(at), slope * turnsX, slope * turnsY);
}

// Blends the waves of a cell's corners at `f` (0 ... 1), as bilinear interpolation does.  Derivatives are per cell.
vec3 detailBlended(vec3 a, vec3 b, vec3 c, vec3 d, vec2 f)
{
    float u = detailBlend(f.x), v = detailBlend(f.y);
    vec3 low = a + (b - a) * u, high = c + (d - c) * u;
    vec3 noise = low + (high - low) * v;
    noise.y += ((b.x - a.x) + ((d.x - c.x) - (b.x - a.x)) * v) * detailBlendSlope(f.x);
    noise.z += (high.x - low.x) * detailBlendSlope(f.y);
    return noise;
}

// Returns x: the octave's value in a cell, -1 ... 1; y, z: its derivatives per cell.  `sum`: see detailHash(), for the
// cell's first node; `factors`: factors of x and y in that sum; `bytes`: see detailNode(); `f`: offset from the first
// node, 0 ... 1.
vec3 detailNoise(uint sum, uvec2 factors, uvec2 bytes, uint octave, vec4 lean, vec2 f)
{
    vec3 a = detailNode(detailHash(sum, octave), bytes, lean, f.x, f.y);
    vec3 b = detailNode(detailHash(sum + factors.x, octave), bytes, lean, f.x - 1.0f, f.y);
    vec3 c = detailNode(detailHash(sum + factors.y, octave), bytes, lean, f.x, f.y - 1.0f);
    vec3 d = detailNode(detailHash(sum + factors.x + factors.y, octave), bytes, lean, f.x - 1.0f, f.y - 1.0f);
    return detailBlended(a, b, c, d, f);
}

// Access to DetailUniforms.  detailFirst() returns the number j of a level's coarsest octave, and detailCount() the
// number of a level's octaves.  detailStart() and detailAmplitude() return the factors of an octave's amplitude.
uint detailFirst(int level) { return detail.octaves.z - min(detail.octaves.z, uint(level)); }
uint detailCount(int level) { return detail.octaves.z + detail.octaves.x - detailFirst(level); }
float detailStart(int level) { return detail.starts[min(level, 23) >> 2][min(level, 23) & 3]; }
float detailAmplitude(uint j) { return detail.amplitudes[j >> 2u][j & 3u]; }

// Returns an estimated bound (metres) of the error that octaves of a level cause in triangles.  `unitBits`:
// diamondUnitBits() of the middle of a triangle's base; `roughness`: from roughnessAcross().  Detail is a product of
// roughness f and waves g.  If f deviates from a linear function by at most e, the product's error is at most the sum of
// three terms: f times the error of g, half the change of f times the change of g, and e g.
float detailUnsteady(vec3 roughness, uint unitBits, int level)
{
    float sum = detail.sums[min(level, 23) >> 2][min(level, 23) & 3];
    float finer = float(int(detail.octaves.y) + level - int(unitBits)) - log2(detail.metres.y / 0.9f);
    float share = finer <= 0.0f ? 1.0f : min(1.25f, 1.3f * exp2(0.65f * (2.2f - finer)));
    share *= exp2(0.4f * min(float(unitBits) + log2(detail.metres.x) - 4.0f, 0.0f));  // random waves add less
    float bound = roughness.x * share + 0.5f * roughness.y * min(3.0f * share, 2.0f) + roughness.z;
    return sum * min(bound, 1.25f * roughness.x);
}

#endif
