// The criterion `error` on the Earth: how large the vertical error of the two triangles at a base (their common longest
// edge) appears in the picture, in pixels.  Also the weights of a base in the criteria `error` and `edge`.  At an edge
// of the cube both faces compute the same bits.  All terms depend only on cube points and on all faces that touch these
// points, not on the order of the base's ends.
//
// A base outside the view or behind the horizon has a lower weight, so that leaves concentrate where they are visible.
// The weight is at least 1/4 outside the view and 1/8 behind the horizon.  So ground that comes into view already has a
// coarse shape.
//
// Positions are in double precision until the camera's position is subtracted, then in single precision.
//
// Needs in scope: the requirements of error_pixels.glsl.
#ifndef OROGEN_ERROR_PIXELS_EARTH_GLSL
#define OROGEN_ERROR_PIXELS_EARTH_GLSL

const float kOutOfView = 0.25, kBehindHorizon = 0.125;
const float kLeafReach = 0.75;           // bound of the distance of a base's two leaves from its middle (base lengths)
const float kMeanRadius = 6.371e6;       // metres
const float kLeastHighestGround = 9000;  // metres: the highest ground is assumed to be at least this high

// Base in an order of its ends that does not depend on the face.
struct LodBase
{
    Lattice low, high;
    dvec3 nLow, nHigh;  // scaledDirection() of low and high
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

// Returns smoothstep(0, 1, x).
float smoothShare(float x)
{
    float t = clamp(x, 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

// Returns the weight of a sphere by the view cone of the LOD camera, for which the triangulation was made.  The weight
// is 1 inside the cone, and falls to kOutOfView over about half a radian outside.  `middle`: earth-fixed, metres from
// the camera.
float viewWeight(vec3 middle, float radius)
{
    float distance = max(length(middle), 1.0e-3);
    float ahead = dot(middle, earth.lodView.xyz), aside = sqrt(max(distance * distance - ahead * ahead, 0.0));
    float cosine = earth.lodView.w, sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    float outside = ahead * cosine + aside * sine < 0.0 ? distance : aside * cosine - ahead * sine;  // metres
    return mix(1.0, kOutOfView, smoothShare(2.0 * (outside - radius) / distance));
}

// Returns the weight of a base by the angle at the Earth's centre between camera and base.  Up to some angle, the
// highest ground still rises above the horizon.  The weight falls from 1 to kBehindHorizon between 1 and 1.5 times that
// angle.
float horizonWeight(LodBase base)
{
    float rise = max(earth.figure.w, kLeastHighestGround) / kMeanRadius;
    float squared = (earth.lodScaled.w + 1.0) * (1.0 + rise) * (1.0 + rise) - 1.0;  // squared distance (radii) - 1
    float horizon = atan(sqrt(max(squared, 0.0))) + sqrt(2.0 * rise);
    vec3 low = vec3(base.nLow), high = vec3(base.nHigh);
    float chord = length(normalize(low + high) - normalize(earth.lodScaled.xyz));
    float nearest = 2.0 * asin(min(0.5 * chord, 1.0)) - kLeafReach * length(high - low);
    return mix(1.0, kBehindHorizon, smoothShare(2.0 * (nearest / horizon - 1.0)));
}

// Returns the weight of a base in both criteria; a and b: its ends (earth-fixed, metres from the LOD camera).
float lodWeight(LodBase base, vec3 a, vec3 b)
{
    return min(viewWeight(0.5 * (a + b), kLeafReach * length(b - a)), horizonWeight(base));
}

// Returns the lowest and the highest height that can be drawn over a box of one face (metres, scaled: see
// surface.glsl).
vec2 heightRange(Lattice low, Lattice high)
{
    vec2 range = groundRange(low, high);
#ifdef OROGEN_DETAIL
    float reach = detailReach(low, high);
    range = max(range + vec2(-reach, reach), vec2(seaLevel()));
#endif
    return range * terrain.pixelSize.z;
}

// Returns groundRange() over all leaves whose base has this middle, on all faces that they touch.  `radius`: how far
// the leaves extend from the middle (lattice units).
vec2 diamondRange(Lattice middle, uint radius)
{
    ivec3 cube = cubePoint(middle);
    uint side = 1u << kDrawLatticeBits;
    vec2 range = vec2(1.0e30, -1.0e30);
    for (int faces = facesTouching(cube); faces != 0; faces &= faces - 1)
    {
        Lattice here = placeOnFace(cube, findLSB(faces));
        uvec2 at = onSquare(here);
        vec2 own = groundRange(beside(here, at - min(at, uvec2(radius))), beside(here, min(at + radius, uvec2(side))));
        range = vec2(min(range.x, own.x), max(range.y, own.y));
    }
    return range;
}

// Returns the criterion `error` of the base with this middle (pixels), times the base's weight.  An error seen at
// horizontal distance h and vertical distance v covers error * h / (h^2 + v^2) radians.  The criterion is the largest
// value around the base's leaves (derivation: error_pixels_plane.glsl).  Uses the vertical of the middle; within the
// leaves the vertical tilts by at most `lean` (radians), which adds at most error * lean / distance.
float errorPixels(Lattice middle)
{
    uvec2 square = onSquare(middle);
    LebEdge ends = diamondBase(square);
    LodBase base = lodBase(beside(middle, ends.low), beside(middle, ends.high));
    dvec3 n = scaledDirection(cubePoint(middle));
    vec3 up = normalOf(n), at = offsetFrom(earthLodCamera(), n, 0.0);
    vec3 a = offsetFrom(earthLodCamera(), base.nLow, 0.0), b = offsetFrom(earthLodCamera(), base.nHigh, 0.0);
    float radius = kLeafReach * length(b - a), lean = radius / kMeanRadius;
    vec2 range = diamondRange(middle, 1u << diamondUnitBits(square));
#ifdef OROGEN_DETAIL
    DetailBounds bounds = detailBounds(middle, frame.patchLevel);
    range = max(range + vec2(-bounds.reach, bounds.reach), vec2(seaLevel()));
#endif
    range = range * terrain.pixelSize.z + dot(at, up);
    range.x -= 0.5 * radius * lean;  // curvature of the surface
    float aside = length(at - up * dot(at, up)), nearestH = max(aside - radius, 0.0);
    float v = max(max(range.x, -range.y), 0.125);
    float h = clamp(v, nearestH, aside + radius);
    float seen = h / (h * h + v * v) + lean * inversesqrt(nearestH * nearestH + v * v);
    float scale = terrain.pixelSize.z * frame.lodFraction.w * seen;
    float pixels = leafError(middle, frame.patchLevel) * scale;
#ifdef OROGEN_DETAIL
    float basePixels = length(b - a) * frame.lodFraction.w * inversesqrt(nearestH * nearestH + v * v);
    // The mesh need not show detail where drawn edges are shorter than the setting earth.detail_edge (pixels); the
    // shading does.  So the detail's error is limited to detailPerEdge per pixel of a drawn edge.  At an edge of that
    // length the limit equals the threshold.
    float made = min(bounds.error * scale,
                     basePixels / float(1u << frame.patchLevel) * frame.detailPerEdge);
    pixels = withDetailError(pixels, made);
#endif
    return pixels * lodWeight(base, a, b);
}

#endif
