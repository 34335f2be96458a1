// Mapping from points of the draw lattice (core/leb/diamond.h) to samples of a raster, which is centred in the square.
#pragma once

#include <algorithm>

#include "core/leb/diamond.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Columns and rows count samples from the north-western one; rows grow southwards, lattice y northwards.
struct SurfaceLattice
{
    explicit SurfaceLattice(const HeightField& field)
    {
        const double width = (field.width - 1) * field.pixelWidth, height = (field.height - 1) * field.pixelHeight;
        const double square = std::max(width, height), half = leb::kDrawSide / 2.0;
        columns = square / field.pixelWidth / leb::kDrawSide;
        rows = square / field.pixelHeight / leb::kDrawSide;
        firstColumn = (width - square) / 2 / field.pixelWidth;
        lastRow = (height + square) / 2 / field.pixelHeight;
        west = half - half * width / square, east = half + half * width / square;
        south = half - half * height / square, north = half + half * height / square;
    }

    double column(double x) const { return firstColumn + columns * x; }
    double row(double y) const { return lastRow - rows * y; }

    double columns, rows;                             // samples per lattice unit
    double firstColumn, lastRow;                      // position of the square's south-western corner
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

}  // namespace orogen
