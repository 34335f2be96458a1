// Appearance of lit ground: vegetation and bare surfaces by slope and height.  It is decoration, not data, and only for
// the shading mode `lit`.  Needs FrameUniforms `frame` and TerrainUniforms `terrain` in scope.
//
// OROGEN_NEAR_DETAIL adds trees, bushes and tufts, and noise with features of 16 m to 6 cm.
#ifndef OROGEN_GROUND_GLSL
#define OROGEN_GROUND_GLSL

#include "shaders/shading/space_noise.glsl"

// Patterns of several sizes: large ones shape the edges of woods, small ones represent stones, leaves and grass.
struct Pattern
{
    float vast, broad, middle, small;  // in [0, 1], mean 0.5; only `small` exceeds this range, by up to 0.4
    vec3 bumps;                        // derivatives along east, north and up, per feature size
#ifdef OROGEN_NEAR_DETAIL
    Crowns tree, bush, tuft;           // see NearNoise
    vec3 plantsShow;                   // plantsShown() of trees, bushes and tufts
#endif
    vec2 hills;                        // weighted sum of the derivatives of vast and broad along east and north
};

// Returns the patterns in a pixel.  `relative`: metres from the camera, east and north; `texel`: sample coordinates;
// `height`: of the ground (metres, scaled); `footprint`: metres that the pixel covers; `distance`: metres from the
// camera.
Pattern patternAt(vec2 relative, vec2 texel, float height, float footprint, float distance)
{
    vec2 place = texel * terrain.pixelSize.xy;  // metres, rows grow southwards
    // The grids of the three noises are rotated against each other, so that no grid shows.
    vec3 vast = noiseWithSlope(vec2(dot(place, vec2(0.96, 0.28)), dot(place, vec2(-0.28, 0.96))) * (1.0 / 5200.0), -1);
    vec3 broad = noiseWithSlope(place * (1.0 / 790.0), -1);
    float showBroad = shown(footprint, 1.0 / 790.0);
    vec4 middle = noiseInSpace(vec3(place, height), 1.0 / 113.0, vec2(0.80, 0.60), -1);
    float showMiddle = shown(footprint, 1.0 / 113.0);
    Pattern pattern;
    pattern.vast = vast.x;
    pattern.broad = mix(0.5, broad.x, showBroad);
    vec2 vastSlope = vast.y * vec2(0.96, 0.28) + vast.z * vec2(-0.28, 0.96);
    pattern.hills = (shown(footprint, 1.0 / 5200.0) * vastSlope + 0.6 * showBroad * broad.yz) * vec2(1.0, -1.0);
    pattern.middle = mix(0.5, middle.x, showMiddle);
    pattern.small = 0.5;
    pattern.bumps = vec3(middle.y, -middle.z, middle.w) * showMiddle;
#ifdef OROGEN_NEAR_DETAIL
    vec3 here = vec3(relative + vec2(frame.detailEast, frame.detailNorth), height);
    NearNoise near = nearNoise(here, here.xy * (1.0 / 20480.0), footprint);
    pattern.small += near.value;
    pattern.bumps += near.bumps;
    pattern.tree = near.tree;
    pattern.bush = near.bush;
    pattern.tuft = near.tuft;
    pattern.plantsShow = vec3(plantsShown(footprint, distance, kTreeSize), plantsShown(footprint, distance, kBushSize),
                              plantsShown(footprint, distance, kTuftSize));
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
    float bare = smoothstep(0.19, 0.30, steep + 0.16 * fray + 0.14 * (p.small - 0.5) + 0.10 * max(relief - 0.6, 0.0));
    float cold = smoothstep(2350.0, 2750.0, metres + 520.0 * fray + 260.0 * normal.y) * (1.0 - smoothstep(0.30, 0.50, steep));

    vec3 green = mix(meadow, forest, woods);
#ifdef OROGEN_NEAR_DETAIL
    // Single plants replace the mixture of meadow and forest where they are neither too small for the pixels nor so
    // large that they would look flat.
    Crown tree = grown(p.tree, 0.95 * woods), bush = grown(p.bush, mix(0.4 * p.middle, 0.7, woods));
    Crown tuft = grown(p.tuft, 0.25);
    float trees = smoothstep(0.0, 0.25, tree.height), treesShow = p.plantsShow.x;
    vec3 crowns = forest * (0.60 + 0.48 * tree.height + 0.34 * tree.tone);
    green = mix(green, mix(mix(meadow, 0.55 * forest, woods), crowns, trees), treesShow);
    trees *= treesShow;
    float bushes = smoothstep(0.0, 0.3, bush.height) * (1.0 - trees) * p.plantsShow.y;
    green = mix(green, forest * (0.95 + 0.40 * bush.tone), bushes);
    float tufts = smoothstep(0.0, 0.3, tuft.height) * (1.0 - bushes) * p.plantsShow.z;
    green *= 1.0 + 0.22 * tuft.tone * tufts;
    float shows = (1.0 - dry) * (1.0 - bare) * (1.0 - cold);
    p.bumps.xy += shows * (2.0 * (tree.slope * trees + bush.slope * bushes) + tuft.slope * tufts);
#endif

    Ground ground;
    ground.albedo = mix(mix(mix(green, scrub, dry), rock, bare), snow, cold);
    float rough = mix(mix(0.12, 0.40, woods * (1.0 - dry)), 0.48, bare) * (1.0 - 0.85 * cold);
    vec3 along = p.bumps - dot(p.bumps, normal) * normal;
    ground.normal = normalize(normal - along * (rough * 0.50));
    return ground;
}

#endif
