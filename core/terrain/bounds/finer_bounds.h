// Errors of diamonds that are finer than the finest stored ones, for diamond_errors.cpp.
//
// The two depths that follow the stored ones are measured, cell by cell of the finest lattice: diagonals of cells, and
// their sides.  What is finer still lies in a cell, with legs half as long as its sides or less, and is bounded by the
// kinks of the surface there (cell_kinks.h).  Of the diamonds that bisection makes of one, none reaches further than
// twice the unit of those with a base along an axis: from the finest stored, two cells.
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
    // Of the lattice whose unit is 2^bits, for points of columns firstColumn .. lastColumn.
    FinerBounds(const HeightField& field, const SurfaceLattice& lattice, int bits, int firstColumn, int lastColumn);

    // Bounds around the points of rows first .. last, in codes; `last` + 1 too but for the functions of patches.
    class Window
    {
    public:
        void fill(const FinerBounds& of, int first, int last);

        // Saturated, of all that a diamond with a base along an axis, around point (i, j), is made of.
        float around(int i, int j) const;
        // For the square of 2 x 2 cells from point (i, j): a diamond whose base is the diagonal of a cell divided by
        // some 2^(k / 2), and all that it is made of, have no more than this divided by the same, where its triangles
        // lie in the square.  Of one that the square's border cuts, the other half is the next square's.
        float share(int i, int j) const;

        // Saturated, of the triangles two levels of patches finer than the diamonds of twice the unit, and so measured:
        // around point (i, j), where a base of four units along an axis, or a diagonal of four units each way, has its
        // middle.
        float patchAlongAxis(int i, int j) const;
        float patchDiagonal(int i, int j) const;

    private:
        struct Cell
        {
            float within;                    // all
            CellKinks::Bounds beyond;        // what is finer than measured
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
        std::vector<float> alongX_, alongY_;  // of the sides in the south and in the west, of a column and a row more
        int first_ = 0, firstColumn_ = 0, width_ = 0;
    };

private:
    int firstColumn_, lastColumn_, cellCount_;  // of cells; along a side of the square
    DiamondDeviations deviations_;              // of half the unit
    CellKinks kinks_;
};

}  // namespace orogen
