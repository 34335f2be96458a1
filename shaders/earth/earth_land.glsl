// Colours of land and of the dry sea floor, by height, slope and latitude, with noise that breaks up the boundaries.
// Without imagery the distribution of vegetation is a guess.  Needs earth_pattern.glsl in scope.
#ifndef OROGEN_EARTH_LAND_GLSL
#define OROGEN_EARTH_LAND_GLSL

#include "shaders/shading/space_noise.glsl"

struct LandPattern
{
    // Noise in [0, 1], mean 0.5, with features of 600 km, 150 km, 39 km, 10 km, 1 km, and 64 m or less.  Ratios of 4
    // between the larger sizes hide the lattice's squares along boundaries.  Only `small` leaves that range, by 0.4.
    float continent, region, country, county, field, small;
    float near;       // noise with features of 16 m and less, which `small` includes; mean 0
#ifdef OROGEN_NEAR_DETAIL
    Crowns tree;      // see NearNoise
    float treesShow;  // plantsShown() of trees
#endif
    vec2 dots;        // x: bushes, 0 ... 1; y: stones and tufts, -0.8 ... 1.2
    vec3 bumps;       // derivatives of the noise of 64 m and less along the camera's east, north and up
    vec2 countySlope, fieldSlope;  // derivatives of county and field, per cell
};

#ifdef OROGEN_NEAR_DETAIL
// A ball in space that the ground cuts into a disc: a bush, a stone or a tuft.
struct Ball
{
    float value;  // from 1 in the middle to 0 at the edge and outside
    float tone;   // random, -1 ... 1
    vec3 slope;   // derivatives of the height of a half ball along the axes of the place
};

// Returns the ball in the cell of space at a place.  There is one in `share` of the cells; their sizes differ.
// `cells`: number of cells along 20,480 m.
Ball ballAt(vec3 place, int cells, float share)
{
    vec3 p = place * (float(cells) / 20480.0), whole = floor(p);
    uvec3 cell = uvec3((ivec3(whole) + 2 * cells) % cells);
    uint h = cell.x * 0x8da6b343u ^ cell.y * 0xd8163841u ^ cell.z * 0xcb1ab31fu;
    h = (h ^ (h >> 13)) * 0x5bd1e995u;
    h ^= h >> 15;
    vec4 random = vec4(uvec4(h, h >> 8, h >> 16, h >> 24) & 0xffu) * (1.0 / 255.0);
    float radius = random.w < share ? 0.48 - 0.36 * random.w / share : 0.0;
    vec3 from = (p - whole - (radius + (1.0 - 2.0 * radius) * random.xyz)) * (1.0 / max(radius, 1.0e-3));
    Ball ball;
    ball.value = clamp(1.6 - 1.6 * dot(from, from), 0.0, 1.0);
    ball.tone = 2.0 * fract(13.0 * random.x + 7.0 * random.z) - 1.0;
    ball.slope = -from * ball.value;
    return ball;
}

// Adds noise with features of 64 m to 6 cm, trees, bushes in cells of 3 m and 1.25 m, and stones and tufts in cells of
// 30 cm and less.  `at`: the place; `relative`: the same in metres from the camera.  Trees and the larger bushes stand
// in grids of a face of the cube, so those at its edges are cut.
void addNearPattern(EarthPlace at, vec3 relative, float footprint, inout LandPattern p)
{
    vec3 turnedBack = earth.east.xyz * relative.x + earth.north.xyz * relative.y + earth.up.xyz * relative.z;
    vec3 place = vec3(mod(earthCamera(), dvec3(20480.0lf))) + turnedBack;
    float show = shown(footprint, 1.0 / 64.0);
    vec4 groups = noiseInSpace(place, 1.0 / 64.0, vec2(0.8, 0.6), 63);
    // A unit of plants is 2^21 units of the lattice, about 20 km.
    vec2 plants = (vec2(at.whole & ((1 << 21) - 1)) + at.part) * exp2(-21.0);
    NearNoise near = nearNoise(place, plants, footprint);
    p.tree = near.tree;
    p.treesShow = plantsShown(footprint, length(relative), kTreeSize);
    p.dots.x = grown(near.bush, 0.3).height * plantsShown(footprint, length(relative), kBushSize);
    p.small += 0.42 * (groups.x - 0.5) * show + near.value;
    p.near = near.value;
    float stony = 0.05 + 0.7 * groups.x * groups.x;
    vec3 stones = vec3(0.0);
    float size = 1.25;
    int count = min(finerShown(footprint, 1.6 * size), 4);  // stones have 1.6 times the sizes that finerShown() counts
    for (int octave = 0; octave < count; ++octave, size *= octave == 1 ? 0.4 : 0.25)
    {
        bool bushes = octave == 0;
        vec3 frayed = place + (bushes ? 0.13 : 0.08) * size * near.bumps;  // neither bushes nor stones are round
        Ball ball = ballAt(frayed, int(20480.0 / size), bushes ? 0.7 : stony);
        float seen = shown(footprint, 1.0 / size);
        if (bushes) p.dots.x = max(p.dots.x, ball.value * seen);
        else p.dots.y += (0.6 * ball.tone - 0.2) * ball.value * seen;
        if (!bushes) stones += ball.slope * seen;
    }
    p.dots.y = max(p.dots.y, -0.8);
    p.small = clamp(p.small, -0.4, 1.4);
    p.bumps = turned(0.3 * groups.yzw * show + near.bumps + 3.5 * stones, earth.east, earth.north, earth.up);
}
#endif

