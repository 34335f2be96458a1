// Appearance of lit ground: vegetation and bare surfaces by slope and height.  It is decoration, not data, and only for
// the shading mode `lit`.  Needs FrameUniforms `frame` and TerrainUniforms `terrain` in scope.
//
// OROGEN_NEAR_DETAIL adds noise with features of 16 m down to a quarter of a metre.
#ifndef OROGEN_GROUND_GLSL
#define OROGEN_GROUND_GLSL

#include "shaders/shading/space_noise.glsl"

// Patterns of several sizes: large ones shape the edges of woods, small ones represent trees, stones and tufts.
struct Pattern
{
    float vast, broad, middle, small;  // in [0, 1], mean 0.5; only `small` exceeds this range, by up to 0.4
    vec3 bumps;                        // derivatives along east, north and up, per feature size
    vec2 hills;                        // weighted sum of the derivatives of vast and broad along east and north
};

// Returns the patterns in a pixel.  `relative`: metres from the camera, east and north; `texel`: sample coordinates;
// `height`: of the ground (metres, scaled); `footprint`: metres that the pixel covers.
Pattern patternAt(vec2 relative, vec2 texel, float height, float footprint)
{
    vec2 place = texel * terrain.pixelSize.xy;  // metres, rows grow southwards
    // The grids of the three noises are rotated against each other, so that no grid shows.
    vec3 vast = noiseWithSlope(vec2(dot(place, vec2(0.96, 0.28)), dot(place, vec2(-0.28, 0.96))) / 5200.0, -1);
    vec3 broad = noiseWithSlope(place / 790.0, -1);
    float showBroad = shown(footprint, 790.0);
    vec4 middle = noiseInSpace(vec3(place, height), 113.0, vec2(0.80, 0.60), -1);
    float showMiddle = shown(footprint, 113.0);
    Pattern pattern;
    pattern.vast = vast.x;
    pattern.broad = mix(0.5, broad.x, showBroad);
    vec2 vastSlope = vast.y * vec2(0.96, 0.28) + vast.z * vec2(-0.28, 0.96);
    pattern.hills = (shown(footprint, 5200.0) * vastSlope + 0.6 * showBroad * broad.yz) * vec2(1.0, -1.0);
    pattern.middle = mix(0.5, middle.x, showMiddle);
    pattern.small = 0.5;
    pattern.bumps = vec3(middle.y, -middle.z, middle.w) * showMiddle;
#ifdef OROGEN_NEAR_DETAIL
    NearNoise near = nearNoise(vec3(relative + vec2(frame.detailEast, frame.detailNorth), height), footprint, 4);
    pattern.small += near.value;
    pattern.bumps += near.bumps;
#endif
    return pattern;
}

struct Ground
{
    vec3 albedo;
    vec3 normal;
};

// Returns the ground: forest in valleys, meadow and scrub above, rock on steep slopes, snow on high, gentle slopes.
// Noise breaks up the boundaries, so that they do not follow contour lines.  `relief` runs from 0 at the lowest ground
// to 1 at the highest.  Its range is at least 400 m, so that low land gets no alpine zones.  `height`: metres, scaled.
Ground groundAt(vec3 normal, float height, Pattern p)
{
    float fray = 0.30 * p.vast + 0.36 * p.broad + 0.24 * p.middle + 0.10 * p.small - 0.5;
    float metres = height / max(terrain.pixelSize.z, 1.0e-3);
    float range = max(terrain.heights.w - terrain.heights.z, 400.0 * terrain.pixelSize.z);
    float relief = clamp((height - terrain.heights.z) / max(range, 1.0e-3), 0.0, 1.0);
    float steep = 1.0 - normal.z;

    vec3 forest = mix(vec3(0.034, 0.047, 0.030), vec3(0.060, 0.074, 0.044), p.middle) * (0.45 + 1.10 * p.small);
    vec3 meadow = mix(vec3(0.106, 0.112, 0.062), vec3(0.160, 0.148, 0.092), p.broad) * (0.72 + 0.56 * p.small);
    vec3 scrub = mix(vec3(0.168, 0.146, 0.108), vec3(0.118, 0.108, 0.082), p.middle) * (0.64 + 0.72 * p.small);
    vec3 rock = mix(vec3(0.205, 0.192, 0.178), vec3(0.120, 0.114, 0.110), p.middle) * (0.60 + 0.80 * p.small);
    vec3 snow = vec3(0.78, 0.82, 0.88);

    float woods = smoothstep(-0.10, 0.16, 0.26 - 0.72 * abs(relief - 0.34) + 0.95 * fray);
    float dry = smoothstep(0.50, 0.92, relief + 0.50 * fray);
    float bare = smoothstep(0.155, 0.34, steep + 0.16 * fray + 0.10 * max(relief - 0.6, 0.0));
    float cold = smoothstep(2350.0, 2750.0, metres + 520.0 * fray + 260.0 * normal.y) * (1.0 - smoothstep(0.30, 0.50, steep));

    Ground ground;
    ground.albedo = mix(mix(mix(mix(meadow, forest, woods), scrub, dry), rock, bare), snow, cold);
    float rough = mix(mix(0.12, 0.40, woods * (1.0 - dry)), 0.48, bare) * (1.0 - 0.85 * cold);
    vec3 along = p.bumps - dot(p.bumps, normal) * normal;
    ground.normal = normalize(normal - along * (rough * 0.50));
    return ground;
}

#endif
