// Shades the ground of the Earth, and the sea over it, once per pixel.  The place comes from the depth of the drawn
// triangles, the ground from the data; the triangles' normals are not used.  Water is where the data lie below the sea
// level, whatever the triangulation: the shoreline follows the data.
//
// Features are compiled in, as in terrain.frag: OROGEN_SHADING is the number of the mode; OROGEN_SEA, OROGEN_AIR,
// OROGEN_DETAIL, OROGEN_NEAR_DETAIL, OROGEN_SHADOWS, OROGEN_IMAGERY (OROGEN_IMAGERY_MIXED: translucent;
// OROGEN_IMAGERY_FINER: with pictures finer than the lowest layer), OROGEN_RAMP, OROGEN_CONTOURS, OROGEN_WIREFRAME and
// OROGEN_FROZEN are defined if the feature is on.
#ifndef OROGEN_COMPUTE
#define OROGEN_TAKES_UNIFORMS
#endif
#include "shaders/frame.glsl"
#include "shaders/pixel_uniforms.glsl"

layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/earth/earth_ground.glsl"
#include "shaders/air/air_table.glsl"
#include "shaders/shading/tone.glsl"
#include "shaders/shading/tints.glsl"
#include "shaders/earth/earth_pattern.glsl"
#include "shaders/earth/earth_land.glsl"
#include "shaders/earth/earth_sea.glsl"
#include "shaders/earth/earth_shadow.glsl"
#ifdef OROGEN_IMAGERY
#include "shaders/shading/cover.glsl"
#include "shaders/imagery/imagery_tiles.glsl"
#include "shaders/earth/earth_imagery.glsl"
#endif
#define OROGEN_EARTH_POINT_STEPS 2  // steps that find the place to half a millimetre
#include "shaders/earth/earth_point.glsl"
#include "shaders/shading/pixel.glsl"
#include "shaders/shading/marks.glsl"

#ifndef OROGEN_SHADING
#define OROGEN_SHADING 0
#endif

// The data and place of this pixel.
struct GroundPoint
{
    EarthPlace place;
    EarthTangents axes;
    float drawn;        // metres above the ellipsoid, of the drawn ground
    float data;         // metres above the ellipsoid, unscaled
    float height;       // `data` plus procedural detail
    float climate;      // height for the colours of land: `height` near the camera, `data` far away
    vec2 dataGradient;  // metres per metre along axes.e1 and axes.e2, unscaled
    vec2 gradient;      // dataGradient, scaled, plus procedural detail
    vec2 madeGradient;  // the part of `gradient` that procedural detail adds
    vec3 normal;
    float footprint;  // metres that a pixel covers
    float lie;        // -1 in valleys of the procedural detail, 1 on its ridges
};

GroundPoint groundPoint()
{
    GroundPoint point;
    EarthPoint seen = earthPoint(relative);
    point.place = seen.place;
    point.drawn = seen.height;
    point.axes = earthTangents(point.place);
    point.footprint = footprintOf(relativeAcross, relativeAlong);
    EarthGround ground = earthGround(point.place, point.axes, footprintLevel(relativeAcross, relativeAlong), point.footprint);
    point.data = point.height = point.climate = ground.height;
    point.dataGradient = ground.gradient;
    point.gradient = ground.gradient * terrain.pixelSize.z;
    point.madeGradient = vec2(0.0);
    point.lie = 0.0;
#ifdef OROGEN_DETAIL
    point.lie = ground.lie;
    point.madeGradient = ground.madeGradient * terrain.pixelSize.z;
    point.gradient += point.madeGradient;
    point.height += ground.made;
    point.climate = mix(point.height, point.data, smoothstep(350.0, 1100.0, point.footprint));
#endif
    point.normal = normalOfGradient(point.axes, point.gradient);
    return point;
}

float seaHeight() { return earth.sea.x / max(terrain.pixelSize.z, 1.0e-6); }  // metres, unscaled

// Returns the change of a height with this gradient from pixel to pixel: the sum of the changes along x and along y.
float changePerPixel(GroundPoint point, vec2 gradient)
{
    vec2 across = vec2(dot(relativeAcross, point.axes.e1), dot(relativeAcross, point.axes.e2));
    vec2 along = vec2(dot(relativeAlong, point.axes.e1), dot(relativeAlong, point.axes.e2));
    return abs(dot(gradient, across)) + abs(dot(gradient, along));
}

// Returns the metres by which the height changes over the pixel, unscaled.
float heightSpan(GroundPoint point) { return changePerPixel(point, point.gradient) / max(terrain.pixelSize.z, 1.0e-6); }

