// Selects the level and the cells of the height pyramid (lowest and highest heights) that bound a box.  Uses integers:
// a GPU's log2() and exp2() may be off by an ulp, and boxes are often exactly as large as cells. tests/shaders/
// compiles this file as C++. Needs nothing in scope.
//
// Cells of level l are squares of 2^l grid intervals; cell (0, 0) begins at texel (0, 0).
#ifndef OROGEN_PYRAMID_GLSL
#define OROGEN_PYRAMID_GLSL

// Returns the finest of the levels 1 .. coarsest whose cells are at least `intervals` long; if there is none, the
// coarsest.
uint pyramidLevel(float intervals, uint coarsest)
{
    uint whole = uint(ceil(max(intervals, 1.0f)));  // exact: a power of two >= `intervals` is >= `whole`
    return clamp(uint(findMSB(whole - 1u) + 1), 1u, coarsest);
}

// Returns the column or row of the cell that contains a texel coordinate; texel >= 0.
uint pyramidCell(float texel, uint level) { return uint(texel) >> level; }

#endif
