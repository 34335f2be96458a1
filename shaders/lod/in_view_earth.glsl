// Culling of leaves on the Earth: tests their bounds against the frustum and the horizon.
//
// Needs in scope: lod.glsl and its requirements.
#ifndef OROGEN_IN_VIEW_EARTH_GLSL
#define OROGEN_IN_VIEW_EARTH_GLSL

#include "shaders/pool/cube_leaf.glsl"

// Bounding sphere of a leaf and everything drawn for it.
struct LeafSphere
{
    vec3 centre;    // metres from the camera, like surfaceRelative()
    float radius;   // metres
    float highest;  // top of the ground (metres above the ellipsoid, scaled: see surface.glsl)
    dvec3 n;        // scaledDirection() of the centre: unit vector where the ellipsoid is the unit sphere
    float spread;   // horizontal part of the radius, on that unit sphere
};

LeafSphere leafSphere(Lattice apex, Lattice base0, Lattice base1)
{
    uvec2 low = min(onSquare(apex), min(onSquare(base0), onSquare(base1)));
    uvec2 high = max(onSquare(apex), max(onSquare(base0), onSquare(base1)));
    vec2 range = heightRange(beside(apex, low), beside(apex, high));
    float middle = 0.5 * (range.x + range.y);
    LeafSphere sphere;
    sphere.n = scaledDirection(cubePoint(latticeMiddle(base0, base1)));
    vec3 centre = offsetFrom(earthCamera(), sphere.n, middle);
    sphere.centre = turned(centre, earth.east, earth.north, earth.up);
    sphere.highest = range.y;
    // Bound of the distance from the base's middle to any corner, by the largest length of a lattice unit on the Earth.
    // Computing the corners' positions would triple the cost.  The factor 1.02 below is a margin.
    float across = 0.5 * kLongestUnit * earth.figure.x * length(vec2(base0.xy) - vec2(base1.xy));
    sphere.radius = 1.02 * across + 0.5 * (range.y - range.x);
    sphere.spread = 1.02 * across / float(kPoleRadius);
    return sphere;
}

// Returns the angle at the Earth's centre (radians) between a point and its horizon on a sphere of radius 1 +
// `lowered`.  1 + `squared`: the point's squared distance from the centre.  Lengths are in Earth radii.
float toHorizon(float squared, float lowered)
{
    float beyond = squared - lowered * (2.0 + lowered);
    return atan(sqrt(max(beyond, 0.0)) / (1.0 + lowered));
}

// Returns whether the lowest ground hides the whole sphere, even its highest point, behind the horizon.
bool behindHorizon(LeafSphere sphere)
{
    dvec3 camera = earthCamera() / dvec3(kEquatorRadius, kEquatorRadius, kPoleRadius);
    float squared = float(dot(camera, camera) - 1.0lf);
    float least = min(max(earth.figure.z, seaLevel() * terrain.pixelSize.z), 0.0);
    float lowered = least / float(kPoleRadius), raised = max(sphere.highest, 0.0) / float(kPoleRadius);
    if (squared <= lowered * (2.0 + lowered)) return false;  // the camera is below the lowest ground
    float horizon = toHorizon(squared, lowered) + toHorizon(raised * (2.0 + raised), lowered);
    float chord = length(vec3(sphere.n - normalize(camera)));
    return 2.0 * asin(min(0.5 * chord, 1.0)) - 2.0 * asin(min(0.5 * sphere.spread, 1.0)) > horizon;
}

// Returns whether a leaf with these corners is in view; `margin`: see inView().
bool inFrustum(Lattice apex, Lattice base0, Lattice base1, float margin)
{
    LeafSphere sphere = leafSphere(apex, base0, base1);
    float least = margin * (1.0 + length(sphere.centre)) - sphere.radius;
    for (int i = 0; i < kFrustumPlanes; ++i)
        if (dot(frame.frustum[i].xyz, sphere.centre) + frame.frustum[i].w < least) return false;
    return !behindHorizon(sphere);
}

// Returns whether a leaf's bounding sphere reaches into the frustum by more than `margin` (share of the distance), and
// rises above the horizon.
bool inView(CubeLeaf leaf, float margin)
{
    int face = cubeLeafFace(leaf.shape);
    return inFrustum(ivec3(leaf.apex, face), ivec3(cubeLeft(leaf), face), ivec3(cubeRight(leaf), face), margin);
}

#endif