// Returns the share of the pixel that is water.  Flat ground at the sea level is land.  `span`: from heightSpan().
float seaShare(GroundPoint point, float span)
{
    return clamp((seaHeight() - point.height - 0.02) / max(span, 1.0e-4) + 0.5, 0.0, 1.0);
}

// Converts a direction to its components along east, north and up at the place.
vec3 compassOf(vec3 direction, EarthTangents axes)
{
    vec3 axis = vec3(earth.east.z, earth.north.z, earth.up.z), across = cross(axis, axes.up);
    vec3 east = across * inversesqrt(max(dot(across, across), 1.0e-8));
    return vec3(dot(direction, east), dot(direction, cross(axes.up, east)), dot(direction, axes.up));
}

#if OROGEN_SHADING == 0
#ifndef OROGEN_IMAGERY
struct EarthImagery
{
    float unused;
};
#endif

// Light of sun and moon, reduced by the shadows of the relief.
struct DirectLight
{
    vec3 sun;    // on a surface that faces the sun
    float moon;  // share of the moon that shows
};

vec3 lightOn(vec3 normal, AirPlace place, DirectLight direct)
{
    return direct.sun * max(dot(normal, frame.sunDirection.xyz), 0.0) + moonlightAt(place, normal) * direct.moon;
}

// Returns the light of a night seen from far away: airglow and stars.  With its true strength it would be invisible at
// the exposure for the day side.  It is scaled so that it shows at any exposure.
vec3 nightGlow(float sunUp)
{
    return vec3(0.08, 0.105, 0.18) / frame.exposure * (1.0 - smoothstep(-0.20, 0.20, sunUp));
}

// Returns the brightness of ground with this gradient, exaggerated `times` times and lit from the north-west, as on
// maps (1: flat).
float mapShade(GroundPoint point, vec2 gradient, float times, float strength)
{
    vec3 steep = compassOf(normalOfGradient(point.axes, times * gradient), point.axes);
    return 1.0 + strength * (directRelief(steep) - directRelief(vec3(0.0, 0.0, 1.0)));
}

vec3 litLand(GroundPoint point, EarthImagery seen, LandPattern pattern, AirPlace air, DirectLight direct, vec3 glow)
{
    float sine = dot(point.axes.up, vec3(earth.east.z, earth.north.z, earth.up.z));
    float rise = length(point.gradient);
    // On the coast, the land in a pixel lies above the sea level.
    float metres = earth.sea.y > 0.5 ? max(point.climate, seaHeight()) : point.climate;
#ifdef OROGEN_IMAGERY
    vec3 axis = vec3(earth.east.z, earth.north.z, earth.up.z);
    float shady = -dot(point.gradient, vec2(dot(axis, point.axes.e1), dot(axis, point.axes.e2))) * sign(sine);
    Land land = imageryLand(seen, metres, sine, rise, shady, point.lie, point.footprint, pattern);
#ifdef OROGEN_IMAGERY_MIXED
    land.albedo = mix(landAt(metres, sine, rise, pattern).albedo, land.albedo, cover.imagery.x);
    land.slope *= cover.imagery.x;
#endif
#else
    Land land = landAt(metres, sine, rise, pattern);
#endif
    float isLand = smoothstep(-20.0, 0.0, metres);
    vec3 albedo = mix(seaFloor(metres, rise, pattern), land.albedo, isLand);
    // Seen from space, ice sheets are flat and white, so an exaggerated relief hints at their shape.
    float sheet = land.snow * smoothstep(700.0, 4000.0, point.footprint);
    if (sheet > 0.0)
        albedo *= mix(1.0, clamp(mapShade(point, point.dataGradient, 24.0, 1.2), 0.72, 1.0), sheet);
    pattern.bumps += 3.5 * isLand * (land.slope.x * point.axes.e1 + land.slope.y * point.axes.e2);
    vec3 along = pattern.bumps - dot(pattern.bumps, point.normal) * point.normal;
    vec3 normal = normalize(point.normal - along * (0.5 * land.rough));
    vec3 sky = skylightAt(air) * (0.5 + 0.5 * dot(normal, point.axes.up));
    return albedo * (lightOn(normal, air, direct) + sky + glow);
}

// Returns the brightness of the sea floor by its relief (1: flat), lit from the north-west with slopes five times
// exaggerated.
float floorShade(GroundPoint point)
{
    return clamp(mapShade(point, point.gradient, 5.0, 1.6), 0.35, 1.8);
}

