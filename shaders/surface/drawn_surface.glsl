// The drawn surface: the one rule for the height of a vertex, shared by all passes that draw or check it.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl.  A program for one criterion alone defines
// OROGEN_EDGE_CRITERION, which omits the lookup of errors, or OROGEN_ERROR_CRITERION; one without geomorphing defines
// OROGEN_NO_GEOMORPH.  Software rasterisers execute both sides of a branch.
#ifndef OROGEN_DRAWN_SURFACE_GLSL
#define OROGEN_DRAWN_SURFACE_GLSL

#ifndef OROGEN_EDGE_CRITERION
#include "shaders/heights/error_@heights.glsl"
#endif

// View parameters of geomorphing: those of the camera that the triangulation was made for.
struct MorphView
{
    float focalLength;     // pixels per radian
    float beginPixels;     // criterion's measure at which morphing begins; it ends at sqrt(2) times this
};

// Height of the ground (metres, scaled).
float surfaceHeight(Lattice lattice) { return groundHeight(lattice) * terrain.pixelSize.z; }

// Lower bound (pixels) of the criterion `edge` for the leaf whose split inserts the vertex: the length of that leaf's
// base, with heights, over its distance.  The vertex's base, without heights, is at most 2^-patchLevel of that length.
// The distance is at most that to the vertex plus the leaf's base, on slopes up to 60 degrees.
float edgeMorphPixels(Lattice vertex, vec3 point, MorphView view)
{
    float metres = baseMetres(vertex);
    return metres * view.focalLength / (length(point) + metres * float(1u << frame.patchLevel));
}

#ifndef OROGEN_EDGE_CRITERION
// Lower bound (pixels) of the criterion `error` for the leaf whose split inserts the vertex: the largest error of its
// vertices, seen at the worst point of its box.
float errorMorphPixels(Lattice vertex, vec3 point, MorphView view)
{
    vec3 up = surfaceUpFromLodCamera(vertex);
    float upwards = dot(point, up);
    float h = length(point - up * upwards);
    float v = max(abs(upwards), 0.125);
    float error = vertexError(vertex);
#ifdef OROGEN_DETAIL
    error += detailError(vertex, 0u);
#endif
    return error * terrain.pixelSize.z * view.focalLength * h / (h * h + v * v);
}
#endif

// The criterion's measure (pixels) of the base whose middle is this vertex.  It never exceeds the measure of the leaf
// whose split inserts the vertex, so the vertex appears with weight 0.
float morphPixels(Lattice vertex, vec3 point, MorphView view)
{
#ifdef OROGEN_ERROR_CRITERION
    return errorMorphPixels(vertex, point, view);
#else
#ifndef OROGEN_EDGE_CRITERION
    if (frame.criterion == kCriterionError) return errorMorphPixels(vertex, point, view);
#endif
    return edgeMorphPixels(vertex, point, view);
#endif
}

float morphWeight(float pixels, MorphView view)
{
    return clamp((pixels / view.beginPixels - 1.0) * 2.41421356, 0.0, 1.0);  // 1 / (sqrt(2) - 1)
}

#ifndef OROGEN_EDGE_CRITERION
// Vertices whose bases depend on each other may morph at once; this is the longest such chain that is evaluated.
const int kMorphChain = 6;

// Sorts a base's ends: the one inserted later first.
LebEdge laterEnd(LebEdge base)
{
    uint low = isDiamond(base.low) ? diamondDepth(base.low) : 0u;
    uint high = isDiamond(base.high) ? diamondDepth(base.high) : 0u;
    LebEdge sorted;
    sorted.low = low > high ? base.low : base.high;
    sorted.high = low > high ? base.high : base.low;
    return sorted;
}

// Drawn height of a base's end, which may itself still be morphing.  The later end of its base is evaluated in the same
// way, up to kMorphChain times; the earlier end has long finished.
float endHeight(Lattice lattice, MorphView view)
{
    float own[kMorphChain + 1];
    float earlier[kMorphChain];
    float weight[kMorphChain];
    float sag[kMorphChain];
    Lattice at = lattice;
    int length = 0;
    own[0] = surfaceHeight(lattice);
    while (length < kMorphChain && isDiamond(onSquare(at)))
    {
        vec3 point = surfaceFromLodCamera(at, own[length]);
        weight[length] = morphWeight(morphPixels(at, point, view), view);
        if (weight[length] >= 1.0) break;
        LebEdge base = laterEnd(diamondBase(onSquare(at)));
        earlier[length] = surfaceHeight(beside(at, base.high));
        sag[length] = baseSag(at, base);
        at = beside(at, base.low);
        length += 1;
        own[length] = surfaceHeight(at);
    }
    float height = own[length];
    for (int i = length - 1; i >= 0; --i)
        height = mix(0.5 * (height + earlier[i]) - sag[i], own[i], weight[i]);
    return height;
}
#endif

// Height of a vertex (metres, scaled): morphs from the middle of the edge it split to its own height.  It depends only
// on the lattice point and the view, so all triangles that touch the point agree.
//
// By the criterion `edge`, the ends of the base have finished when the vertex enters: their own bases are at least
// twice as long.  By `error` they may still be morphing, since a coarse error need not exceed a fine one: then the
// vertex starts between their drawn heights.
float morphedHeight(Lattice lattice, MorphView view)
{
    float own = surfaceHeight(lattice);
#ifdef OROGEN_NO_GEOMORPH
    return own;
#endif
    if (frame.geomorph == 0u || !isDiamond(onSquare(lattice))) return own;
    LebEdge base = diamondBase(onSquare(lattice));
    Lattice low = beside(lattice, base.low), high = beside(lattice, base.high);
    vec3 point = surfaceFromLodCamera(lattice, own);
    float weight = morphWeight(morphPixels(lattice, point, view), view);
    // Most vertices have finished.  Loops, since a software rasteriser executes both sides of a branch.
    float height = own;
#ifndef OROGEN_EDGE_CRITERION
    for (bool glides = weight < 1.0 && frame.criterion == kCriterionError; glides; glides = false)
        height = mix(0.5 * (endHeight(low, view) + endHeight(high, view)) - baseSag(lattice, base), own, weight);
#endif
#ifndef OROGEN_ERROR_CRITERION
    for (bool glides = weight < 1.0 && frame.criterion != kCriterionError; glides; glides = false)
        height = mix(0.5 * (surfaceHeight(low) + surfaceHeight(high)) - baseSag(lattice, base), own, weight);
#endif
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
