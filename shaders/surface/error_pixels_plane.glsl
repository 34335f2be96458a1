// The criterion `error` on a plane.  Needs in scope: the requirements of error_pixels.glsl.
#ifndef OROGEN_ERROR_PIXELS_PLANE_GLSL
#define OROGEN_ERROR_PIXELS_PLANE_GLSL

// Returns the lowest and the highest height that can be drawn over a box (metres, scaled: see surface.glsl).
vec2 heightRange(Lattice low, Lattice high)
{
    vec2 range = groundRange(low, high);
#ifdef OROGEN_DETAIL
    float reach = detailReach(low, high);
    range += vec2(-reach, reach);
#endif
    return range * terrain.pixelSize.z;
}

// The criterion `error` of a base, and values that bound its change when the camera moves.
struct SeenError
{
    float pixels;      // the criterion
    float atOneMetre;  // pixels of the error at a distance of 1 m, seen from the side
    float nearest;     // distance to the box of the base's leaves (metres)
};

const float kLeastRise = 0.125;  // minimum vertical distance that counts (metres): pixels never exceed 4 atOneMetre

// Returns the criterion `error` of the base with this middle.  A vertical error at distance r, seen at an angle to the
// vertical, covers error * sin(angle) / r radians.  With horizontal distance h and vertical distance v that is
// error * h / (h^2 + v^2).  The criterion is the largest value over a box around the base's two triangles.  The largest
// value lies at the smallest |v|, and there at the h of the box that is nearest to |v|.  The unit is the angle of a
// pixel in the picture's middle, so turning the camera changes nothing.
SeenError seenError(Lattice middle)
{
    uvec2 square = onSquare(middle);
    uint radius = 1u << diamondUnitBits(square);
    Lattice lowest = beside(middle, square - min(square, uvec2(radius)));
    Lattice highest = beside(middle, min(square + radius, uvec2(1u << kDrawLatticeBits)));
    vec2 range = heightRange(lowest, highest);
    vec3 low = surfaceFromLodCamera(lowest, range.x), high = surfaceFromLodCamera(highest, range.y);
    vec3 nearest = max(max(low, -high), vec3(0.0));
    float nearestH = length(nearest.xy), farthestH = length(max(abs(low.xy), abs(high.xy)));
    float v = max(nearest.z, kLeastRise);
    float h = clamp(v, nearestH, farthestH);
    float error = leafError(middle, frame.patchLevel);
#ifdef OROGEN_DETAIL
    error = withDetailError(error, detailError(square, frame.patchLevel));
#endif
    SeenError seen;
    seen.atOneMetre = error * terrain.pixelSize.z * frame.lodFraction.w;
    seen.pixels = seen.atOneMetre * h / (h * h + v * v);
    seen.nearest = length(nearest);
    return seen;
}

float errorPixels(Lattice middle) { return seenError(middle).pixels; }

#endif
