// The location of a point of the picture on the Earth: height above the ellipsoid, vertical, and place on the cube.
// Computed in double precision, since heights are small against the Earth's radius.
//
// Must be in scope: surface.glsl of the Earth, earth_place.glsl.
#ifndef OROGEN_EARTH_POINT_GLSL
#define OROGEN_EARTH_POINT_GLSL

struct EarthPoint
{
    EarthPlace place;
    float height;  // metres above the ellipsoid
    vec3 up;       // the vertical: unit vector along the camera's east, north and up
};

// Computes the inverse of warped() by Newton's method, to 1e-15; the slope of warped() is at least 3/4.  Single
// precision is enough for the first steps.
double unwarped(double w)
{
    float near = float(w);
    for (int i = 0; i < 4; ++i)
        near -= (near * (0.75 + 0.25 * near * near) - float(w)) / (0.75 + 0.75 * near * near);
    double c = double(near);
    for (int i = 0; i < 2; ++i)
        c -= (warped(c) - w) / (0.75lf + 0.75lf * c * c);
    return c;
}

EarthPlace earthPlaceOf(dvec3 n)
{
    dvec3 size = abs(n);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    EarthPlace place;
    place.face = 2 * axis + (n[axis] > 0.0lf ? 1 : 0);
    ivec3 axes = faceAxes(place.face);
    double halfSide = double(1 << (kCubeLatticeBits - 1u));
    dvec2 at = dvec2(unwarped(n[axes.x] / size[axis]), unwarped(n[axes.y] / size[axis])) * halfSide + halfSide;
    dvec2 whole = clamp(floor(at), dvec2(0.0lf), dvec2(2.0lf * halfSide - 1.0lf));
    place.whole = ivec2(whole);
    place.part = clamp(vec2(at - whole), 0.0, 1.0);
    return place;
}

// Each iteration of earthPoint() reduces the error of the point's foot on the ellipsoid to 1/300 or less.  The first
// foot is up to 30 m off, under the highest mountains.
#ifndef OROGEN_EARTH_POINT_STEPS
#define OROGEN_EARTH_POINT_STEPS 4
#endif

EarthPoint earthPoint(vec3 relative)
{
    const dvec3 perRadius = 1.0lf / dvec3(kEquatorRadius, kEquatorRadius, kPoleRadius);
    dvec3 at = earthCamera() + dvec3(earth.east.xyz) * double(relative.x) + dvec3(earth.north.xyz) * double(relative.y) +
               dvec3(earth.up.xyz) * double(relative.z);
    dvec3 n = normalize(at * perRadius), normal;
    double height = 0.0lf;
    for (int i = 0; i < OROGEN_EARTH_POINT_STEPS; ++i)
    {
        normal = normalize(n * perRadius);
        height = dot(at - onEllipsoid(n), normal);
        n = normalize((at - normal * height) * perRadius);
    }
    EarthPoint point;
    point.place = earthPlaceOf(n);
    point.height = float(height);
    point.up = turned(vec3(normal), earth.east, earth.north, earth.up);
    return point;
}

#endif
