// Errors of diamonds finer than the finest stored ones, for diamond_errors.cpp.
//
// The two depths below the stored ones are measured for each cell of the finest lattice: the cell's diagonals and
// sides. Finer triangles lie in a cell and have legs at most half as long as its sides; the surface's kinks there bound
// them (cell_kinks.h). Bisection of a diamond reaches at most twice the unit of those with a base along an axis: two
// cells for the finest stored ones.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "core/terrain/bounds/cell_kinks.h"
#include "core/terrain/bounds/diamond_deviations.h"

namespace orogen {

class FinerBounds
{
public:
    // Prepares the lattice of unit 2^bits, for points of columns firstColumn .. lastColumn.
    FinerBounds(const HeightField& field, const SurfaceLattice& lattice, int bits, int firstColumn, int lastColumn);

    // Bounds (codes) around the points of rows first .. last, and `last` + 1 except in the patch functions.
    class Window
    {
    public:
        void fill(const FinerBounds& of, int first, int last);

        // Returns the saturated error of all finer triangles in the diamond with an axis-aligned base around (i, j).
        float around(int i, int j) const;
        // Returns a bound for the square of 2 x 2 cells from point (i, j). Take a diamond whose base is a cell's
        // diagonal divided by 2^(k / 2), or one within it: in the square its error is at most the bound divided by the
        // same factor. The other half of a diamond on the border belongs to the next square.
        float share(int i, int j) const;

        // Return the saturated error of triangles two patch levels finer than the diamonds of twice the unit. Point (i,
        // j) is the middle of a base of four units along an axis, or of a diagonal of four units each way.
        float patchAlongAxis(int i, int j) const;
        float patchDiagonal(int i, int j) const;

    private:
        struct Cell
        {
            float within;                    // all triangles
            CellKinks::Bounds beyond;        // triangles finer than measured
            float shareWithin, shareBeyond;  // in proportion to a base as long as the diagonal
        };
        const Cell& at(int i, int j) const
        {
            assert(i >= firstColumn_ && i < firstColumn_ + width_ && j >= first_);
            assert(std::size_t(j - first_ + 1) * std::size_t(width_) <= cells_.size());
            return cells_[std::size_t(j - first_) * std::size_t(width_) + std::size_t(i - firstColumn_)];
        }
        std::size_t side(int i, int j) const
        {
            return std::size_t(j - first_) * std::size_t(width_ + 1) + std::size_t(i - firstColumn_);
        }
        void measure(const FinerBounds& of, int last);

        DiamondDeviations::Rows heights_;
        CellKinks::Window kinks_;
        std::vector<Cell> cells_;
        std::vector<float> alongX_, alongY_;  // southern and western sides, for one more column and row
        int first_ = 0, firstColumn_ = 0, width_ = 0;
    };

private:
    int firstColumn_, lastColumn_, cellCount_;  // columns in cells; cells along a side of the square
    DiamondDeviations deviations_;              // for half the unit
    CellKinks kinks_;
};

}  // namespace orogen
