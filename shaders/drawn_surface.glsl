// The surface that is drawn: the one rule for the height of a vertex, for whatever draws or checks it.
//
// Must be in scope: `frame`, `terrain`, surface_plane.glsl, heights.glsl, leb.glsl, diamond.glsl.
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

// The camera that vertices glide for, and where gliding begins.
struct MorphView
{
    vec4 cell;             // as FrameUniforms::cameraCell
    vec4 fraction;         // as FrameUniforms::cameraFraction
    float focalLength;     // pixels per radian
    float beginPixels;     // of a drawn triangle; vertices arrive at sqrt(2) times this
};

// Metres, scaled.
float surfaceHeight(ivec2 lattice) { return groundHeight(lattice) * terrain.pixelSize.z; }

// The leaf's own measure takes its base's length, heights included, and the distance to that base.  Of the vertex's base
// the length without heights is at most the leaf's / 2^patchLevel.  The leaf's base is no farther away than the vertex
// plus the way from the vertex to it, for which the base's length stands: enough on slopes up to 60 degrees.
float edgeMorphPixels(uvec2 vertex, vec3 point, MorphView view)
{
    float units = float(1u << diamondUnitBits(vertex)) * (diamondIsDiagonal(vertex) ? 2.82842712 : 2.0);
    float metres = units * terrain.squareSize.y;
    return metres * view.focalLength / (length(point) + metres * float(1u << frame.patchLevel));
}

#ifndef OROGEN_EDGE_CRITERION
// The leaf's own measure is that of the largest error of all its vertices, seen from where in its box it seems largest.
float errorMorphPixels(uvec2 vertex, vec3 point, MorphView view)
{
    float h = length(point.xy);
    float v = max(abs(point.z), 0.125);
    float error = vertexError(vertex);
#ifdef OROGEN_DETAIL
    error += detailError(vertex, 0u);
#endif
    return error * terrain.pixelSize.z * view.focalLength * h / (h * h + v * v);
}
#endif

// What the criterion says of the base that has this point in its middle, in pixels, and never more than what it says of
// the leaf whose split brings the point in: a vertex enters with weight 0.
float morphPixels(uvec2 vertex, vec3 point, MorphView view)
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
float endHeight(ivec2 lattice, MorphView view)
{
    float own[kMorphChain + 1];
    float earlier[kMorphChain];
    float weight[kMorphChain];
    uvec2 at = uvec2(lattice);
    int length = 0;
    own[0] = surfaceHeight(lattice);
    while (length < kMorphChain && isDiamond(at))
    {
        vec3 point = surfaceRelative(ivec2(at), own[length], view.cell, view.fraction);
        weight[length] = morphWeight(morphPixels(at, point, view), view);
        if (weight[length] >= 1.0) break;
        LebEdge base = laterEnd(diamondBase(at));
        earlier[length] = surfaceHeight(ivec2(base.high));
        at = base.low;
        length += 1;
        own[length] = surfaceHeight(ivec2(at));
    }
    float height = own[length];
    for (int i = length - 1; i >= 0; --i)
        height = mix(0.5 * (height + earlier[i]), own[i], weight[i]);
    return height;
}
#endif

// Metres, scaled: from the middle of the edge that the vertex split to its own height.  A function of the lattice point
// and the view alone, so that every triangle that touches the point puts it there.
//
// By edges, the ends of the base have arrived when the vertex enters: their own bases are at least twice as long.  By
// errors they may still glide, for a coarse error may be no larger than a fine one, and the edge is where they are drawn.
float morphedHeight(ivec2 lattice, MorphView view)
{
    float own = surfaceHeight(lattice);
#ifdef OROGEN_NO_GEOMORPH
    return own;
#endif
    if (frame.geomorph == 0u || !isDiamond(uvec2(lattice))) return own;
    LebEdge base = diamondBase(uvec2(lattice));
    vec3 point = surfaceRelative(lattice, own, view.cell, view.fraction);
    float weight = morphWeight(morphPixels(uvec2(lattice), point, view), view);
#ifndef OROGEN_EDGE_CRITERION
    if (frame.criterion == kCriterionError)
    {
        if (weight >= 1.0) return own;
        return mix(0.5 * (endHeight(ivec2(base.low), view) + endHeight(ivec2(base.high), view)), own, weight);
    }
#endif
    return mix(0.5 * (surfaceHeight(ivec2(base.low)) + surfaceHeight(ivec2(base.high))), own, weight);
}

// Of this frame.  While the tree is frozen, so is the view that its vertices glide for.
MorphView morphView(float beginPixels)
{
    MorphView view;
    view.cell = frame.lodCell;
    view.fraction = frame.lodFraction;
    view.focalLength = frame.lodFraction.w;
    view.beginPixels = beginPixels;
    return view;
}

#endif
