// Parts of the procedural detail's octaves that the plane and the Earth share: see detail.glsl.
//
// Must be in scope: DetailUniforms `detail`.
#ifndef OROGEN_DETAIL_WAVES_GLSL
#define OROGEN_DETAIL_WAVES_GLSL

const float kPixelsAWave = 2.5f;  // shortest waves that a pixel shows, in its footprints

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

// An octave's waves at a place.  x, y: part of their frequency across the fall of the ground, up to 1; z: random part; w:
// share of the amplitude.
const float kDetailOwnSlope = 2.0f;  // slope of ground that waves follow, in amplitudes a cell
const float kDetailLeastStrength = 0.2f;
const float kDetailLeastRandom = 0.45f;

// `own`: the octave's amplitude over its cell; `data`: squared slope of the data; `share`: of the waves that may lean.
vec4 detailLean(vec2 slope, float own, float data, float share)
{
    own = own * kDetailOwnSlope;
    float square = slope.x * slope.x + slope.y * slope.y;
    float ground = data + (square - data) * share;
    float turn = share / sqrt(square + own * own);
    float steep = sqrt(ground / (ground + own * own));
    return vec4(-slope.y * turn, slope.x * turn, 1.0f - (1.0f - kDetailLeastRandom) * share * steep,
                kDetailLeastStrength + (1.0f - kDetailLeastStrength) * steep);
}

// Two random numbers in [-1, 1).
vec2 detailRandom(uint hash)
{
    return vec2(float(hash & 0x3ffu) / 512.0f - 1.0f, float((hash >> 10u) & 0x3ffu) / 512.0f - 1.0f);
}

// A random number in +- [0.7, 1.3).
float detailSign(uint hash)
{
    float t = float(hash >> 20u) / 2048.0f - 1.0f;
    return t < 0.0f ? 0.6f * t - 0.7f : 0.6f * t + 0.7f;
}

// x: the wave of a node at an offset from it; y, z: its derivatives.
vec3 detailWaveAt(float turnsX, float turnsY, float dx, float dy)
{
    float at = turnsX * dx + turnsY * dy;
    float slope = detailWaveSlope(at);
    return vec3(detailWave(at), slope * turnsX, slope * turnsY);
}

// Blends the waves of a cell's corners, as bilinear interpolation does, at `f`, 0 ... 1, with derivatives per cell.
vec3 detailBlended(vec3 a, vec3 b, vec3 c, vec3 d, vec2 f)
{
    float u = detailBlend(f.x), v = detailBlend(f.y);
    vec3 low = a + (b - a) * u, high = c + (d - c) * u;
    vec3 noise = low + (high - low) * v;
    noise.y += ((b.x - a.x) + ((d.x - c.x) - (b.x - a.x)) * v) * detailBlendSlope(f.x);
    noise.z += (high.x - low.x) * detailBlendSlope(f.y);
    return noise;
}

uint detailFirst(int level) { return detail.octaves.z - min(detail.octaves.z, uint(level)); }
uint detailCount(int level) { return detail.octaves.z + detail.octaves.x - detailFirst(level); }
float detailStart(int level) { return detail.starts[min(level, 23) >> 2][min(level, 23) & 3]; }
float detailAmplitude(uint j) { return detail.amplitudes[j >> 2u][j & 3u]; }

#endif
