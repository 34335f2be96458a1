#include "core/terrain/tiles/tiled_ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/vec2.hpp>

#include "core/terrain/detail/detail.h"

namespace orogen {
namespace {

// Returns a position in samples from the north-western one, clamped to the raster. `east`, `north`: metres from the
// terrain's centre.
glm::dvec2 samplePlace(const Raster& raster, double east, double north)
{
    const double column = east / raster.pixelWidth + (raster.width - 1) / 2.0;
    const double row = (raster.height - 1) / 2.0 - north / raster.pixelHeight;
    return {std::clamp(column, 0.0, double(raster.width - 1)), std::clamp(row, 0.0, double(raster.height - 1))};
}

bool holds(const TileKey& key, const glm::dvec2& place)
{
    const double side = std::ldexp(double(kTileCells), key.level);
    return place.x >= key.x * side && place.x <= (key.x + 1) * side && place.y >= key.y * side &&
           place.y <= (key.y + 1) * side;
}

}  // namespace

int finestLevelAt(std::span<const ActiveTile> active, const Raster& raster, double east, double north)
{
    const glm::dvec2 place = samplePlace(raster, east, north);
    int finest = TileGrid(raster.width, raster.height).levels() - 1;
    for (const ActiveTile& tile : active)
        if (tile.key.level < finest && holds(tile.key, place)) finest = tile.key.level;
    return finest;
}

FinerGround tiledGround(const TileCache& cache, const Raster& raster, double east, double north)
{
    const int level = finestLevelAt(cache.active(), raster, east, north);
    return {[&cache](double e, double n) { return double(cache.heightAt(e, n)); }, std::ldexp(raster.pixelWidth, level),
            std::ldexp(raster.pixelHeight, level)};
}

Result<std::optional<double>> sourceHeightAt(const TileSource& source, double east, double north)
{
    const Raster& raster = source.raster();
    const glm::dvec2 place = samplePlace(raster, east, north);
    const int column = std::min(int(place.x), raster.width - 2), row = std::min(int(place.y), raster.height - 2);
    Result<std::unique_ptr<TileReader>> reader = source.openReader();
    if (!reader) return reader.error();
    std::array<float, 4> corners = {};
    if (Status s = (*reader)->read({0, column, row, 2, 2}, corners); !s) return s.error();
    if (std::ranges::any_of(corners, [](float height) { return std::isnan(height); })) return std::optional<double>();
    const double x = place.x - column, y = place.y - row;
    const double upper = std::lerp(double(corners[0]), double(corners[1]), x);
    const double lower = std::lerp(double(corners[2]), double(corners[3]), x);
    return std::optional(std::lerp(upper, lower, y));
}

double drawnGroundUnder(const TileCache& cache, const glm::dvec3& position, const EarthLook& look)
{
    const FacePlace place = facePlaceOf(scaledDirectionUnder(position));
    const double sea = look.sea.value_or(-std::numeric_limits<double>::infinity());
    double height = double(cache.heightAt(place));
    if (look.detail)
        height += madeHeightOnCube(*look.detail, place, cache.levelAt(place), cache.reliefAt(place), height - sea);
    return std::max(height, sea) * look.heightScale;
}

}  // namespace orogen
