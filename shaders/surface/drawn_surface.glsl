// The drawn surface: the one rule for the height of a vertex, shared by all passes that draw or check vertices.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl.  A program for only one criterion defines
// OROGEN_EDGE_CRITERION or OROGEN_ERROR_CRITERION.  A program without geomorphing defines OROGEN_NO_GEOMORPH.  These
// defines replace branches, because software rasterisers execute both sides of a branch.
#ifndef OROGEN_DRAWN_SURFACE_GLSL
#define OROGEN_DRAWN_SURFACE_GLSL

#if !defined(OROGEN_EDGE_CRITERION) && !defined(OROGEN_NO_GEOMORPH)
#include "shaders/surface/error_pixels.glsl"
#endif

// View parameters of geomorphing, of the camera that the triangulation was made for.
struct MorphView
{
    float focalLength;     // pixels per radian
    float beginPixels;     // the criterion's measure of a drawn triangle at which morphing begins
};

// Growth of the weight (morphWeight()) when the criterion's measure grows by beginPixels.  By the criterion `edge`,
// morphing thus ends at sqrt(2) beginPixels.
const float kMorphByEdge = 2.41421356, kMorphByError = 18.0;

// Returns the height of the ground (metres, scaled: see surface.glsl).
float surfaceHeight(Lattice lattice) { return groundHeight(lattice) * terrain.pixelSize.z; }

// Returns a lower bound (pixels) of the criterion `edge` for the leaf whose split inserts the vertex, per drawn
// triangle: divided by 2^patchLevel.  The criterion is the length of that leaf's base, including the rise between its
// ends, over its distance.  baseMetres(), which leaves out the rise, is at most 2^-patchLevel of that length.
// On slopes up to 60 degrees, the leaf's distance is at most the vertex's distance plus the leaf's base.
//
// `point`: the vertex, relative to the LOD camera, at the height that the criterion uses (groundHeights().y).  At
// another height, vertices would appear without morphing, or never arrive.
float edgeMorphPixels(Lattice vertex, vec3 point, MorphView view)
{
    float metres = baseMetres(vertex);
    return metres * view.focalLength / (length(point) + metres * float(1u << frame.patchLevel));
}

// Returns the weight of a vertex's own height: 0 when the vertex enters the mesh, 1 when it has finished morphing.
float morphWeight(float pixels, MorphView view, float growth)
{
    return clamp((pixels / view.beginPixels - 1.0) * growth, 0.0, 1.0);
}

// Returns the weight of a vertex by the criterion `edge`; `point`: see edgeMorphPixels().
float weightByEdge(Lattice vertex, vec3 point, MorphView view)
{
    return morphWeight(edgeMorphPixels(vertex, point, view), view, kMorphByEdge);
}

// Returns the drawn height (metres, scaled) of one end of the base from which a vertex morphs.  The end was inserted by
// splitting a base at least twice as long.  If leaves are large compared with their distance, as in small pictures,
// that longer base may also be twice as far away.  By the criterion `edge`, the end itself may then still morph.  The
// ends of the longer base do not morph any more.
float endHeight(Lattice end, MorphView view)
{
    vec2 heights = groundHeights(end) * terrain.pixelSize.z;
    float height = heights.x;
#ifndef OROGEN_ERROR_CRITERION
#ifndef OROGEN_EDGE_CRITERION
    if (frame.criterion == kCriterionError) return height;
#endif
    if (!isDiamond(onSquare(end))) return height;
    float weight = weightByEdge(end, surfaceFromLodCamera(end, heights.y), view);
    if (weight < 1.0)
    {
        LebEdge base = diamondBase(onSquare(end));
        float ends = surfaceHeight(beside(end, base.low)) + surfaceHeight(beside(end, base.high));
        height = mix(0.5 * ends - baseSag(end, base), height, weight);
    }
#endif
    return height;
}

// Returns the drawn height of a vertex (metres, scaled).  A vertex morphs from the middle of the edge that it split to
// its own height.  The height depends only on the lattice point and the view, so all triangles that touch the point
// agree.
//
// `byError`: the weight by the criterion `error`, from glideIn() of drawn_leaf.glsl.  With this criterion the ends of
// the split edge have finished morphing before the vertex enters the mesh.  They begin to morph back only after the
// vertex has left.  Reason: the ends enter with leaves whose box contains the box of the vertex's leaves, and whose
// error is larger by at least the factor kErrorMargin (core/terrain/bounds/error_codes.h).  The range of morphing
// (1 / kMorphByError) and the merge threshold (kLodTightMerge) together use less than that margin.
float morphedHeight(Lattice lattice, float byError, MorphView view)
{
    vec2 heights = groundHeights(lattice) * terrain.pixelSize.z;
    float own = heights.x;
#ifdef OROGEN_NO_GEOMORPH
    return own;
#endif
    if (frame.geomorph == 0u || !isDiamond(onSquare(lattice))) return own;
#ifdef OROGEN_ERROR_CRITERION
    float weight = byError;
#elif defined(OROGEN_EDGE_CRITERION)
    float weight = weightByEdge(lattice, surfaceFromLodCamera(lattice, heights.y), view);
#else
    float weight = frame.criterion == kCriterionError ? byError
                                                      : weightByEdge(lattice, surfaceFromLodCamera(lattice, heights.y), view);
#endif
    float height = own;
    if (weight < 1.0)
    {
        LebEdge base = diamondBase(onSquare(lattice));
        float ends = endHeight(beside(lattice, base.low), view) + endHeight(beside(lattice, base.high), view);
        height = mix(0.5 * ends - baseSag(lattice, base), own, weight);
    }
    return height;
}

// Returns the view for morphing, of this frame's camera, or of the frozen camera while the tree is frozen.
MorphView morphView(float beginPixels)
{
    MorphView view;
    view.focalLength = frame.lodFraction.w;
    view.beginPixels = beginPixels;
    return view;
}

#endif
