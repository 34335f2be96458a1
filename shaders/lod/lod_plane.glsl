// Level of detail on a plane: the measures of lod.glsl.  Bases and boxes of leaves are on the leaf lattice.  Needs in
// scope: the requirements of lod.glsl.
#ifndef OROGEN_LOD_PLANE_GLSL
#define OROGEN_LOD_PLANE_GLSL

ivec2 drawLattice(uvec2 corner) { return ivec2(corner << kPatchBits); }

// Height of an edge's end (metres, scaled).  `units`: the edge's longerSide(), which selects the level of tiles.
float lodHeight(Lattice point, uint units) { return edgeHeight(point, int(units)) * terrain.pixelSize.z; }

vec3 lodPoint(Lattice point, uint units) { return surfaceRelative(point, lodHeight(point, units)); }

// The criterion `edge` is x / y. x: size of an edge at a distance of 1 m (pixels); y: its distance (metres), which
// changes by at most the camera's motion.  A true projection would be undefined behind the camera, and 0 end-on.
vec2 edgeMeasure(LebEdge edge)
{
    Lattice low = drawLattice(edge.low), high = drawLattice(edge.high);
    uint units = longerSide(low, high);
    vec3 a = lodPoint(low, units), b = lodPoint(high, units);
    vec3 along = b - a;
    float t = clamp(-dot(a, along) / max(dot(along, along), 1.0e-12), 0.0, 1.0);
    return vec2(length(along) * frame.pixelsPerRadian, max(length(a + t * along), 1.0e-3));
}

// Lowest and highest height that can be drawn over a box (metres, scaled).
vec2 heightRange(LebBox box)
{
    vec2 range = groundRange(drawLattice(box.low), drawLattice(box.high));
#ifdef OROGEN_DETAIL
    float reach = detailReach(drawLattice(box.low), drawLattice(box.high));
    range += vec2(-reach, reach);
#endif
    return range * terrain.pixelSize.z;
}

// Corners of a box, relative to the camera.
vec3 relativeLow(LebBox box, float lowest) { return surfaceRelative(drawLattice(box.low), lowest); }
vec3 relativeHigh(LebBox box, float highest) { return surfaceRelative(drawLattice(box.high), highest); }

// The criterion `error` of a base (pixels).  A vertical error at distance r, seen at an angle to the vertical, covers
// error * sin(angle) / r radians.  With horizontal distance h and vertical distance v that is error * h / (h^2 + v^2).
// Over a box it is largest at the least |v|, and there at h = |v| or the closest h.  A pixel is the angle of one in the
// picture's middle: turning the camera changes nothing.
float errorPixels(LebEdge edge)
{
    LebBox box = lebDiamond(edge);
    vec2 range = heightRange(box);
    vec3 low = relativeLow(box, range.x), high = relativeHigh(box, range.y);
    vec3 nearest = max(max(low, -high), vec3(0.0));
    float nearestH = length(nearest.xy), farthestH = length(max(abs(low.xy), abs(high.xy)));
    float v = max(nearest.z, 0.125);
    float h = clamp(v, nearestH, farthestH);
    Lattice middle = latticeMiddle(drawLattice(edge.low), drawLattice(edge.high));
    float error = leafError(middle, frame.patchLevel);
#ifdef OROGEN_DETAIL
    error += detailError(onSquare(middle), frame.patchLevel);
#endif
    return error * terrain.pixelSize.z * frame.pixelsPerRadian * h / (h * h + v * v);
}

LebBox boxOf(LebTriangle t)
{
    LebBox box;
    box.low = min(t.apex, min(t.base0, t.base1));
    box.high = max(t.apex, max(t.base0, t.base1));
    return box;
}

// Whether a box is wholly outside the raster, which need not fill the square.
bool outsideRaster(LebBox box)
{
    vec2 low = vec2(drawLattice(box.low)), high = vec2(drawLattice(box.high));
    return high.x <= terrain.latticeBounds.x || high.y <= terrain.latticeBounds.y || low.x >= terrain.latticeBounds.z ||
           low.y >= terrain.latticeBounds.w;
}

#endif
