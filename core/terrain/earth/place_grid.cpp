#include "core/terrain/earth/place_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

FacePlace facePlace(const TileGrid& grid, const TileWindow& window, int column, int row)
{
    const double step = latticeStep(grid, window.level);
    return {window.face, glm::dvec2(window.column + column, window.row + row) * step};
}

// Returns the place of the ellipsoid's normal n, without computing earth-fixed coordinates.
LatLong placeOf(const glm::dvec3& n)
{
    constexpr double kFlat = kEarthEquatorRadius / kEarthPoleRadius;
    return {glm::degrees(std::atan2(n.z * kFlat, std::hypot(n.x, n.y))), glm::degrees(std::atan2(n.y, n.x))};
}

// Cells of a grid that are interpolated together, along a side.
constexpr int kBlock = 8;

struct Block
{
    int column, row, width, height;  // in places; includes one more place in each direction
};

std::vector<Block> blocksOf(const PlaceGrid& grid)
{
    std::vector<Block> blocks;
    for (int row = 0; row < std::max(grid.height - 1, 1); row += kBlock)
        for (int column = 0; column < std::max(grid.width - 1, 1); column += kBlock)
            blocks.push_back(
                {column, row, std::min(kBlock, grid.width - 1 - column), std::min(kBlock, grid.height - 1 - row)});
    return blocks;
}

FaceBox boxOf(const PlaceGrid& grid, const Block& block)
{
    const glm::dvec2 cells(std::max(grid.width - 1, 1), std::max(grid.height - 1, 1));
    const glm::dvec2 step = (grid.box.high - grid.box.low) / cells;
    const glm::dvec2 low = grid.box.low + step * glm::dvec2(block.column, block.row);
    return {grid.box.face, low, low + step * glm::dvec2(block.width, block.height)};
}

// The corners of a block, and its middle.
constexpr std::size_t kProbes = 5;

void addProbes(const PlaceGrid& grid, const Block& block, std::vector<LatLong>& places)
{
    for (const auto& [column, row] :
         {std::pair(0, 0), std::pair(block.width, 0), std::pair(0, block.height), std::pair(block.width, block.height),
          std::pair(block.width / 2, block.height / 2)})
        places.push_back(grid.places[grid.at(block.column + column, block.row + row)]);
}

glm::dvec2 interpolated(std::span<const glm::dvec2> corners, const Block& block, int column, int row)
{
    const double s = block.width > 0 ? double(column) / block.width : 0.0;
    const double t = block.height > 0 ? double(row) / block.height : 0.0;
    return (corners[0] * (1.0 - s) + corners[1] * s) * (1.0 - t) + (corners[2] * (1.0 - s) + corners[3] * s) * t;
}

void fillBlock(const InsetMap& map, const PlaceGrid& grid, const Block& block, std::span<const glm::dvec2> probes,
               double tolerance, std::vector<glm::dvec2>& out)
{
    const glm::dvec2 off = interpolated(probes, block, block.width / 2, block.height / 2) - probes[4];
    const bool smooth = std::hypot(off.x, off.y) <= tolerance;  // false if one of them is NaN
    for (int row = 0; row <= block.height; ++row)
    {
        const std::size_t first = grid.at(block.column, block.row + row), count = std::size_t(block.width) + 1;
        if (smooth)
            for (int column = 0; column <= block.width; ++column)
                out[first + std::size_t(column)] = interpolated(probes, block, column, row);
        else
            map.samplesOf(std::span(grid.places).subspan(first, count), std::span(out).subspan(first, count));
    }
}

}  // namespace

double latticeStep(const TileGrid& grid, int level)
{
    return std::ldexp(double(kCubeSide) / kTileCells, level + 1 - grid.levels());
}

FaceBox boxOf(const TileGrid& grid, const TileWindow& window)
{
    return {window.face, facePlace(grid, window, 0, 0).at,
            facePlace(grid, window, window.width - 1, window.height - 1).at};
}

void placesOf(const TileGrid& grid, const TileWindow& window, PlaceGrid& places)
{
    places.width = window.width, places.height = window.height;
    places.box = boxOf(grid, window);
    places.places.clear();
    for (int row = 0; row < window.height; ++row)
        for (int column = 0; column < window.width; ++column)
            places.places.push_back(placeOf(scaledDirection(facePlace(grid, window, column, row))));
}

double spacingAt(const TileGrid& grid, const TileWindow& window)
{
    const int column = window.width / 2, row = window.height / 2;
    const auto position = [&](int x, int y) { return onEllipsoid(scaledDirection(facePlace(grid, window, x, y))); };
    const glm::dvec3 middle = position(column, row);
    return std::min(glm::distance(middle, position(column + 1, row)), glm::distance(middle, position(column, row + 1)));
}

void samplesOf(const InsetReader& inset, const PlaceGrid& grid, double metres, double tolerance,
               std::vector<glm::dvec2>& out)
{
    const InsetMap& map = inset.map();
    out.assign(grid.places.size(), glm::dvec2(std::numeric_limits<double>::quiet_NaN()));
    if (map.simple()) return map.samplesOf(grid.places, out);
    std::vector<Block> blocks = blocksOf(grid);
    std::erase_if(blocks, [&](const Block& block) { return !inset.inset().meets(boxOf(grid, block), metres); });
    std::vector<LatLong> places;
    for (const Block& block : blocks)
        addProbes(grid, block, places);
    std::vector<glm::dvec2> probes(places.size());
    map.samplesOf(places, probes);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        fillBlock(map, grid, blocks[i], std::span(probes).subspan(i * kProbes, kProbes), tolerance, out);
}

}  // namespace orogen