vec3 litSea(GroundPoint point, float span, LandPattern pattern, AirPlace air, DirectLight direct, vec3 glow, float gusts)
{
    SeaSurface sea = seaSurface(point.place, point.footprint, gusts, seaShare(point, span) > 0.0);
    vec3 bottom = vec3(0.17, 0.16, 0.115) * (0.75 + 0.5 * pattern.field);
    float depth = max(seaHeight() - point.height, 0.0);
    float sine = dot(point.axes.up, vec3(earth.east.z, earth.north.z, earth.up.z));
    return seaRadiance(depth, span, floorShade(point), sine, bottom, normalOfGradient(point.axes, sea.slope), sea.variance, point.axes.up,
                       -relative / length(relative), air, direct.sun * glintShown(point.footprint), lightOn(point.axes.up, air, direct) + glow);
}

#ifdef OROGEN_IMAGERY
// Returns the share of ice on the sea.  Noise breaks up the edge of the ice into floes.
float iceShare(float ice, LandPattern pattern)
{
    float fray = 0.6 * pattern.county + 0.4 * pattern.field - 0.5;
    return smoothstep(0.30, 0.62, ice + 0.5 * fray * (1.0 - abs(2.0 * ice - 1.0)));
}

// Returns the floe of ice at a place; floes are Voronoi cells of random points, one in each square of 2^bits units.  x:
// difference of the distances to the two nearest points (squares), 0 where floes touch; y: random number of the floe.
// `bent`: moves the place (squares).  If `shows` is false, the result is meaningless, and the loop over nine squares is
// skipped.
vec2 floeAt(EarthPlace place, int bits, vec2 bent, bool shows)
{
    vec2 at = (vec2(place.whole & ((1 << bits) - 1)) + place.part) * exp2(-float(bits)) + bent, whole = floor(at);
    ivec2 cell = (place.whole >> bits) + ivec2(whole);
    vec2 nearest = vec2(9.0);  // squared distances
    float age = 0.0;
    for (int i = 0, cells = shows ? 9 : 0; i < cells; ++i)
    {
        ivec2 beside = ivec2(i % 3 - 1, i / 3 - 1), own = cell + beside;
        uint h = (uint(own.x) * 0x8da6b343u) ^ (uint(own.y) * 0xd8163841u);
        h = (h ^ (h >> 13)) * 0x5bd1e995u;
        h ^= h >> 15;
        vec2 way = vec2(beside) + vec2(uvec2(h, h >> 8) & 0xffu) / 255.0 - (at - whole);
        float square = dot(way, way);
        if (square < nearest.x) age = float((h >> 16) & 0xffu) / 255.0;
        nearest = square < nearest.x ? vec2(square, nearest.x) : vec2(nearest.x, min(nearest.y, square));
    }
    return vec2(sqrt(nearest.y) - sqrt(nearest.x), age);
}

// Returns the radiance of ice on the sea.  Floes differ in age.  The leads (cracks) between them are open in some
// places, and frozen over or closed in others.
vec3 iceRadiance(GroundPoint point, LandPattern pattern, AirPlace air, DirectLight direct, vec3 glow, bool shows)
{
    vec2 bent = 0.10 * pattern.fieldSlope;
    vec2 fields = floeAt(point.place, 22, 0.3 * bent + 0.25 * vec2(pattern.county), shows), floes = floeAt(point.place, 20, 0.6 * bent, shows);
    float open = smoothstep(0.45, 0.80, latticeNoise(point.place, 23).x), narrow = smoothstep(0.35, 0.70, pattern.county);
    float lead = open * (1.0 - smoothstep(0.0, 0.012 + 0.040 * narrow, fields.x)) * cellsShown(point.footprint, 17);
    float frozen = (0.2 + 0.8 * narrow) * (1.0 - smoothstep(0.01, 0.05 + 0.05 * narrow, floes.x)) * cellsShown(point.footprint, 18);
    float age = 0.5 * fields.y + 0.3 * mix(0.5, floes.y, cellsShown(point.footprint, 20)) + 0.2 * pattern.field;
    vec3 albedo = vec3(0.56, 0.61, 0.67) * (0.74 + 0.52 * age) * (1.0 - 0.45 * frozen);
    albedo = mix(albedo, vec3(0.07, 0.10, 0.13), 0.85 * lead);
    return albedo * (lightOn(point.axes.up, air, direct) + skylightAt(air) + glow);
}
#endif

// Dims procedural detail in wide pixels, in some places.  From far away only its coarsest octaves show, and their even
// waves look like cloth.
void breakUpDetail(inout GroundPoint point, LandPattern pattern)
{
    float left = mix(1.0, min(0.45 + 0.90 * pattern.county, 1.0), smoothstep(60.0, 400.0, point.footprint));
    point.gradient -= (1.0 - left) * point.madeGradient;
    point.lie *= left;
    point.normal = normalOfGradient(point.axes, point.gradient);
}

