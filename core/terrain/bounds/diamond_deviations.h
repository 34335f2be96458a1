// Deviations (largest vertical distances) of the surface from the triangles of diamonds: pairs with a common base.
//
// In a cell of the grid the difference of the bilinear surface and a plane is a saddle. Over a triangle it is therefore
// largest at samples inside or on the triangle's edges. The legs of a diamond are bases of the four diamonds whose
// errors its own error includes anyway (saturation), so only its base and the samples inside remain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/leb/leb.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Map from the draw lattice, on the square around the raster, to samples. Columns and rows count samples from the
// north-western one; rows grow southwards, lattice y northwards.
struct SurfaceLattice
{
    SurfaceLattice() = default;
    explicit SurfaceLattice(const HeightField& field)
        : SurfaceLattice(field.width, field.height, field.pixelWidth, field.pixelHeight)
    {
    }
    // Sides in samples, pixels in metres.
    SurfaceLattice(int samplesAcross, int samplesDown, double pixelWidth, double pixelHeight)
    {
        const double width = (samplesAcross - 1) * pixelWidth, height = (samplesDown - 1) * pixelHeight;
        const double square = std::max(width, height), half = leb::kDrawSide / 2.0;
        columns = square / pixelWidth / leb::kDrawSide;
        rows = square / pixelHeight / leb::kDrawSide;
        firstColumn = (width - square) / 2 / pixelWidth;
        lastRow = (height + square) / 2 / pixelHeight;
        west = half - half * width / square, east = half + half * width / square;
        south = half - half * height / square, north = half + half * height / square;
    }

    double column(double x) const { return firstColumn + columns * x; }
    double row(double y) const { return lastRow - rows * y; }

    double columns = 1, rows = 1;                     // samples per lattice unit
    double firstColumn = 0, lastRow = 0;              // column and row of the square's south-western corner
    double west = 0, east = 0, south = 0, north = 0;  // extent of the raster in lattice units
};

// Tolerance (samples) for rounding: a position this close to a line of samples counts as on it.
constexpr double kSampleTolerance = 1e-9;

inline int floorOf(double v)
{
    const int i = int(v);
    return i - int(double(i) > v);
}
inline int ceilOf(double v)
{
    const int i = int(v);
    return i + int(double(i) < v);
}

// Samples of a surface, row by row from the north-western one; at least 2 x 2. Does not own them.
template <class Sample>
struct SampleGrid
{
    const Sample* samples = nullptr;
    int width = 0, height = 0;

    const Sample* row(int r) const { return samples + std::size_t(r) * std::size_t(width); }
};

inline SampleGrid<std::uint16_t> gridOf(const HeightField& field)
{
    return {field.codes.data(), field.width, field.height};
}

// Deviations of the two halves of a diamond: south and north of its base, or west and east of it.
struct HalfDeviations
{
    float first = 0, second = 0;
    float largest() const { return std::max(first, second); }
};

// Deviations of the diamonds of one size around the lattice points (i, j), which count units of 2^bits lattice points.
// All deviations are rounded up, in the samples' unit: steps of HeightField::scale metres for std::uint16_t, metres for
// float.  Samples must not be negative.  No other types of samples are defined.
template <class Sample>
class DiamondDeviations
{
public:
    // Prepares columns of units firstColumn .. lastColumn, and their neighbours.
    DiamondDeviations(const SampleGrid<Sample>& field, const SurfaceLattice& lattice, int bits, int firstColumn,
                      int lastColumn);

    // Heights of the surface at the lattice points of rows first .. last.
    class Rows
    {
    public:
        void fill(const DiamondDeviations& of, int first, int last);
        double at(int i, int j) const
        {
            return heights_[std::size_t(j - first_) * width_ + std::size_t(i - firstColumn_)];
        }

    private:
        std::vector<double> heights_;
        std::size_t width_ = 0;
        int first_ = 0, firstColumn_ = 0;
    };

    // Return the deviation of the diamond around (i, j) with a diagonal base, with a base along x, or with one along y.
    float diagonal(const Rows& rows, int i, int j) const;         // uses rows j - 1 and j + 1
    HalfDeviations alongX(const Rows& rows, int i, int j) const;  // uses rows j - 1, j and j + 1
    HalfDeviations alongY(const Rows& rows, int i, int j) const;

private:
    struct Place
    {
        double column, row;
    };
    Place place(int i, int j) const
    {
        return {columns_[std::size_t(i - firstColumn_)], lattice_.row(double(j) * unit_)};
    }
    const Sample* row(int r) const { return field_.row(r); }
    int firstRow(double from) const { return ceilOf(std::max(from, 0.0)); }
    int endRow(double to) const { return floorOf(std::min(to, double(field_.height - 1))) + 1; }
    float span(int r, double from, double to, double at, double value, double slope) const;
    double baseAlongX(Place middle, double west, double east) const;
    double baseAlongY(Place middle, double north, double south) const;
    double baseAcross(Place a, Place b, double heightA, double heightB) const;
    double crossing(double column, double row, bool onColumn) const;

    SampleGrid<Sample> field_;
    const SurfaceLattice& lattice_;
    double unit_;    // in lattice points
    int lastPoint_;  // last point of the square, in units
    int firstColumn_;
    double across_, down_;  // size of a unit in samples
    std::vector<double> columns_;
    std::vector<int> sampleColumns_;
    std::vector<double> fractions_;
};

}  // namespace orogen
