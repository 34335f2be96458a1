// The surface that is drawn: the one rule for the height of a vertex, for whatever draws or checks it.
//
// Must be in scope: `frame`, `terrain`, surface_plane.glsl, heights_image.glsl, leb.glsl, diamond.glsl.
// A program that runs for the criterion `edge` alone defines OROGEN_EDGE_CRITERION and is spared the lookup of errors.
#ifndef OROGEN_DRAWN_SURFACE_GLSL
#define OROGEN_DRAWN_SURFACE_GLSL

#ifndef OROGEN_EDGE_CRITERION
#include "shaders/error_image.glsl"
#include "shaders/diamond_error.glsl"
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
float surfaceHeight(ivec2 lattice) { return heightAt(surfaceTexel(lattice)) * terrain.pixelSize.z; }

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
    return vertexError(vertex) * terrain.pixelSize.z * view.focalLength * h / (h * h + v * v);
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

// Metres, scaled: from the middle of the edge that the vertex split to its own height.  A function of the lattice point
// and the view alone, so that every triangle that touches the point puts it there.
float morphedHeight(ivec2 lattice, MorphView view)
{
    float own = surfaceHeight(lattice);
    if (frame.geomorph == 0u || !isDiamond(uvec2(lattice))) return own;
    LebEdge base = diamondBase(uvec2(lattice));
    vec3 point = surfaceRelative(lattice, own, view.cell, view.fraction);
    float edge = 0.5 * (surfaceHeight(ivec2(base.low)) + surfaceHeight(ivec2(base.high)));
    return mix(edge, own, morphWeight(morphPixels(uvec2(lattice), point, view), view));
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
