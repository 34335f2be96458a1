#include "compute/signed_digit/kernels/decimal_shapes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "compute/signed_digit/kernels/columns.h"
#include "compute/signed_digit/kernels/paper_threads.h"
#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/kernels/row_addition.h"
#include "compute/signed_digit/kernels/turns.h"

namespace orogen::compute {
namespace {

constexpr std::uint64_t kAnyNumber = std::numeric_limits<std::uint64_t>::max();

std::uint64_t dividedUp(std::uint64_t count, std::uint64_t part) { return (count + part - 1) / part; }

unsigned blocksFor(std::uint64_t threads, unsigned ofEach) { return unsigned(dividedUp(threads, ofEach)); }

}  // namespace

ColumnsShape shapeOfColumns(std::uint64_t rows, std::uint64_t width, unsigned residentBlocks)
{
    constexpr std::uint64_t kFirstBytes = 64 << 20;  // the host executor adds 1 GB/s, the slowest GPU some 50
    ColumnsShape columns;
    columns.vectors = dividedUp(rows * width, kColumnsOfVector);
    // A thread has at least one batch of loads.
    const std::uint64_t useful = dividedUp(columns.vectors, kColumnsThreads * kVectorsInFlight);
    const std::uint64_t blocks = std::clamp<std::uint64_t>(useful, 1, residentBlocks);
    const std::uint64_t period = width / std::gcd(width, std::uint64_t(kColumnsOfVector));
    columns.stride = std::max<std::uint64_t>(1, blocks * kColumnsThreads / period) * period;
    columns.shape = {{unsigned(blocks)}, {kColumnsThreads}};
    columns.steps = dividedUp(columns.vectors, columns.stride);
    columns.first = std::max<std::uint64_t>(1, kFirstBytes / kColumnsOfVector / columns.stride);
    columns.most = kMostColumnTurns;
    return columns;
}

RowAdditionShape shapeOfRowAddition(std::uint64_t rows, std::uint64_t places)
{
    constexpr std::uint64_t kHalo = kRowAdditionThreads / 4, kLanes = 32, kFirstRows = 64;
    RowAdditionShape addition;
    addition.steps = rows;
    addition.first = kFirstRows;
    if (places <= kRowAdditionThreads)
    {
        addition.own = places;
        addition.most = kAnyNumber;
        addition.shape = {{1}, {unsigned(dividedUp(places, kLanes) * kLanes)}};
        return addition;
    }
    addition.own = kRowAdditionThreads - kHalo;
    addition.halo = addition.most = kHalo;
    addition.shape = {{unsigned(dividedUp(places, addition.own))}, {kRowAdditionThreads}};
    return addition;
}

SteppedShape shapeOfThreadColumns(std::uint64_t rows, std::uint64_t width)
{
    constexpr std::uint64_t kFirstRows = 4096;
    return {{{blocksFor(width, kPaperThreads)}, {kPaperThreads}}, rows, kFirstRows, kAnyNumber};
}

PartialProductsShape shapeOfPartialProducts(std::uint64_t pairs, std::uint64_t xWidth, std::uint64_t yWidth)
{
    constexpr std::uint64_t kMostBytes = 256 << 20, kFirstBytes = 1 << 20;  // of the partial products that are kept
    const std::uint64_t width = xWidth + yWidth;
    PartialProductsShape products;
    products.steps = pairs * yWidth;
    products.most = std::max<std::uint64_t>(1, std::min(products.steps, kMostBytes / width));
    products.first = std::max<std::uint64_t>(1, kFirstBytes / width);
    products.shape = shapeOfPartialProductsLaunch(products.most);
    products.columns = {{blocksFor(width, kPaperThreads)}, {kPaperThreads}};
    return products;
}

LaunchShape shapeOfPartialProductsLaunch(std::uint64_t rows)
{
    return {{blocksFor(rows, kPaperThreads)}, {kPaperThreads}};
}

SteppedShape shapeOfPartialColumns(std::uint64_t rows, std::uint64_t columns, unsigned residentBlocks)
{
    constexpr std::uint64_t kFirstRows = 1 << 16, kMostY = 65535;
    const unsigned x = blocksFor(columns, kPartialThreads);
    const std::uint64_t y = std::clamp<std::uint64_t>(residentBlocks / x, 1, std::min(rows, kMostY));
    return {{{x, unsigned(y)}, {kPartialThreads}},
            rows,
            std::max<std::uint64_t>(1, kFirstRows * 100 / columns),
            kAnyNumber};
}

std::uint64_t groupsOfRows(std::uint64_t rows)
{
    return dividedUp(rows, kRowsInVector * kVectorsOfStep) * kVectorsOfStep;
}

unsigned productThreads(std::uint64_t groups)
{
    const std::uint64_t warps = dividedUp(groups, kVectorsOfStep);
    return unsigned(std::clamp<std::uint64_t>(warps * kWarpLanes, kWarpLanes, kProductThreads));
}

ProductsShape shapeOfProducts(std::uint64_t groups, std::uint64_t xWidth, std::uint64_t yWidth, std::uint64_t items,
                              unsigned residentBlocks)
{
    constexpr std::uint64_t kFirstUnits = 1 << 14;
    const unsigned threads = productThreads(groups);
    ProductsShape products;
    products.xTiles = dividedUp(xWidth, kTileSide);
    products.yTiles = dividedUp(yWidth, kTileSide);
    products.stretches = dividedUp(groups, kVectorsOfStep * (threads / kWarpLanes));
    products.steps = products.xTiles * products.yTiles * products.stretches * items;
    products.shape = {{unsigned(std::clamp<std::uint64_t>(products.steps, 1, residentBlocks))}, {threads}};
    products.first = kFirstUnits;
    products.most = kAnyNumber;
    return products;
}

SteppedShape stepOfTurns(std::uint64_t vectors)
{
    return {{{blocksFor(vectors, kTurnsThreads)}, {kTurnsThreads}}, 1, 1, 1};
}

std::uint64_t outputsAtATime(std::uint64_t vectors, std::uint64_t n)
{
    constexpr std::uint64_t kMostBytes = 16 << 20, kBytesOfVector = 16;
    return std::clamp<std::uint64_t>(kMostBytes / (kBytesOfVector * vectors), 1, n);
}

}  // namespace orogen::compute
