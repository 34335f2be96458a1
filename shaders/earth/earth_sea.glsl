// Shading of the sea.  Needs in scope: `frame`, air.glsl, earth_pattern.glsl.
#ifndef OROGEN_EARTH_SEA_GLSL
#define OROGEN_EARTH_SEA_GLSL

#include "shaders/shading/mirror.glsl"

// Extinction in clear water of the tropics, and in the green water of other coasts (1 / metre).
const vec3 kSeaExtinction = vec3(0.42, 0.090, 0.066);
const vec3 kCoastExtinction = vec3(0.75, 0.34, 0.40);

struct SeaSurface
{
    vec2 slope;      // along the face's x and y
    float variance;  // variance of slopes too small for a pixel
};

// Returns the waves at a place: ripples of several sizes near the camera.  Those smaller than a pixel only widen
// reflections.  `gusts`: binary logarithm of the factor by which gusts roughen the sea.  If the pixel `shows` no sea,
// the slope is 0 and the loop is empty; a software rasteriser executes the body of an empty loop once.
SeaSurface seaSurface(EarthPlace place, float footprint, float gusts, bool shows)
{
    vec3 show = vec3(cellsShown(footprint, 11), cellsShown(footprint, 9), cellsShown(footprint, 7));
    SeaSurface sea;
    sea.slope = vec2(0.0);
    for (int i = 0, count = !shows ? 0 : show.z > 0.0 ? 3 : show.y > 0.0 ? 2 : 1; i < count; ++i)
        sea.slope += (i == 0 ? 0.022 * show.x : i == 1 ? 0.020 * show.y : 0.016 * show.z) * latticeNoise(place, 11 - 2 * i).yz;
    // Wind differs from place to place, so that the glint of the sun is not a disc.
    float calm = 0.58 * latticeNoise(place, 25).x + 0.42 * latticeNoise(place, 23).x;
    float wind = (0.60 + 0.80 * smoothstep(0.10, 0.90, calm)) * exp2(gusts);
    sea.variance = wind * frame.waveVariance * (0.10 + dot(1.0 - show * show, vec3(0.50, 0.27, 0.13)));
    return sea;
}

// Returns the share of the sun's glint that is shown.  From far away the full glint would hide coasts and shallows, so
// it is dimmed; its extent still follows from the waves.
float glintShown(float footprint) { return mix(1.0, 0.22, smoothstep(10.0, 500.0, footprint)); }

// Returns the mean of exp(-k depth) over a pixel, in which depths range over `span` metres around `depth`.  Seen from
// space, a pixel may cover a whole shelf.
vec3 meanDecay(vec3 k, float depth, float span)
{
    float least = max(depth - 0.5 * span, 0.0);
    vec3 x = max(k * (depth + 0.5 * span - least), vec3(1.0e-3));
    return exp(-k * least) * (1.0 - exp(-x)) / x;
}

// Returns the radiance of the sea over a floor of colour `bottom`.  `depth`: depth (metres), which changes by `span`
// over the pixel; `floorShade`: factor that hints at the floor's relief in deep water, as on maps; `sine`: sine of the
// latitude; `sunlight`: on a surface that faces the sun, for reflections; `direct`: light of sun and moon on the level
// sea.
vec3 seaRadiance(float depth, float span, float floorShade, float sine, vec3 bottom, vec3 normal, float variance, vec3 up, vec3 toEye, AirPlace place, vec3 sunlight, vec3 direct)
{
    float facing = max(dot(up, toEye), 1.0e-3);
    vec3 light = direct + skylightAt(place);
    float refracted = sqrt(1.0 - (1.0 - facing * facing) / 1.777);  // cosine of the ray in the water
    float green = smoothstep(0.36, 0.62, abs(sine));
    vec3 seen = meanDecay(mix(kSeaExtinction, kCoastExtinction, green) * (1.0 + 1.0 / refracted), depth, span);
    vec3 shallow = meanDecay(vec3(1.0 / 900.0, 1.0 / 45.0, 1.0), depth, span);
    vec3 body = mix(vec3(0.0022, 0.0085, 0.0230), vec3(0.0085, 0.034, 0.050), shallow.x);
    body = mix(body, mix(vec3(0.010, 0.048, 0.060), vec3(0.009, 0.034, 0.038), green), shallow.y) * floorShade;
    float mirror = waterFresnel(dot(normal, toEye));
    vec3 bounced = reflect(-toEye, normal);
    vec3 below = mix(body, bottom, seen) * light;
    vec3 sky = mirroredSky(skylightAt(place), sunlight, dot(bounced, up), dot(bounced, frame.sunDirection.xyz));
    return mix(below, sky, mirror) + sunGlint(normal, variance, up, toEye, sunlight);
}

#endif
