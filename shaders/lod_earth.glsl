// Level of detail on the Earth: the measures of lod.glsl of a base, given by its ends on one face.  Both faces that a
// base on an edge of the cube belongs to come to the same bits: everything is a function of cube points, of all faces
// that these are on, and symmetric in the ends.
//
// A base that lies outside the view or behind the horizon counts less, so that leaves are where they are seen, and no
// less than a quarter or an eighth, so that what turns into view is there in outline.
//
// Double precision up to the difference from the camera, the rest in float.
//
// Needs in scope: what lod.glsl needs.
#ifndef OROGEN_LOD_EARTH_GLSL
#define OROGEN_LOD_EARTH_GLSL

const float kOutOfView = 0.25, kBehindHorizon = 0.125;
const float kLeafReach = 0.75;           // of a base's length: no point of its two leaves is farther from its middle
const float kMeanRadius = 6.371e6;       // metres
const float kLeastHighestGround = 9000;  // metres: the horizon is raised by that at least

struct LodBase
{
    Lattice low, high;
    dvec3 nLow, nHigh;  // as scaledDirection()
};

LodBase lodBase(Lattice p, Lattice q)
{
    bool ordered = latticeBefore(p, q);
    LodBase base;
    base.low = ordered ? p : q;
    base.high = ordered ? q : p;
    base.nLow = scaledDirection(cubePoint(base.low));
    base.nHigh = scaledDirection(cubePoint(base.high));
    return base;
}

float smoothShare(float x)
{
    float t = clamp(x, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// `middle` and `radius` of what is looked at: earth-fixed metres from the camera.  Falls over half a radian.
float viewWeight(vec3 middle, float radius)
{
    float distance = max(length(middle), 1.0e-3);
    float ahead = dot(middle, earth.lodView.xyz), aside = sqrt(max(distance * distance - ahead * ahead, 0.0));
    float cosine = earth.lodView.w, sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    float outside = ahead * cosine + aside * sine < 0.0 ? distance : aside * cosine - ahead * sine;  // metres from the cone
    return mix(1.0, kOutOfView, smoothShare(2.0 * (outside - radius) / distance));
}

// Angles from the Earth's centre: to where ground of the greatest height still shows over the horizon, and to the base.
// Falls over half of the first.
float horizonWeight(LodBase base)
{
    float rise = max(earth.figure.w, kLeastHighestGround) / kMeanRadius;
    float squared = (earth.lodScaled.w + 1.0) * (1.0 + rise) * (1.0 + rise) - 1.0;  // of the camera's distance, less 1
    float horizon = atan(sqrt(max(squared, 0.0))) + sqrt(2.0 * rise);
    vec3 low = vec3(base.nLow), high = vec3(base.nHigh);
    float chord = length(normalize(low + high) - normalize(earth.lodScaled.xyz));
    float nearest = 2.0 * asin(min(0.5 * chord, 1.0)) - kLeafReach * length(high - low);
    return mix(1.0, kBehindHorizon, smoothShare(2.0 * (nearest / horizon - 1.0)));
}

// Of a base between these points, earth-fixed metres from the camera.
float lodWeight(LodBase base, vec3 a, vec3 b)
{
    return min(viewWeight(0.5 * (a + b), kLeafReach * length(b - a)), horizonWeight(base));
}

// Length over distance: the true projection is undefined behind the camera and next to nothing end-on.
// x: pixels at a distance of 1 m; y: the distance in metres.
vec2 edgeMeasure(Lattice p, Lattice q)
{
    LodBase base = lodBase(p, q);
    uint units = longerSide(p, q);
    vec3 a = offsetFrom(earthLodCamera(), base.nLow, lodHeight(base.low, units));
    vec3 b = offsetFrom(earthLodCamera(), base.nHigh, lodHeight(base.high, units));
    vec3 along = b - a;
    float t = clamp(-dot(a, along) / max(dot(along, along), 1.0e-12), 0.0, 1.0);
    float weight = lodWeight(base, a, b);
    return vec2(length(along) * frame.pixelsPerRadian * weight, max(length(a + t * along), 1.0e-3));
}

// Lowest and highest point that can be drawn over a box of one face.  Metres, scaled.
vec2 heightRange(Lattice low, Lattice high)
{
    vec2 range = groundRange(low, high);
#ifdef OROGEN_DETAIL
    float reach = detailReach(low, high);
    range = max(range + vec2(-reach, reach), vec2(seaLevel()));
#endif
    return range * terrain.pixelSize.z;
}

// The same over the leaves that share the base with this middle and are so wide and high.
vec2 diamondRange(Lattice middle, uint radius)
{
    ivec3 cube = cubePoint(middle);
    uint side = 1u << kDrawLatticeBits;
    vec2 range = vec2(1.0e30, -1.0e30);
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
    {
        Lattice here = placeOnFace(cube, findLSB(faces));
        uvec2 at = onSquare(here);
        vec2 own = heightRange(beside(here, at - min(at, uvec2(radius))), beside(here, min(at + radius, uvec2(side))));
        range = vec2(min(range.x, own.x), max(range.y, own.y));
    }
    return range;
}

// A vertical error seen at distance r, at an angle to the vertical, covers error * sin(angle) / r radians.  With h and v
// the horizontal and the vertical distance that is error * h / (h^2 + v^2): over a box it is largest at the least |v|,
// and there at h = |v| or next to that.  The vertical is that in the middle of the base; it leans by `lean` within the
// leaves at most.
float errorPixels(Lattice p, Lattice q)
{
    LodBase base = lodBase(p, q);
    Lattice middle = latticeMiddle(base.low, base.high);
    dvec3 n = scaledDirection(cubePoint(middle));
    vec3 up = normalOf(n), at = offsetFrom(earthLodCamera(), n, 0.0);
    vec3 a = offsetFrom(earthLodCamera(), base.nLow, 0.0), b = offsetFrom(earthLodCamera(), base.nHigh, 0.0);
    float radius = kLeafReach * length(b - a), lean = radius / kMeanRadius;
    vec2 range = diamondRange(middle, longerSide(p, q) / 2u) + dot(at, up);
    range.x -= 0.5 * radius * lean;  // the surface bends away
    float aside = length(at - up * dot(at, up)), nearestH = max(aside - radius, 0.0);
    float v = max(max(range.x, -range.y), 0.125);
    float h = clamp(v, nearestH, aside + radius);
    float seen = h / (h * h + v * v) + lean * inversesqrt(nearestH * nearestH + v * v);
    float error = leafError(middle, frame.patchLevel);
#ifdef OROGEN_DETAIL
    error += detailError(middle, frame.patchLevel);
#endif
    return error * terrain.pixelSize.z * frame.pixelsPerRadian * seen * lodWeight(base, a, b);
}

#endif