// Returns the pattern at a place.  `relative`: metres from the camera; `footprint`: that of a pixel (metres).
LandPattern landPattern(EarthPlace place, vec3 relative, float footprint)
{
    LandPattern p;
#if defined(OROGEN_IMAGERY) && !defined(OROGEN_IMAGERY_MIXED)
    p.continent = p.region = p.country = 0.5;  // the imagery shows the differences
#else
    p.continent = latticeNoise(place, 26).x;
    p.region = mix(0.5, latticeNoise(place, 24).x, cellsShown(footprint, 24));
    p.country = mix(0.5, latticeNoise(place, 22).x, cellsShown(footprint, 22));
#endif
    vec3 county = latticeNoise(place, 20);
    float countyShows = cellsShown(footprint, 20);
    p.county = mix(0.5, county.x, countyShows);
    p.countySlope = county.yz * countyShows;
    vec3 field = latticeNoise(place, 17);
    float shows = cellsShown(footprint, 17);
    p.field = mix(0.5, field.x, shows);
    p.fieldSlope = field.yz * shows;
    p.small = 0.5;
    p.near = 0.0;
    p.dots = vec2(0.0);
    p.bumps = vec3(0.0);
#ifdef OROGEN_NEAR_DETAIL
    addNearPattern(place, relative, footprint, p);
#endif
    return p;
}

struct Land
{
    vec3 albedo;
    float rough;  // strength of the visible bumps
    float snow;   // share of snow and ice in the imagery
    vec2 slope;   // crowns' slope along the face's axes; see Crown
};

// Returns the land at a place.  `metres`: height above the sea, unscaled; `sine`: sine of the latitude; `rise`: slope
// (metres per metre).
Land landAt(float metres, float sine, float rise, LandPattern p)
{
    float fray = 0.31 * p.continent + 0.24 * p.region + 0.17 * p.country + 0.11 * p.county + 0.09 * p.field + 0.08 * p.small - 0.5;
    float near = 0.5 * p.county + 0.3 * p.field + 0.2 * p.small;
    float latitude = degrees(asin(clamp(abs(sine), 0.0, 1.0)));
    float warmth = 28.5 - 42.0 * sine * sine - 0.0048 * max(metres, 0.0) + 9.0 * fray;  // annual mean (Celsius)
    float dry = 0.62 * exp(-pow((latitude - 23.0) / 10.0, 2.0)) + 1.9 * fray + 0.20 - 0.22 * exp(-pow(latitude / 10.0, 2.0));
    dry += 0.16 * smoothstep(1500.0, 4000.0, metres);

    float grain = 0.55 + 0.9 * p.small;
    vec3 jungle = mix(vec3(0.026, 0.044, 0.018), vec3(0.040, 0.060, 0.024), near) * grain;
    vec3 savanna = mix(vec3(0.125, 0.112, 0.055), vec3(0.088, 0.092, 0.042), near) * grain;
    vec3 desert = mix(vec3(0.290, 0.205, 0.118), vec3(0.215, 0.152, 0.090), near) * (0.72 + 0.56 * p.small);
    vec3 woods = mix(vec3(0.034, 0.050, 0.024), vec3(0.078, 0.088, 0.040), near) * grain;
    vec3 steppe = mix(vec3(0.150, 0.138, 0.076), vec3(0.108, 0.110, 0.060), near) * grain;
    vec3 taiga = mix(vec3(0.036, 0.050, 0.034), vec3(0.060, 0.066, 0.042), near) * grain;
    vec3 tundra = mix(vec3(0.150, 0.138, 0.108), vec3(0.100, 0.098, 0.074), near) * grain;
    vec3 rock = mix(vec3(0.190, 0.172, 0.152), vec3(0.118, 0.108, 0.100), p.field) * (0.65 + 0.7 * p.small);
    vec3 snow = vec3(0.78, 0.82, 0.87);

    vec3 hot = mix(mix(jungle, savanna, smoothstep(0.10, 0.42, dry)), desert, smoothstep(0.52, 0.88, dry));
    vec3 mild = mix(woods, steppe, 0.75 * smoothstep(0.22, 0.66, dry));
    vec3 albedo = mix(mild, hot, smoothstep(13.0, 20.0, warmth));
    albedo = mix(mix(tundra, taiga, smoothstep(-6.0, -2.0, warmth)), albedo, smoothstep(2.0, 8.0, warmth));
    float bare = smoothstep(0.42, 0.95, rise + 0.22 * (near - 0.5) + 0.12 * smoothstep(1800.0, 3500.0, metres));
    albedo = mix(albedo, rock, bare);
    float cold = (1.0 - smoothstep(-13.5, -9.5, warmth)) * (1.0 - smoothstep(0.75, 1.25, rise));
    Land land;
    land.albedo = mix(albedo, snow, cold);
    land.rough = mix(0.22, 0.42, bare) * (1.0 - 0.85 * cold);
    land.snow = 0.0;
    land.slope = vec2(0.0);
    return land;
}

// Returns the colour of the sea floor, mud and rock, which is darker with depth.  `metres`: height above the sea,
// negative below it.
vec3 seaFloor(float metres, float rise, LandPattern p)
{
    vec3 mud = mix(vec3(0.150, 0.142, 0.120), vec3(0.056, 0.062, 0.074), smoothstep(0.0, 5200.0, -metres));
    return mix(mud, vec3(0.052, 0.050, 0.050), smoothstep(0.10, 0.45, rise)) * (0.8 + 0.4 * (0.6 * p.county + 0.4 * p.field));
}

#endif
