// The surface that is drawn: the one rule for the height of a vertex, for whatever draws or checks it.
//
// Must be in scope: `frame`, `terrain`, surface.glsl, heights.glsl, leb.glsl, diamond.glsl.
// A program that runs for the criterion `edge` alone defines OROGEN_EDGE_CRITERION and is spared the lookup of errors; one
// that runs without geomorphing alone defines OROGEN_NO_GEOMORPH.  A software rasteriser executes both sides of a branch.
#ifndef OROGEN_DRAWN_SURFACE_GLSL
#define OROGEN_DRAWN_SURFACE_GLSL

#ifndef OROGEN_EDGE_CRITERION
#ifdef OROGEN_TILES
#include "shaders/tile_error.glsl"
#else
#include "shaders/error_image.glsl"
#include "shaders/diamond_error.glsl"
#endif
#endif

// How the camera sees that vertices glide for, which is the one that the triangulation was made for, and where gliding
// begins.
struct MorphView
{
    float focalLength;     // pixels per radian
    float beginPixels;     // of a drawn triangle; vertices arrive at sqrt(2) times this
};

#ifdef OROGEN_EARTH
const float kMorphShare = 0.95;
#endif

// Metres, scaled.
float surfaceHeight(Lattice lattice) { return groundHeight(lattice) * terrain.pixelSize.z; }

#ifdef OROGEN_EARTH
// Metres squared between the ends of the base that a vertex splits, on the ellipsoid.
float squaredBase(Lattice vertex, LebEdge base)
{
    precise vec3 along = surfaceFromFoot(beside(vertex, base.high)) - surfaceFromFoot(beside(vertex, base.low));
    precise float squared = along.x * along.x + along.y * along.y + along.z * along.z;
    return squared;
}
#endif

// Metres by which the middle of a base lies below the surface that it is the chord of: nothing on a plane.
float baseSag(Lattice vertex, LebEdge base)
{
#ifdef OROGEN_EARTH
    return squaredBase(vertex, base) * kSagOfSquare;
#else
    return 0.0;
#endif
}

// The leaf's own measure takes its base's length, heights included, and the distance to that base.  Of the vertex's base
// the length without heights is at most the leaf's / 2^patchLevel.  The leaf's base is no farther away than the vertex
// plus the way from the vertex to it, for which the base's length stands: enough on slopes up to 60 degrees.
float edgeMorphPixels(Lattice vertex, vec3 point, MorphView view)
{
#ifdef OROGEN_EARTH
    // Units of one leaf are not all as long: the longest of its bases' parts is longer than a part of its own.
    float metres = sqrt(squaredBase(vertex, diamondBase(onSquare(vertex)))) * kMorphShare;
#else
    uvec2 square = onSquare(vertex);
    float units = float(1u << diamondUnitBits(square)) * (diamondIsDiagonal(square) ? 2.82842712 : 2.0);
    float metres = units * terrain.squareSize.y;
#endif
    return metres * view.focalLength / (length(point) + metres * float(1u << frame.patchLevel));
}

#ifndef OROGEN_EDGE_CRITERION
// The leaf's own measure is that of the largest error of all its vertices, seen from where in its box it seems largest.
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

// What the criterion says of the base that has this point in its middle, in pixels, and never more than what it says of
// the leaf whose split brings the point in: a vertex enters with weight 0.
float morphPixels(Lattice vertex, vec3 point, MorphView view)
{
#ifndef OROGEN_EDGE_CRITERION
    if (frame.criterion == kCriterionError) return errorMorphPixels(vertex, point, view);
#endif
    return edgeMorphPixels(vertex, point, view);
}

float morphWeight(float pixels, MorphView view)
{
    return clamp((pixels / view.beginPixels - 1.0) * 2.41421356, 0.0, 1.0);  // 1 / (sqrt(2) - 1)
}

#ifndef OROGEN_EDGE_CRITERION
// How many vertices, each an end of the base of the one before, may be on their way at once behind an end.
const int kMorphChain = 6;

// The end of a base that came in later, and the other one.
LebEdge laterEnd(LebEdge base)
{
    uint low = isDiamond(base.low) ? diamondDepth(base.low) : 0u;
    uint high = isDiamond(base.high) ? diamondDepth(base.high) : 0u;
    LebEdge sorted;
    sorted.low = low > high ? base.low : base.high;
    sorted.high = low > high ? base.high : base.low;
    return sorted;
}

// Where an end of a base is drawn that may itself still be on its way: the end of its own base that came in later is
// taken from where that is drawn, and so on; the other end has arrived long before.
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

// Metres, scaled: from the middle of the edge that the vertex split to its own height.  A function of the lattice point
// and the view alone, so that every triangle that touches the point puts it there.
//
// By edges, the ends of the base have arrived when the vertex enters: their own bases are at least twice as long.  By
// errors they may still glide, for a coarse error may be no larger than a fine one, and the edge is where they are drawn.
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
#ifndef OROGEN_EDGE_CRITERION
    if (frame.criterion == kCriterionError)
    {
        if (weight >= 1.0) return own;
        return mix(0.5 * (endHeight(low, view) + endHeight(high, view)) - baseSag(lattice, base), own, weight);
    }
#endif
    // Most have arrived.  A loop, since a software rasteriser runs through what a branch leaves out.
    float height = own;
    for (bool glides = weight < 1.0; glides; glides = false)
        height = mix(0.5 * (surfaceHeight(low) + surfaceHeight(high)) - baseSag(lattice, base), own, weight);
    return height;
}

// Of this frame.  While the tree is frozen, so is the view that its vertices glide for.
MorphView morphView(float beginPixels)
{
    MorphView view;
    view.focalLength = frame.lodFraction.w;
    view.beginPixels = beginPixels;
    return view;
}

#endif
