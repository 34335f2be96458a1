// Bound of the error of triangles smaller than a cell of the lattice, for diamond_errors.cpp.
//
// Inside a grid cell the surface is bilinear; at grid lines its slope jumps. Take a window w_x samples wide and w_y
// high, and a function of x, linear between grid lines, whose slope jumps by at most J. It differs from a linear
// interpolation by at most J g(w_x). g(w) = w / 4 while one kink in the middle is the worst case (w <= 1 + 1 / sqrt 2).
// (w^2 + 1) / 8 holds for any number of kinks: the parabola that they follow, plus the distance from it. The rest of
// the surface is not a sum of functions of x and of y. It is the integral of the cells' twist c over rectangles that
// begin at the evaluated point, weighted with its barycentric coordinates. For the corners of a right triangle with its
// legs along the axes the sum is at most w_x w_y / 4; with its base along an axis, at most 0.1415 w_x w_y.
#pragma once

#include <cstdint>
#include <vector>

#include "core/terrain/bounds/surface_lattice.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Bounds for cells of the lattice with sides of 2^bits lattice points.
class CellKinks
{
public:
    CellKinks(const HeightField& field, const SurfaceLattice& lattice, int bits) noexcept;

    // Bounds for one cell (codes), for triangles of diamonds in it: with legs half as long as its sides, and with a
    // base half as long as one.
    struct Bounds
    {
        float legs = 0, base = 0;
    };

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
