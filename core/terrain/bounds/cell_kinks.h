// What triangles that are smaller than a cell of the lattice can miss, for diamond_errors.cpp.
//
// Inside a grid cell the surface is bilinear; at the grid's lines its slope jumps.  Over a window w_x samples wide and
// w_y high, a function of x alone that is linear between grid lines and whose slope jumps by at most J is off from a
// linear interpolation by at most J g(w_x), where g(w) = w / 4 while one kink in the middle is the worst
// (w <= 1 + 1 / sqrt 2), and (w^2 + 1) / 8 holds for any number of them (the parabola that they follow, and how far
// they leave it).  The rest of the surface, what makes it no sum of a function of x and one of y, is the integral of
// the cells' twist c over rectangles that begin at the point where the triangle is looked at.  Weighted with the
// point's barycentric coordinates, those to the corners of a right triangle with its legs along the axes add up to at
// most w_x w_y / 4, those to the corners of one with its base along an axis to at most 0.1415 w_x w_y.
#pragma once

#include <cstdint>
#include <vector>

#include "core/terrain/bounds/surface_lattice.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Of the cells of the lattice whose side is 2^bits lattice points.
class CellKinks
{
public:
    CellKinks(const HeightField& field, const SurfaceLattice& lattice, int bits) noexcept;

    // Bounds of one cell in codes, on triangles of diamonds that lie in it: with legs half as long as its sides, and
    // with a base half as long as one.
    struct Bounds
    {
        float legs = 0, base = 0;
    };

    // Rows of cells first .. last by columns firstColumn .. lastColumn, south to north; none outside the square.
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
        Bounds cell(const CellKinks& of, int i) const;

        struct Range
        {
            float low, high;
            void add(float v) { low = v < low ? v : low, high = v > high ? v : high; }
            void add(Range r) { low = r.low < low ? r.low : low, high = r.high > high ? r.high : high; }
        };
        Range jumpYAt(double column) const;

        std::vector<Bounds> bounds_;
        std::vector<Range> jumpX_, jumpY_, twist_;  // of a column, over the rows of cells that a row of cells touches
        int firstColumn_ = 0, first_ = 0, width_ = 0;
    };

private:
    const HeightField& field_;
    const SurfaceLattice& lattice_;
    double unit_;
    int cells_;  // along a side of the square
    float wideX_, wideY_, halfX_, halfY_, twistLegs_, twistBase_;
};

}  // namespace orogen
