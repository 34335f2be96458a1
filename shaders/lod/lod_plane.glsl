// Level of detail on a plane: the measures of lod.glsl.  Bases and boxes of leaves are in units of the leaf lattice
// (leb.glsl).  Needs in scope: the requirements of lod.glsl.
#ifndef OROGEN_LOD_PLANE_GLSL
#define OROGEN_LOD_PLANE_GLSL

// Converts a point of the leaf lattice to the draw lattice (lattice.glsl), which is 2^kPatchBits finer.
ivec2 drawLattice(uvec2 corner) { return ivec2(corner << kPatchBits); }

// Returns the height of an edge's end (metres, scaled: see surface.glsl).  `units`: the edge's longerSide(), which
// selects the level of tiles.
float lodHeight(Lattice point, uint units) { return edgeHeight(point, int(units)) * terrain.pixelSize.z; }

vec3 lodPoint(Lattice point, uint units) { return surfaceRelative(point, lodHeight(point, units)); }

// Returns x and y whose ratio x / y is the criterion `edge` (pixels).  x: size of the edge at a distance of 1 m
// (pixels).  y: distance of the edge (metres), which changes by at most the distance that the camera moves.  A true
// projection would be undefined behind the camera, and 0 for an edge seen end-on.
// `a`, `b`: the edge's ends in canonical order, in metres from the LOD camera.
vec2 edgeMeasure(vec3 a, vec3 b)
{
    vec3 along = b - a;
    float t = clamp(-dot(a, along) / max(dot(along, along), 1.0e-12), 0.0, 1.0);
    return vec2(length(along) * frame.pixelsPerRadian, max(length(a + t * along), 1.0e-3));
}

vec2 edgeMeasure(LebEdge edge)
{
    Lattice low = drawLattice(edge.low), high = drawLattice(edge.high);
    uint units = longerSide(low, high);
    return edgeMeasure(lodPoint(low, units), lodPoint(high, units));
}

// The measures of a leaf's own base and of its parent's base.
struct EdgeMeasures
{
    vec2 own, parent;
};

// Returns the measures of a leaf; `parent` is undefined for the halves of the square.  Both bases have one end in
// common, whose height is read once if it does not depend on the edge.
EdgeMeasures edgeMeasures(uint leaf, LebTriangle triangle)
{
    bool first = (leaf & 1u) == 0u;
    LebEdge base = lebBaseEdge(triangle), above = lebParentBaseEdge(leaf, triangle);
    uvec2 kept = first ? triangle.base0 : triangle.base1;
    Lattice base0 = drawLattice(triangle.base0), base1 = drawLattice(triangle.base1);
    Lattice end = drawLattice(kept), far = drawLattice(2u * triangle.apex - kept);
    uint units = longerSide(base0, base1), unitsAbove = longerSide(end, far);
    vec3 p = lodPoint(base0, units), q = lodPoint(base1, units), r = lodPoint(far, unitsAbove);
    vec3 s = kEdgeHeightByLength ? lodPoint(end, unitsAbove) : first ? p : q;
    bool pFirst = base.low == triangle.base0, sFirst = above.low == kept;
    EdgeMeasures measures;
    measures.own = edgeMeasure(pFirst ? p : q, pFirst ? q : p);
    measures.parent = edgeMeasure(sFirst ? s : r, sFirst ? r : s);
    return measures;
}

// Returns the lowest and the highest height that can be drawn over a box (metres, scaled).
vec2 heightRange(LebBox box) { return heightRange(drawLattice(box.low), drawLattice(box.high)); }

// Return the criterion `error` of a base: with the values on which its change depends, and alone (pixels).
SeenError seenError(LebEdge base) { return seenError(latticeMiddle(drawLattice(base.low), drawLattice(base.high))); }
float errorPixels(LebEdge base) { return seenError(base).pixels; }

LebBox boxOf(LebTriangle t)
{
    LebBox box;
    box.low = min(t.apex, min(t.base0, t.base1));
    box.high = max(t.apex, max(t.base0, t.base1));
    return box;
}

// Returns whether a box is wholly outside the raster, which need not fill the square.
bool outsideRaster(LebBox box)
{
    vec2 low = vec2(drawLattice(box.low)), high = vec2(drawLattice(box.high));
    return high.x <= terrain.latticeBounds.x || high.y <= terrain.latticeBounds.y || low.x >= terrain.latticeBounds.z ||
           low.y >= terrain.latticeBounds.w;
}

#endif
