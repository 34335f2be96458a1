// The jump: how far the ground that is drawn in each pixel lies above or below what the frame before drew at that place.
// On the Earth: earth_jump.glsl.  On a plane bound are the tree, its state and the frame's uniforms as that frame had them; only `view` is of the present one.
#define OROGEN_CBT_READ_ONLY
#include "shaders/frame.glsl"
#include "shaders/ground_points.glsl"
#include "shaders/seen.glsl"

#ifdef OROGEN_EARTH
#include "shaders/surface.glsl"
#include "shaders/earth_place.glsl"
#include "shaders/earth_point.glsl"
#include "shaders/earth_jump.glsl"

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    vec3 relative;
    float pixels;
    if (any(greaterThanEqual(pixel, ivec2(view.viewport.xy))) || !groundPoint(pixel, relative)) return;
    if (jumpOf(pixel, relative, earthPoint(relative).up, pixels)) addToTally(pixels);
}
#else
layout(std430, binding = kTreeBinding) readonly buffer TreeBlock { uint heap[]; };
layout(std430, binding = kStateBinding) readonly buffer StateBlock { TreeState state; };
layout(binding = kHeightTexture) uniform sampler2D heightTexture;

#include "shaders/cbt.glsl"
#include "shaders/leb.glsl"
#include "shaders/surface.glsl"
#include "shaders/heights.glsl"
#include "shaders/diamond.glsl"
#include "shaders/drawn_surface.glsl"

// On the draw lattice.
struct Piece
{
    ivec2 apex, base0, base1;
};

vec2 away(ivec2 cell, vec2 rest, ivec2 from) { return vec2(cell - from) + rest; }

// The half in which the point lies: 0 or 1.
uint bisect(inout Piece piece, ivec2 cell, vec2 rest)
{
    ivec2 middle = (piece.base0 + piece.base1) / 2;
    bool second = dot(away(cell, rest, middle), vec2(piece.base0 - piece.base1)) < 0.0;
    if (second)
        piece.base0 = piece.apex;
    else
        piece.base1 = piece.apex;
    piece.apex = middle;
    return second ? 1u : 0u;
}

// The triangle that was drawn at a point of the square: a whole lattice point and the rest.
Piece drawnPiece(ivec2 cell, vec2 rest)
{
    int side = 1 << kDrawLatticeBits;
    bool second = cell.x + cell.y >= side;
    Piece piece;
    piece.apex = second ? ivec2(side) : ivec2(0);
    piece.base0 = second ? ivec2(side, 0) : ivec2(0, side);
    piece.base1 = second ? ivec2(0, side) : ivec2(side, 0);
    uint node = second ? 3u : 2u;
    while (cbtDepth(node) < cbtMaxDepth() && cbtLeavesBelow(node) > 1u)
        node = 2u * node + bisect(piece, cell, rest);
    for (uint i = 0u; i < 2u * frame.patchLevel; ++i)
        bisect(piece, cell, rest);
    return piece;
}

float heightThen(ivec2 cell, vec2 rest)
{
    Piece piece = drawnPiece(cell, rest);
    MorphView then = morphView(state.morphPixels);
    vec2 leg0 = vec2(piece.base0 - piece.apex), leg1 = vec2(piece.base1 - piece.apex), at = away(cell, rest, piece.apex);
    float squared = dot(leg0, leg0);  // both are as long
    float apex = morphedHeight(piece.apex, then);
    float rise0 = morphedHeight(piece.base0, then) - apex, rise1 = morphedHeight(piece.base1, then) - apex;
    return apex + rise0 * (dot(at, leg0) / squared) + rise1 * (dot(at, leg1) / squared);
}

void main()
{
    ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
    vec3 relative;
    if (any(greaterThanEqual(pixel, ivec2(view.viewport.xy))) || !groundPoint(pixel, relative)) return;
    vec2 units = (relative.xy + view.cameraFraction.xy) / terrain.squareSize.y;
    ivec2 cell = ivec2(view.cameraCell.xy) + ivec2(floor(units));
    cell = clamp(cell, ivec2(0), ivec2((1 << kDrawLatticeBits) - 1));
    float then = (heightThen(cell, fract(units)) - view.cameraCell.z) - view.cameraFraction.z;
    addToTally(verticalPixels(relative.z - then, relative, view.lens.z));
}
#endif
