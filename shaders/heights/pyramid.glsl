// Selects the level and the cells of the height pyramid that bound a box.  A cell of the pyramid holds the lowest and
// the highest height in a square of grid intervals.  Uses integers: a GPU's log2() and exp2() may be off by an ulp, and
// boxes are often exactly as large as cells.  tests/shaders/ compiles this file as C++.  Needs nothing in scope.
//
// Cells of level l are 2^l grid intervals wide and high; cell (0, 0) begins at texel (0, 0).
#ifndef OROGEN_PYRAMID_GLSL
#define OROGEN_PYRAMID_GLSL

// Returns the finest level in 1 .. `coarsest` whose cells are at least `intervals` grid intervals wide.  Returns
// `coarsest` if no level has such cells.
uint pyramidLevel(float intervals, uint coarsest)
{
    uint whole = uint(ceil(max(intervals, 1.0f)));  // exact: a power of two >= `intervals` is >= `whole`
    return clamp(uint(findMSB(whole - 1u) + 1), 1u, coarsest);
}

// Returns the column or row of the cell that contains a texel coordinate; texel >= 0.
uint pyramidCell(float texel, uint level) { return uint(texel) >> level; }

#endif
