// The ground's colours.  Needs FrameUniforms `frame` and TerrainUniforms `terrain` in scope.
#ifndef OROGEN_GROUND_GLSL
#define OROGEN_GROUND_GLSL

#include "shaders/lod_colour.glsl"

float hash(ivec2 p)
{
    uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    return float((h ^ (h >> 15)) & 0xffffu) / 65535.0;
}

// Value noise in [0, 1] and its slope: x, the value; y, z, its derivatives.
vec3 noiseWithSlope(vec2 p)
{
    vec2 i = floor(p), f = p - i;
    ivec2 k = ivec2(i);
    float a = hash(k), b = hash(k + ivec2(1, 0)), c = hash(k + ivec2(0, 1)), d = hash(k + ivec2(1, 1));
    vec2 s = f * f * (3.0 - 2.0 * f), ds = 6.0 * f * (1.0 - f);
    float twist = a - b - c + d;
    return vec3(a + (b - a) * s.x + (c - a) * s.y + twist * s.x * s.y, ds * (vec2(b - a, c - a) + twist * s.yx));
}

// Noise of features of `size` metres on axes turned by `axis` (cosine, sine); slopes along the world's axes, a feature.
vec3 turnedNoise(vec2 place, float size, vec2 axis)
{
    vec3 n = noiseWithSlope(vec2(dot(place, axis), dot(place, vec2(-axis.y, axis.x))) / size);
    return vec3(n.x, n.y * axis.x - n.z * axis.y, n.y * axis.y + n.z * axis.x);
}

// How much of features of `size` metres shows where a pixel covers `footprint` metres: they fade before they alias.
float shown(float footprint, float size) { return clamp(1.4 - 2.6 * footprint / size, 0.0, 1.0); }

struct Ground
{
    vec3 albedo;
    vec3 normal;
};

// Forest in the valleys, meadow and scrub above, rock where it is steep, snow where it is high and not too steep.  The
// bounds between them are frayed by noise so that they follow no contour line, and below the elevation model's own
// resolution noise stands in for trees and boulders: decoration, of this shading mode alone.
Ground groundAt(vec3 normal, float height, vec2 texel)
{
    vec2 place = texel * terrain.pixelSize.xy;  // metres
    vec2 spread = fwidth(place);
    float footprint = max(spread.x, spread.y);
    // Each octave is turned against the last, so that no grid shows through.
    vec3 broad = noiseWithSlope(place / 790.0), middle = turnedNoise(place, 113.0, vec2(0.80, 0.60));
    vec3 small = turnedNoise(place, 23.0, vec2(0.28, 0.96)), least = turnedNoise(place, 5.0, vec2(-0.60, 0.80));
    float showMiddle = shown(footprint, 113.0), showSmall = shown(footprint, 23.0), showLeast = shown(footprint, 5.0);
    broad.x = mix(0.5, broad.x, shown(footprint, 790.0));
    float mid = mix(0.5, middle.x, showMiddle);
    float tiny = 0.62 * mix(0.5, small.x, showSmall) + 0.38 * mix(0.5, least.x, showLeast);
    float fray = 0.55 * broad.x + 0.33 * mid + 0.12 * tiny - 0.5;
    float metres = height / max(terrain.pixelSize.z, 1.0e-3);
    float relief = clamp((height - terrain.heights.z) / max(terrain.heights.w - terrain.heights.z, 1.0), 0.0, 1.0);
    float steep = 1.0 - normal.z;

    vec3 forest = vec3(0.042, 0.066, 0.024) * (0.55 + 0.55 * mid + 0.65 * tiny);
    vec3 meadow = mix(vec3(0.118, 0.126, 0.046), vec3(0.165, 0.150, 0.066), broad.x) * (0.80 + 0.40 * tiny);
    vec3 scrub = mix(vec3(0.170, 0.138, 0.086), vec3(0.122, 0.106, 0.066), mid) * (0.72 + 0.56 * tiny);
    vec3 rock = mix(vec3(0.190, 0.172, 0.155), vec3(0.112, 0.102, 0.096), mid) * (0.70 + 0.60 * tiny);
    vec3 snow = vec3(0.78, 0.82, 0.88);

    float woods = smoothstep(-0.12, 0.14, 0.30 - 0.78 * abs(relief - 0.34) + 0.62 * fray);
    float dry = smoothstep(0.52, 0.88, relief + 0.34 * fray);
    float bare = smoothstep(0.155, 0.34, steep + 0.16 * fray + 0.10 * max(relief - 0.6, 0.0));
    float cold = smoothstep(2350.0, 2750.0, metres + 520.0 * fray + 260.0 * normal.y) * (1.0 - smoothstep(0.30, 0.50, steep));

    Ground ground;
    ground.albedo = mix(mix(mix(mix(meadow, forest, woods), scrub, dry), rock, bare), snow, cold);
    float rough = mix(mix(0.10, 0.42, woods * (1.0 - dry)), 0.50, bare) * (1.0 - 0.85 * cold);
    vec2 bumps = (middle.yz * showMiddle + small.yz * showSmall + 0.6 * least.yz * showLeast) * rough;
    ground.normal = normalize(normal - vec3(bumps.x, -bumps.y, 0.0) * 0.55);
    return ground;
}

vec3 ramp5(float t, vec4 stops[5])
{
    float x = clamp(t, 0.0, 1.0) * 4.0;
    vec3 result = mix(stops[0].rgb, stops[1].rgb, clamp(x, 0.0, 1.0));
    result = mix(result, stops[2].rgb, clamp(x - 1.0, 0.0, 1.0));
    result = mix(result, stops[3].rgb, clamp(x - 2.0, 0.0, 1.0));
    return mix(result, stops[4].rgb, clamp(x - 3.0, 0.0, 1.0));
}

// Classic tints from the lowest to the highest sample.
vec3 hypsometricColour(float height)
{
    float t = (height - terrain.heights.z) / max(terrain.heights.w - terrain.heights.z, 1.0e-3);
    return ramp5(t, kHeightColours);
}

// 0, 15, 30, 45 and 60 degrees and above.
vec3 slopeColour(float rise)
{
    return ramp5(degrees(atan(rise)) / 60.0, kSlopeColours);
}

// Soft directional shade under data colours, so that the relief stays readable.
float reliefShade(vec3 normal) { return 0.45 + 0.55 * max(dot(normal, normalize(vec3(-0.45, 0.55, 0.70))), 0.0); }

// Voids are shown as what they are: hatched (on the screen, so that no distance blurs it), in a colour that no ground has.
vec3 withVoids(vec3 base, float share)
{
    float stripe = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    vec3 hatch = mix(vec3(0.36, 0.10, 0.42), vec3(0.62, 0.26, 0.66), stripe);
    return mix(base, hatch, smoothstep(0.35, 0.65, share));
}

bool outsideFrozenFrustum(vec3 p)
{
    for (int i = 0; i < kFrustumPlanes; ++i)
        if (dot(frame.frozenFrustum[i], vec4(p, 1.0)) < 0.0) return true;
    return false;
}

#endif
