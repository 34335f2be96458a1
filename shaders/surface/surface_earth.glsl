// The surface of the Earth: the ellipsoid WGS 84, mapped from the cube, and positions relative to a camera.
// core/planet/cube_lattice.h defines the mapping and computes the same on the CPU.  Positions called relative are
// metres from the camera along the camera's east, north and up.
//
// Positions are in double precision, with an error of about 3e-9 m, until the camera's position is subtracted.  Then
// they are in single precision.  Results depend on cube points (lattice.glsl), not on faces, so that all triangles that
// touch a point agree.  `precise` makes all programs compute equal bits.
//
// Must be in scope: lattice.glsl, diamond.glsl.
#ifndef OROGEN_SURFACE_EARTH_GLSL
#define OROGEN_SURFACE_EARTH_GLSL

#ifndef OROGEN_TAKES_UNIFORMS
layout(std140, binding = kEarthBinding) uniform EarthBlock { EarthUniforms earth; };
#endif

const double kEquatorRadius = 6378137.0lf, kPoleRadius = 6356752.314245lf;
const float kFlatness = 1.0033640898;  // kEquatorRadius / kPoleRadius
const float kSagOfSquare = 1.97e-8;    // sagitta of a chord of 1 m: 1 / (8 R), R: the least radius of curvature
const float kMorphShare = 0.95;        // see baseMetres()
const float kShortestUnit = 0.65, kLongestUnit = 1.25;  // bounds of a lattice unit's length, in units of earth.figure.x

double wordsToDouble(uvec2 words) { return packDouble2x32(words); }
dvec3 earthCamera() { return dvec3(wordsToDouble(earth.cameraXY.xy), wordsToDouble(earth.cameraXY.zw), wordsToDouble(earth.cameraZ.xy)); }
dvec3 earthFoot() { return dvec3(wordsToDouble(earth.footXY.xy), wordsToDouble(earth.footXY.zw), wordsToDouble(earth.footZ.xy)); }
dvec3 earthLodCamera() { return dvec3(wordsToDouble(earth.lodCameraXY.xy), wordsToDouble(earth.lodCameraXY.zw), wordsToDouble(earth.lodCameraZ.xy)); }

// Returns a cube coordinate (-1 ... 1), warped so that areas of lattice cells differ less on the Earth.
double warped(double c)
{
    precise double r = c * (0.75lf + 0.25lf * (c * c));
    return r;
}

// Returns the unit vector to a cube point, in the space where the ellipsoid is the unit sphere.  `n` below is this
// vector.
dvec3 scaledDirection(ivec3 cube)
{
    precise dvec3 c = dvec3(cube) * 1.862645149230957e-09lf;  // 2^-29
    precise dvec3 w = dvec3(warped(c.x), warped(c.y), warped(c.z));
    precise double squared = w.x * w.x + w.y * w.y + w.z * w.z;
    precise double scale = 1.0lf / sqrt(squared);
    precise dvec3 n = w * scale;
    return n;
}

// Returns the point of the ellipsoid in the direction of `n` (earth-fixed, metres).
dvec3 onEllipsoid(dvec3 n)
{
    precise dvec3 p = dvec3(kEquatorRadius * n.x, kEquatorRadius * n.y, kPoleRadius * n.z);
    return p;
}

// Returns the unit normal of the ellipsoid, earth-fixed.
vec3 normalOf(dvec3 n)
{
    precise vec3 up = vec3(float(n.x), float(n.y), float(n.z) * kFlatness);
    precise float squared = up.x * up.x + up.y * up.y + up.z * up.z;
    precise float scale = 1.0 / sqrt(squared);
    precise vec3 unit = up * scale;
    return unit;
}

// Returns normalOf() with an error of 1e-13: a normal in single precision, multiplied by a mountain's height, would be
// off by half a millimetre.  `scale` is the series of 1 / sqrt(1 + x).
dvec3 upOf(dvec3 n)
{
    precise dvec3 up = dvec3(n.x, n.y, n.z * 1.0033640898210048lf);
    precise double x = n.z * n.z * 0.006739496742333317lf;
    precise double scale = 1.0lf + x * (-0.5lf + x * (0.375lf + x * (-0.3125lf + x * (0.2734375lf - x * 0.24609375lf))));
    precise dvec3 unit = up * scale;
    return unit;
}

// Converts an earth-fixed offset to the axes given as rows.
vec3 turned(vec3 offset, vec4 east, vec4 north, vec4 up)
{
    precise float x = east.x * offset.x + east.y * offset.y + east.z * offset.z;
    precise float y = north.x * offset.x + north.y * offset.y + north.z * offset.z;
    precise float z = up.x * offset.x + up.y * offset.y + up.z * offset.z;
    return vec3(x, y, z);
}

// Returns the offset from `origin` to the surface point at `height` (earth-fixed, metres).
vec3 offsetFrom(dvec3 origin, dvec3 n, float height)
{
    precise dvec3 up = onEllipsoid(n) + upOf(n) * double(height);
    precise vec3 offset = vec3(up - origin);
    return offset;
}

// Returns the position of a point at `height` (metres, scaled) relative to the camera.
vec3 surfaceRelative(Lattice point, float height)
{
    return turned(offsetFrom(earthCamera(), scaledDirection(cubePoint(point)), height), earth.east, earth.north, earth.up);
}

// Returns the position of a point relative to the LOD camera, which the triangulation was made for.
vec3 surfaceFromLodCamera(Lattice point, float height)
{
    return turned(offsetFrom(earthLodCamera(), scaledDirection(cubePoint(point)), height), earth.lodEast, earth.lodNorth, earth.lodUp);
}

// surfaceUp() and surfaceUpFromLodCamera() return the vertical at a point, in the axes of surfaceRelative() and of
// surfaceFromLodCamera().
vec3 surfaceUp(Lattice point) { return turned(normalOf(scaledDirection(cubePoint(point))), earth.east, earth.north, earth.up); }
vec3 surfaceUpFromLodCamera(Lattice point)
{
    return turned(normalOf(scaledDirection(cubePoint(point))), earth.lodEast, earth.lodNorth, earth.lodUp);
}

// Returns the offset to a point at height 0 from the ellipsoid's point below the camera (metres, earth-fixed).  Tiles
// are chosen by this offset (tile_place.glsl).
vec3 surfaceFromFoot(Lattice point)
{
    precise vec3 offset = vec3(onEllipsoid(scaledDirection(cubePoint(point))) - earthFoot());
    return offset;
}

// Returns the squared length of the base that a vertex splits, on the ellipsoid (metres squared).
float squaredBase(Lattice vertex, LebEdge base)
{
    precise vec3 along = surfaceFromFoot(beside(vertex, base.high)) - surfaceFromFoot(beside(vertex, base.low));
    precise float squared = along.x * along.x + along.y * along.y + along.z * along.z;
    return squared;
}

// Returns the sagitta of a base: how far its middle lies below the ellipsoid (metres).
float baseSag(Lattice vertex, LebEdge base) { return squaredBase(vertex, base) * kSagOfSquare; }

// Returns a lower bound (metres) of 2^-patchLevel times the base of the leaf whose split inserts a vertex.  In lattice
// units, the base that the vertex splits has exactly this length.  But lattice units differ in length within a leaf;
// kMorphShare allows for that.
float baseMetres(Lattice vertex) { return sqrt(squaredBase(vertex, diamondBase(onSquare(vertex)))) * kMorphShare; }

#endif
