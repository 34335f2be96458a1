// Which level of the height pyramid bounds a box, and which of its cells: in integers, since log2() and exp2() of a GPU
// may be off by an ulp, and boxes are often exactly as large as cells.  tests/shaders/ compiles this file as C++.
//
// Must be in scope: nothing.
//
// Cells of level l are squares of 2^l grid intervals; cell (0, 0) begins at texel (0, 0).
#ifndef OROGEN_PYRAMID_GLSL
#define OROGEN_PYRAMID_GLSL

// The finest of the levels 1 .. coarsest whose cells are at least `intervals` long; else the coarsest.
uint pyramidLevel(float intervals, uint coarsest)
{
    uint whole = uint(ceil(max(intervals, 1.0f)));  // exact: a power of two is as long as `intervals` or as `whole`
    return clamp(uint(findMSB(whole - 1u) + 1), 1u, coarsest);
}

// The column or row of cells that a texel coordinate lies in; texel >= 0.
uint pyramidCell(float texel, uint level) { return uint(texel) >> level; }

#endif
