// The shapes of this module's launches, from sizes and from how many blocks a device holds at once: the same for a
// launch that is made and for one that is only planned.
#pragma once

#include <cstdint>

#include "compute/device/launch.h"

namespace orogen::compute {

// Work in steps, of which a launch does some.
struct SteppedShape
{
    LaunchShape shape;
    std::uint64_t steps = 0;
    std::uint64_t first = 1;  // steps of the first launch: what the slowest device does in some 20 ms
    std::uint64_t most = 1;   // of any launch
};

// ---- columns.h ----
// A step is a turn: every thread adds a vector of 16 digits.
struct ColumnsShape : SteppedShape
{
    std::uint64_t vectors = 0, stride = 0;
};
ColumnsShape shapeOfColumns(std::uint64_t rows, std::uint64_t width, unsigned residentBlocks);

// ---- row_addition.h ----
// A step is a row.
struct RowAdditionShape : SteppedShape
{
    std::uint64_t own = 0, halo = 0;  // of a block
};
RowAdditionShape shapeOfRowAddition(std::uint64_t rows, std::uint64_t places);

// ---- paper_threads.h ----
// A step is a row: of numbers, of partial products.
SteppedShape shapeOfThreadColumns(std::uint64_t rows, std::uint64_t width);
struct PartialProductsShape : SteppedShape
{
    LaunchShape columns;
};
PartialProductsShape shapeOfPartialProducts(std::uint64_t pairs, std::uint64_t xWidth, std::uint64_t yWidth);
// Blocks of threads that form so many partial products.
LaunchShape shapeOfPartialProductsLaunch(std::uint64_t rows);

// ---- products.h ----
// A step is a row of each factor.
SteppedShape shapeOfPartialColumns(std::uint64_t rows, std::uint64_t columns, unsigned residentBlocks);

// A step is a unit.
struct ProductsShape : SteppedShape
{
    std::uint64_t xTiles = 0, yTiles = 0, stretches = 0;
};
// Groups of 16 rows that so many rows are packed into: whole steps of 64.
std::uint64_t groupsOfRows(std::uint64_t rows);
// Threads of a block for factors of so many groups of 16 rows: no more warps than have rows.
unsigned productThreads(std::uint64_t groups);
ProductsShape shapeOfProducts(std::uint64_t groups, std::uint64_t xWidth, std::uint64_t yWidth, std::uint64_t items,
                              unsigned residentBlocks);

// ---- turns.h ----
// One step.
SteppedShape stepOfTurns(std::uint64_t vectors);
// Of n outputs those whose turns are kept at a time, so many vectors each.
std::uint64_t outputsAtATime(std::uint64_t vectors, std::uint64_t n);

}  // namespace orogen::compute
