// Errors of diamonds (two triangles with a common base) finer than the stored ones. They are saturated: each bounds a
// diamond and all diamonds from its further bisection. A cell is a square of the finest stored lattice. The two depths
// below the stored ones, bases on a cell's diagonals and sides, are measured. Finer triangles lie in a cell, with legs
// at most half as long as its sides. Their errors are bounded by the surface's kinks and twist in the cell (CellKinks).
// The twist of a grid cell is the mixed second difference of its four samples. Bisection of a diamond whose base lies
// along an axis spreads over at most two units around its middle. For the finest stored diamonds, a unit is the side of
// a cell.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/terrain/bounds/diamond_deviations.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Bounds for the triangles in one cell (in the samples' unit): `legs` for triangles with legs half as long as the
// cell's sides, `base` for those with a base half as long as a side.
struct KinkBounds
{
    float legs = 0, base = 0;
};

// Bounds for cells of the lattice with sides of 2^bits lattice points.
//
// Inside a grid cell the surface is bilinear; at grid lines its slope jumps. Take a window w_x samples wide and w_y
// high, and a function of x, linear between grid lines, whose slope jumps by at most J. The function differs from a
// linear interpolation by at most J g(w_x). g(w) = w / 4 while one kink in the middle is the worst case (w <= 1 + 1 /
// sqrt 2). (w^2 + 1) / 8 holds for any number of kinks: the parabola that they follow, plus the distance from it. The
// rest of the surface is not a sum of functions of x and of y. That rest is the integral of the cells' twist c over
// rectangles that begin at the evaluated point, weighted with its barycentric coordinates. For the corners of a right
// triangle with its legs along the axes the sum is at most w_x w_y / 4; with its base along an axis, at most 0.1415 w_x
// w_y.
template <class Sample>
class CellKinks
{
public:
    CellKinks(const SampleGrid<Sample>& field, const SurfaceLattice& lattice, int bits) noexcept;

    using Bounds = KinkBounds;

    // Bounds of rows of cells first .. last in columns firstColumn .. lastColumn, south to north; 0 outside the square.
    class Window
    {
    public:
        void fill(const CellKinks& of, int firstColumn, int lastColumn, int first, int last);
        Bounds at(int i, int j) const
        {
            return bounds_[std::size_t(j - first_) * std::size_t(width_) + std::size_t(i - firstColumn_)];
        }

    private:
        void gather(const CellKinks& of, int j);
        void addJumpsAlong(const CellKinks& of, double at);
        void chooseSamples(const CellKinks& of, int lastColumn);
        Bounds cell(const CellKinks& of, int i) const;

        struct Range
        {
            float low, high;
            void add(float v) { low = v < low ? v : low, high = v > high ? v : high; }
            void add(Range r) { low = r.low < low ? r.low : low, high = r.high > high ? r.high : high; }
        };
        Range jumpYAt(double column) const;

        std::vector<Bounds> bounds_;
        std::vector<Range> jumpX_, jumpY_, twist_;  // by column, over the sample rows touching a row of cells
        int firstSample_ = 0, lastSample_ = 0;      // columns of samples that the cells touch
        int firstColumn_ = 0, first_ = 0, width_ = 0;
    };

private:
    SampleGrid<Sample> field_;
    const SurfaceLattice& lattice_;
    double unit_;
    int cells_;  // along a side of the square
    // g(w) of half a cell (wide...) and of a quarter (half...), in x and y; factors of the twist c in KinkBounds::legs
    // and base.
    float wideX_, wideY_, halfX_, halfY_, twistLegs_, twistBase_;
};

template <class Sample>
class FinerBounds
{
public:
    // Prepares cells with sides of 2^bits lattice points (one unit), for points of columns firstColumn .. lastColumn.
    FinerBounds(const SampleGrid<Sample>& field, const SurfaceLattice& lattice, int bits, int firstColumn,
                int lastColumn);

    // Bounds (in the samples' unit) around the points of rows first .. last; around() and share() also take row `last`
    // + 1.
    class Window
    {
    public:
        void fill(const FinerBounds& of, int first, int last);

        // Returns the saturated error of all finer triangles in the diamond with an axis-aligned base around (i, j).
        float around(int i, int j) const;
        // Returns a bound for the square of 2 x 2 cells from point (i, j), and bases as long as a cell's diagonal. For
        // bases shorter by the factor 2^(k / 2), the error is at most the bound divided by that factor. A diamond on
        // the square's border counts with its half inside; the other half counts in the next square.
        float share(int i, int j) const;

        // Return the saturated error of a diamond drawn as patches of level 2: triangles four depths finer. Point (i,
        // j) is the middle of its base: four units long along an axis, or a diagonal of four units each way.
        float patchAlongAxis(int i, int j) const;
        float patchDiagonal(int i, int j) const;

    private:
        struct Cell
        {
            float within;                    // bound for all triangles in the cell
            KinkBounds beyond;               // bounds for triangles finer than those measured
            float shareWithin, shareBeyond;  // as for share(): scaled to a base as long as the diagonal
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

        typename DiamondDeviations<Sample>::Rows heights_;
        typename CellKinks<Sample>::Window kinks_;
        std::vector<Cell> cells_;
        std::vector<float> alongX_, alongY_;  // deviations at cells' southern and western sides; a column and row more
        int first_ = 0, firstColumn_ = 0, width_ = 0;
    };

private:
    int firstColumn_, lastColumn_, cellCount_;  // columns in cells; cells along a side of the square
    DiamondDeviations<Sample> deviations_;      // for half the unit
    CellKinks<Sample> kinks_;
};

}  // namespace orogen
