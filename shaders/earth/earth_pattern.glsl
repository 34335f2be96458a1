// Patterns on the Earth: value noise on the draw lattice, with cells of powers of two of its units.  A corner's value
// depends on its place on the cube, so that edges of faces are never visible.  Needs lattice.glsl, `earth`
// (surface_earth.glsl) and EarthPlace in scope.
#ifndef OROGEN_EARTH_PATTERN_GLSL
#define OROGEN_EARTH_PATTERN_GLSL

// A corner's key is the sum of its cube coordinates (in cells) times these factors.
const uvec3 kCornerFactors = uvec3(0x8da6b343u, 0xd8163841u, 0xcb1ab31fu);

// Returns the factors in the order of the face's x, y and outward axes.
uvec3 cornerFactors(int face)
{
    uvec3 k = kCornerFactors;
    int outwards = face >> 1;
    uvec3 turned = outwards == 0 ? k.yzx : outwards == 1 ? k.zxy : k;
    return (face & 1) != 0 ? turned : turned.yxz;
}

float cornerHash(uint sum)
{
    uint h = (sum ^ (sum >> 13)) * 0x5bd1e995u;
    return float((h ^ (h >> 15)) & 0xffffu) * (1.0 / 65535.0);
}

// Returns noise with cells of 2^bits units.  x: value in [0, 1], mean 0.5; y, z: derivatives along the face's x and y,
// per cell.
vec3 latticeNoise(EarthPlace place, int bits)
{
    ivec2 cell = place.whole >> bits;
    vec2 f = (vec2(place.whole & ((1 << bits) - 1)) + place.part) * exp2(-float(bits));
    uvec3 factors = cornerFactors(place.face);
    uint middle = (1u << (kCubeLatticeBits - 1u)) >> bits, outwards = (place.face & 1) != 0 ? factors.z : 0u - factors.z;
    uint sum = (uint(cell.x) - middle) * factors.x + (uint(cell.y) - middle) * factors.y + middle * outwards;
    float a = cornerHash(sum), b = cornerHash(sum + factors.x);
    float c = cornerHash(sum + factors.y), d = cornerHash(sum + factors.x + factors.y);
    vec2 s = f * f * (3.0 - 2.0 * f), ds = 6.0 * f * (1.0 - f);
    float twist = a - b - c + d;
    return vec3(a + (b - a) * s.x + (c - a) * s.y + twist * s.x * s.y, ds * (vec2(b - a, c - a) + twist * s.yx));
}

// Returns the visible share of noise with cells of 2^bits units if a pixel covers `footprint` metres.  Noise fades
// before it aliases.
float cellsShown(float footprint, int bits) { return clamp(1.7 - 4.2 * footprint / (exp2(float(bits)) * earth.figure.x), 0.0, 1.0); }

#endif
