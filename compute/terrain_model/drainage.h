// Where the water of a raster flows: every cell's receiver, and how many cells drain through it.
//
// A cell drains to its receiver, that of its eight neighbours with the steepest descent (D8; O'Callaghan and Mark
// 1984).  Among equal descents the receiver is the neighbour with the lowest index.  Fixed cells are outlets.
//
// The water of a depression leaves over its lowest sill.  Basins are joined over their lowest passes, beginning at the
// outlets.  The receivers from a pass down to the bottom of its basin are then reversed.  There, on the floor of a
// lake, receivers are higher than their cells.  See Cordonnier, Bovy and Braun, "A versatile, linear complexity
// algorithm for flow routing in topographies with depressions", Earth Surface Dynamics 7, 2019.
//
// Every cell drains to its outlet over the lowest possible pass.  Each other way to an outlet has a highest cell that
// is at least as high.  Results depend on the heights alone, not on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "compute/terrain_model/diffusion.h"
#include "core/base/thread_pool.h"

namespace orogen::compute {

struct DrainedRaster
{
    std::span<const double> heights;  // row by row
    std::span<const CellKind> kinds;  // fixed cells are outlets, cells outside have no water
    int width = 0, height = 0;
    double alongX = 1, alongY = 1;  // spacings
};

class Drainage
{
public:
    // Finds the flow of a raster.  Each part that is connected by eight neighbours needs a fixed cell.  A part without
    // one drains nowhere: its cells have no place in order().  Takes O(cells + passes log passes).
    void route(const DrainedRaster& raster, ThreadPool& pool);

    // Continues from receivers of steepest descent that were found elsewhere; a pit is its own receiver.  Sets only
    // receivers() and depressions(); empties order(), and leaves cells() undefined.
    void join(const DrainedRaster& raster, std::vector<std::uint32_t> receivers);
    // Sets cells() to counts that were made elsewhere.
    void setCells(std::vector<std::uint32_t> cells) { cells_ = std::move(cells); }

    // Returns, for each cell, the cell that it drains to.  That is the cell itself if it is an outlet, is outside, or
    // is a pit from which no outlet can be reached.
    std::span<const std::uint32_t> receivers() const { return receivers_; }
    // Returns all cells that drain to an outlet, each after its receiver.
    std::span<const std::uint32_t> order() const { return order_; }
    // Returns, for each cell, the number of cells that drain through it, including itself; 1 outside order().
    std::span<const std::uint32_t> cells() const { return cells_; }
    std::uint32_t depressions() const { return depressions_; }

    // Returns the distance between a cell and its receiver, in the unit of the spacings.
    double distance(std::uint32_t cell) const;

private:
    struct Pass
    {
        std::uint32_t from, to;         // basins
        std::uint32_t inside, outside;  // neighbouring cells, in basin `from` and in basin `to`
        double level;                   // height of the pass: that of the higher one of its two cells
    };

    void begin(const DrainedRaster& raster);
    void descend(const DrainedRaster& raster, ThreadPool& pool);
    void labelBasins(const DrainedRaster& raster);
    std::vector<Pass> passes(const DrainedRaster& raster) const;
    void joinBasins(const DrainedRaster& raster);
    void carve(std::uint32_t inside, std::uint32_t outside);
    void sortCells(const DrainedRaster& raster);

    int width_ = 0;
    double alongX_ = 1, alongY_ = 1, diagonal_ = 1;
    std::vector<std::uint32_t> receivers_, order_, cells_;
    std::vector<std::uint32_t> basins_;  // by cell; 0: the cell drains to an outlet, or is outside
    std::vector<std::uint32_t> firstDonor_, donors_;
    std::uint32_t depressions_ = 0;
};

}  // namespace orogen::compute