vec3 shaded(GroundPoint point)
{
    // Seen from space, triangles lie up to kilometres below the curved surface.  So air and light use the data's
    // height.
    float meant = earth.sea.y > 0.5 ? max(point.height, seaHeight()) : point.height;
    vec3 raised = relative + point.axes.up * (meant * terrain.pixelSize.z - airPlaceOf(relative).height);
    AirPlace place = airPlaceOf(raised);
    float shown = lightShownAt(raised);
    DirectLight direct = DirectLight(sunlightAt(place) * mix(shown, 1.0, air.moon.w), mix(1.0, shown, air.moon.w));
    float span = heightSpan(point);
    LandPattern pattern = landPattern(point.place, relative, point.footprint);
    breakUpDetail(point, pattern);
    EarthImagery seen;
#ifdef OROGEN_IMAGERY
    seen = earthImagery(point.place, point.footprint, pattern);
#endif
    float sunUp = dot(place.up, air.sun.xyz);
    vec3 glow = nightGlow(sunUp), radiance = litLand(point, seen, pattern, place, direct, glow);
#ifdef OROGEN_IMAGERY
    radiance += cityLight(seen, point.place, point.footprint, pattern, sunUp) * cover.imagery.x;
#endif
#ifdef OROGEN_SEA
#ifdef OROGEN_IMAGERY
    float gusts = 2.6 * (seen.patches - 0.5);
#else
    float gusts = 2.1 * (pattern.county - 0.5) + 1.5 * (pattern.field - 0.5);
#endif
    vec3 sea = litSea(point, span, pattern, place, direct, glow, gusts);
#ifdef OROGEN_IMAGERY
    float ice = iceShare(seen.ice * cover.imagery.x, pattern);
    if (ice > 0.0) sea = mix(sea, iceRadiance(point, pattern, place, direct, glow, ice > 0.0), ice);
#endif
    radiance = mix(radiance, sea, seaShare(point, span));
#endif
#ifdef OROGEN_AIR
    radiance = throughTheAir(radiance, raised);
#endif
    return displayed(radiance);
}
#else
float relief(GroundPoint point) { return reliefShade(compassOf(point.normal, point.axes)); }

// Returns the vertical distance between the drawn point and the data in pixels, measured as the criterion `error` does.
float drawnError(GroundPoint point)
{
    float data = point.height;
    if (earth.sea.y > 0.5) data = max(data, seaHeight());
    float metres = abs(point.drawn - data * terrain.pixelSize.z);
    return metres * frame.pixelsPerRadian * length(cross(relative, point.axes.up)) / max(dot(relative, relative), 1.0e-12);
}

vec3 shaded(GroundPoint point)
{
#if OROGEN_SHADING == 1
    return vec3(dot(point.normal, point.axes.e1), dot(point.normal, point.axes.e2), dot(point.normal, point.axes.up)) * 0.5 + 0.5;
#elif OROGEN_SHADING == 2
    return slopeColour(length(point.gradient));
#elif OROGEN_SHADING == 3
    return earthColour(point.height) * relief(point);
#elif OROGEN_SHADING == 4
    return lodColour(markedDepth(), kDeepestEarthLevel) * relief(point);
#elif OROGEN_SHADING == 5
    float t = (log2(max(drawnError(point), 1.0e-6)) + 4.0) / 8.0;
    return ramp5(t, kErrorColours) * relief(point);
#elif OROGEN_SHADING == 6 || OROGEN_SHADING == 7  // drainage exists only for planes
    return vec3(reliefOf(compassOf(point.normal, point.axes)));
#else
#error OROGEN_SHADING is no mode that this shader draws
#endif
}
#endif

#ifdef OROGEN_CONTOURS
#include "shaders/shading/contours.glsl"

// Adds contour lines of the data; in shading mode 0 none on the sea.
vec3 contoured(vec3 shown, GroundPoint point)
{
    float scale = terrain.pixelSize.z;
    vec3 lined = withContours(shown, point.data * scale, changePerPixel(point, point.dataGradient) * scale);
#if defined(OROGEN_SEA) && OROGEN_SHADING == 0
    return mix(lined, shown, seaShare(point, heightSpan(point)));
#else
    return lined;
#endif
}
#endif

void main()
{
    if (!beginPixel()) return;
    seePixel();
    GroundPoint point = groundPoint();
    vec3 shown = shaded(point);
#ifdef OROGEN_CONTOURS
    shown = contoured(shown, point);
#endif
#ifdef OROGEN_WIREFRAME
    shown = withWire(shown);
#endif
#ifdef OROGEN_FROZEN
    if (outsideFrozenFrustum(relative)) shown *= vec3(0.52, 0.50, 0.57);
#endif
    show(shown);
}
