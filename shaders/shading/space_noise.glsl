// Noise in space, whose features are not stretched on steep ground.  It decorates lit ground, on planes (ground.glsl)
// and on the Earth (earth_land.glsl).
#ifndef OROGEN_SPACE_NOISE_GLSL
#define OROGEN_SPACE_NOISE_GLSL

// Slope of the noise's layers towards x.  A shift by 20,480 m along x then crosses a multiple of 256 layers, for
// every feature size in nearNoise().  Layers repeat after 256.
const float kTilt = 0.4;

float hash(ivec2 p)
{
    uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    return float((h ^ (h >> 15)) & 0xffffu) * (1.0 / 65535.0);
}

// Returns x: value noise in [0, 1]; y, z: its derivatives.  It repeats after `mask` + 1 cells, a power of two; with a
// mask of -1 it does not repeat.
vec3 noiseWithSlope(vec2 p, int mask)
{
    vec2 i = floor(p), f = p - i;
    ivec2 k = ivec2(i);
    float a = hash(k & mask), b = hash(k + ivec2(1, 0) & mask), c = hash(k + ivec2(0, 1) & mask),
          d = hash(k + ivec2(1, 1) & mask);
    vec2 s = f * f * (3.0 - 2.0 * f), ds = 6.0 * f * (1.0 - f);
    float twist = a - b - c + d;
    return vec3(a + (b - a) * s.x + (c - a) * s.y + twist * s.x * s.y, ds * (vec2(b - a, c - a) + twist * s.yx));
}

// Returns x: noise with features of `size` metres, in [0, 1]; y, z, w: its derivatives along the axes of `place`
// (metres), per `size`.  The grid is rotated by `axis` (cosine, sine) about the vertical, and its layers are tilted, so
// that neither rows nor layers show.  `mask`: see noiseWithSlope().
vec4 noiseInSpace(vec3 place, float size, vec2 axis, int mask)
{
    vec3 p = vec3(dot(place.xy, axis), dot(place.xy, vec2(-axis.y, axis.x)), place.z + kTilt * place.x) / size;
    float layer = floor(p.z), f = p.z - layer;
    vec2 offset = vec2(23.0, 57.0) * mod(layer, 256.0);
    vec3 low = noiseWithSlope(p.xy + offset, mask), high = noiseWithSlope(p.xy + offset + vec2(23.0, 57.0), mask);
    vec3 n = mix(low, high, f * f * (3.0 - 2.0 * f));
    float up = 6.0 * f * (1.0 - f) * (high.x - low.x);
    return vec4(n.x, n.y * axis.x - n.z * axis.y + kTilt * up, n.y * axis.y + n.z * axis.x, up);
}

// Returns the visible share of features of `size` metres if a pixel covers `footprint` metres.  Features fade before
// they alias.
float shown(float footprint, float size) { return clamp(1.5 - 2.6 * footprint / size, 0.0, 1.0); }

// Returns how many of the sizes `size`, size / 4, size / 16 ... have visible features.  In a loop over that many, a
// software rasteriser executes only as many iterations as the pixels of a group need.  A loop with constant bounds or
// with indexed arrays is unrolled, and all its iterations are executed.
int finerShown(float footprint, float size) { return max(int(ceil(0.5 * log2(size * (1.5 / 2.6) / footprint))), 0); }

// Fine noise at a place.
struct NearNoise
{
    float value;  // mean 0
    vec3 bumps;   // derivatives along the axes of the place, per feature size
};

// Returns noise with the first `octaves` of the feature sizes 16, 4, 1, 0.25 and 0.0625 m.  `place`: metres, modulo
// 20,480 along all axes; `footprint`: metres that a pixel covers.  World coordinates in single precision are too coarse
// far from the origin: the noise would streak and swim.  On axes rotated by (4, 3) / 5, a shift by 20,480 m is a
// multiple of 4,096 m, and so of the noise's period.  So the modulo leaves no seam.
NearNoise nearNoise(vec3 place, float footprint, int octaves)
{
    NearNoise near = NearNoise(0.0, vec3(0.0));
    float size = 16.0;
    for (int octave = 0, count = min(finerShown(footprint, size), octaves); octave < count; ++octave, size *= 0.25)
    {
        float show = shown(footprint, size);
        vec2 axis = (octave & 1) == 0 ? vec2(0.8, octave == 0 ? 0.6 : -0.6) : vec2(0.6, octave == 1 ? -0.8 : 0.8);
        vec4 noise = noiseInSpace(place, size, axis, octave == 0 ? 255 : 1023);
        near.value += (noise.x - 0.5) * (octave == 0 ? 0.50 : octave == 1 ? 0.42 : 0.40) * show;
        near.bumps += noise.yzw * (octave == 0 ? 1.0 : 0.9 - 0.1 * float(octave)) * show;
    }
    return near;
}

#endif
