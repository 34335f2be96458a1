// Marks the drawn triangles for the shading pass: x: the leaf's depth / 63; y: coverage by the lines of the triangles
// (0 without OROGEN_WIREFRAME).  OROGEN_BEYOND: for land around the terrain, x is 1.
#include "shaders/frame.glsl"

layout(location = 0) out vec2 marks;

#ifdef OROGEN_BEYOND
void main() { marks = vec2(1.0, 0.0); }
#else
layout(location = 0) in vec2 patchWeights;  // weights of the leaf's second and third corner, in 1 / 2^patchLevel
layout(location = 1) flat in uint leafDepth;

// Returns the distance (pixels) to the nearest of the lines value = 0, 1, 2, ...; `width`: change of `value` per pixel.
float toLine(float value, float width) { return (0.5 - abs(fract(value) - 0.5)) / width; }

// Returns the coverage of the pixel by edges of triangles, and by stronger edges of leaves, at constant width on
// screen.  Bisection cuts a patch into square cells along the leaf's legs.  It cuts each cell along the diagonal whose
// ends have an even sum of weights.
float wire()
{
    float side = float(1 << frame.patchLevel);
    vec3 w = vec3(patchWeights, side - patchWeights.x - patchWeights.y);
    float falling = patchWeights.x + patchWeights.y, rising = patchWeights.x - patchWeights.y;
    vec3 width = max(fwidth(w), 1.0e-6);
    vec3 toBorder = w / width;
    float toDiagonal = min(toLine(0.5 * falling, max(0.5 * fwidth(falling), 1.0e-6)),
                           toLine(0.5 * rising, max(0.5 * fwidth(rising), 1.0e-6)));
    float toInner = min(min(toLine(w.x, width.x), toLine(w.y, width.y)), toDiagonal);
    float inner = frame.patchLevel == 0u ? 0.0 : 1.0 - smoothstep(0.25, 0.85, toInner);
    float border = 1.0 - smoothstep(0.35, 1.05, min(toBorder.x, min(toBorder.y, toBorder.z)));
    // Lines fade where triangles have only a few pixels, which lines would fill.  Lines around leaves fade later.
    float pixels = 1.0 / max(width.x, max(width.y, width.z));
    inner *= 0.40 * clamp((pixels - 2.0) / 6.0, 0.0, 1.0);
    border *= 0.85 * clamp((pixels * side - 2.0) / 8.0, 0.0, 1.0);
    return max(inner, border);
}

void main()
{
#ifdef OROGEN_WIREFRAME
    marks = vec2(float(leafDepth) / 63.0, wire());
#else
    marks = vec2(float(leafDepth) / 63.0, 0.0);
#endif
}
#endif
