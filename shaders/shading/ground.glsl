// Appearance of lit ground: vegetation and bare surfaces by slope and height.  Decoration, for the shading mode `lit`
// alone.  Needs FrameUniforms `frame` and TerrainUniforms `terrain` in scope.
//
// OROGEN_NEAR_DETAIL adds noise below the samples' spacing, down to a quarter of a metre.
#ifndef OROGEN_GROUND_GLSL
#define OROGEN_GROUND_GLSL

const float kTilt = 0.4;  // 20,480 m east are a multiple of 256 layers of every size: see addNearDetail()

float hash(ivec2 p)
{
    uint h = uint(p.x) * 0x8da6b343u ^ uint(p.y) * 0xd8163841u;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    return float((h ^ (h >> 15)) & 0xffffu) / 65535.0;
}

// x: value noise in [0, 1]; y, z: its derivatives.  Repeats after `mask` + 1 cells.
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

// x: noise with features of `size` metres, in [0, 1]; y, z, w: its derivatives along the axes of `place` (metres), per
// `size`.  In space, so that features are not drawn out where the ground is steep.  The grid is rotated by `axis`
// (cosine, sine) about the vertical and its layers are tilted, so that neither its rows nor its layers show.
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

// Visible share of features of `size` metres where a pixel covers `footprint` metres: they fade before they alias.
float shown(float footprint, float size) { return clamp(1.5 - 2.6 * footprint / size, 0.0, 1.0); }

// Patterns of several sizes: large ones shape the edges of woods, small ones represent trees, stones and tufts.
struct Pattern
{
    float vast, broad, middle, small;  // in [0, 1], mean 0.5
    vec3 bumps;                        // derivatives along east, north and up
};

#ifdef OROGEN_NEAR_DETAIL
// Adds fine noise at places given by the distance from the camera and the camera's place modulo 20,480 m.  World
// coordinates in single precision are too coarse far from the origin: the noise would streak and swim.  On axes rotated
// by (4, 3) / 5, a shift by 20,480 m is a multiple of 4,096 m, and so of the noise's period.
void addNearDetail(vec2 relative, float height, float footprint, inout Pattern pattern)
{
    vec3 place = vec3(relative + vec2(frame.detailEast, frame.detailNorth), height);
    vec4 size = vec4(16.0, 4.0, 1.0, 0.25), share = vec4(0.50, 0.42, 0.40, 0.40), rough = vec4(1.0, 0.8, 0.7, 0.6);
    vec2 axes[4] = {vec2(0.8, 0.6), vec2(0.6, -0.8), vec2(0.8, -0.6), vec2(0.6, 0.8)};
    for (int octave = 0; octave < 4; ++octave)
    {
        float show = shown(footprint, size[octave]);
        if (show == 0.0) break;
        vec4 noise = noiseInSpace(place, size[octave], axes[octave], octave == 0 ? 255 : 1023);
        pattern.small += (noise.x - 0.5) * share[octave] * show;
        pattern.bumps += noise.yzw * rough[octave] * show;
    }
}
#endif

// `relative`: metres from the camera, east and north; `texel`: sample coordinates; `height` and `footprint` of a pixel in
// metres.
Pattern patternAt(vec2 relative, vec2 texel, float height, float footprint)
{
    vec2 place = texel * terrain.pixelSize.xy;  // metres, rows grow southwards
    // Each octave is rotated against the last, so that no grid shows.
    float vast = noiseWithSlope(vec2(dot(place, vec2(0.96, 0.28)), dot(place, vec2(-0.28, 0.96))) / 5200.0, -1).x;
    float broad = noiseWithSlope(place / 790.0, -1).x;
    vec4 middle = noiseInSpace(vec3(place, height), 113.0, vec2(0.80, 0.60), -1);
    float showMiddle = shown(footprint, 113.0);
    Pattern pattern;
    pattern.vast = vast;
    pattern.broad = mix(0.5, broad, shown(footprint, 790.0));
    pattern.middle = mix(0.5, middle.x, showMiddle);
    pattern.small = 0.5;
    pattern.bumps = vec3(middle.y, -middle.z, middle.w) * showMiddle;
#ifdef OROGEN_NEAR_DETAIL
    addNearDetail(relative, height, footprint, pattern);
#endif
    return pattern;
}

struct Ground
{
    vec3 albedo;
    vec3 normal;
};

// Forest in valleys, meadow and scrub above, rock on steep slopes, snow on high, gentler ones.  Noise breaks up the
// boundaries so that they do not follow contour lines.  `relief` runs from the lowest to the highest ground, over at
// least 400 m: low land gets no alpine zones.
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
