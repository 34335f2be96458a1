// The drawn surface: the one rule for the height of a vertex, shared by all passes that draw or check it.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl.  A program for only one criterion defines
// OROGEN_EDGE_CRITERION or OROGEN_ERROR_CRITERION; one without geomorphing defines OROGEN_NO_GEOMORPH.  Software
// rasterisers execute both sides of a branch.
#ifndef OROGEN_DRAWN_SURFACE_GLSL
#define OROGEN_DRAWN_SURFACE_GLSL

#if !defined(OROGEN_EDGE_CRITERION) && !defined(OROGEN_NO_GEOMORPH)
#include "shaders/surface/error_pixels.glsl"
#endif

// View parameters of geomorphing: those of the camera that the triangulation was made for.
struct MorphView
{
    float focalLength;     // pixels per radian
    float beginPixels;     // criterion's measure at which morphing begins
};

// Growth of the weight where pixels grow by those at which morphing begins.  By edges it ends at sqrt(2) times these.
const float kMorphByEdge = 2.41421356, kMorphByError = 18.0;

// Height of the ground (metres, scaled).
float surfaceHeight(Lattice lattice) { return groundHeight(lattice) * terrain.pixelSize.z; }

// Lower bound (pixels) of the criterion `edge` for the leaf whose split inserts the vertex: the length of that leaf's
// base, with heights, over its distance.  The vertex's base, without heights, is at most 2^-patchLevel of that length.
// The distance is at most that to the vertex plus the leaf's base, on slopes up to 60 degrees.  `point` lies at the
// height that the criterion uses: procedural detail may be kilometres nearer, and its vertices would enter at once.
float edgeMorphPixels(Lattice vertex, vec3 point, MorphView view)
{
    float metres = baseMetres(vertex);
    return metres * view.focalLength / (length(point) + metres * float(1u << frame.patchLevel));
}

// Weight of a vertex's own height: from 0 when it enters to 1.
float morphWeight(float pixels, MorphView view, float growth)
{
    return clamp((pixels / view.beginPixels - 1.0) * growth, 0.0, 1.0);
}

float weightByEdge(Lattice vertex, vec3 point, MorphView view)
{
    return morphWeight(edgeMorphPixels(vertex, point, view), view, kMorphByEdge);
}

// Height of an end of a base (metres, scaled) that a vertex above it morphs from.  By the criterion `edge` the base that
// the end split is twice as long, but it may be as much farther away: where leaves are large against their distance, as
// in small pictures, the end may still glide.  The ends of that base do not.
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

// Height of a vertex (metres, scaled): morphs from the middle of the edge it split to its own height.  It depends only
// on the lattice point and the view, so all triangles that touch the point agree.
//
// `byError`: the weight by the criterion `error`, from glideIn() of drawn_leaf.glsl.  With this criterion the ends of
// the base have finished morphing from when the vertex enters until it leaves.  They enter with leaves whose box
// contains the box of the vertex's leaves, and whose error is larger by kErrorMargin. 1 / kMorphByError and the merge
// threshold (kLodTightMerge) use less than that margin.
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

// The view for morphing: that of this frame, or while the tree is frozen, that of the frozen camera.
MorphView morphView(float beginPixels)
{
    MorphView view;
    view.focalLength = frame.lodFraction.w;
    view.beginPixels = beginPixels;
    return view;
}

#endif
