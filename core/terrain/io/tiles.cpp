#include "core/terrain/io/tiles.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/hgt_reader.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/georeference.h"

namespace orogen {
namespace {

bool endsWith(const std::string& path, std::string_view suffix)
{
    if (path.size() < suffix.size()) return false;
    return std::equal(suffix.begin(), suffix.end(), path.end() - std::ptrdiff_t(suffix.size()),
                      [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

bool isZip(const std::string& path) { return endsWith(path, ".zip"); }
bool isHgt(const std::string& path) { return endsWith(path, ".hgt") || isZip(path); }

// Returns sorted paths, so that the result does not depend on the file system.
Result<std::vector<std::string>> tilePaths(const std::string& folder)
{
    std::vector<std::string> paths;
    std::error_code error;
    std::filesystem::directory_iterator entry(folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
        if (std::error_code ignored; entry->is_regular_file(ignored))
            if (const std::string path = entry->path().string(); isTiffName(path) || (isHgt(path) && hgtPosition(path)))
                paths.push_back(path);
    if (error) return inputError(folder, error.message());
    if (paths.empty()) return inputError(folder, "a folder without tiles, expected files like N34W119.hgt or GeoTIFF");
    std::sort(paths.begin(), paths.end());
    const auto hgt = std::find_if(paths.begin(), paths.end(), isHgt);
    const auto tiff = std::find_if(paths.begin(), paths.end(), isTiffName);
    if (hgt != paths.end() && tiff != paths.end())
        return inputError(folder, fmt::format("tiles of two kinds, {} and {}, expected one", *hgt, *tiff));
    return paths;
}

Result<FolderTile> readHeader(const std::string& path)
{
    const Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    Result<Raster> header = isZip(path)   ? readHgtZipHeader(*source)
                            : isHgt(path) ? readHgtHeader(*source)
                                          : readGeoTiffHeader(*source);
    if (!header) return header.error();
    if (!header->placement || !header->placement->positioned)
        return inputError(path, "a tile without a position, expected a georeferenced TIFF");
    return FolderTile{path, std::move(*header)};
}

// Sets the tile's position on the grid of `first`.
Status fit(const FolderTile& first, FolderTile& tile)
{
    const Placement& a = *first.header.placement;
    const Placement& b = *tile.header.placement;
    const auto differ = [](double x, double y) { return std::fabs(x - y) > 1e-6 * std::fabs(x); };
    if (first.header.crs != tile.header.crs || a.geographic != b.geographic || differ(a.unit, b.unit))
        return inputError(tile.path, fmt::format("coordinate system '{}', but {} has '{}'", tile.header.crs, first.path,
                                                 first.header.crs));
    if (differ(a.stepEast, b.stepEast) || differ(a.stepSouth, b.stepSouth))
        return inputError(tile.path, fmt::format("pixel size {:g} x {:g}, but {} has {:g} x {:g}", b.stepEast,
                                                 b.stepSouth, first.path, a.stepEast, a.stepSouth));
    const double column = (b.x - a.x) / a.stepEast, row = (a.y - b.y) / a.stepSouth;
    if (!(std::fabs(column) < 1e9 && std::fabs(row) < 1e9))
        return inputError(tile.path, fmt::format("a position far from that of {}", first.path));
    if (std::fabs(column - std::round(column)) > 0.05 || std::fabs(row - std::round(row)) > 0.05)
        return inputError(tile.path, fmt::format("off the grid of {} by {:.3f} and {:.3f} pixels", first.path,
                                                 column - std::round(column), row - std::round(row)));
    tile.column = std::int64_t(std::round(column));
    tile.row = std::int64_t(std::round(row));
    return Status::ok();
}

Result<std::vector<FolderTile>> readHeaders(const std::string& folder)
{
    const Result<std::vector<std::string>> paths = tilePaths(folder);
    if (!paths) return paths.error();
    std::vector<FolderTile> tiles;
    for (const std::string& path : *paths)
    {
        Result<FolderTile> tile = readHeader(path);
        if (!tile) return tile.error();
        tiles.push_back(std::move(*tile));
        if (Status status = fit(tiles.front(), tiles.back()); !status) return status.error();
    }
    return tiles;
}

Status copyTile(const FolderTile& tile, const SourceOverrides& overrides, Raster& raster)
{
    const Result<ByteSource> source = ByteSource::open(tile.path);
    if (!source) return source.error();
    Result<Raster> part = isZip(tile.path)   ? readHgtZip(*source)
                          : isHgt(tile.path) ? readHgt(*source)
                                             : readGeoTiff(*source);
    if (!part) return part.error();
    if (part->width != tile.header.width || part->height != tile.header.height)
        return inputError(tile.path, "the file changed while it was read");
    takeMetres(*part, overrides);
    if (part->heightUnit) raster.heightUnit = part->heightUnit;
    if (part->aboveEllipsoid) raster.aboveEllipsoid = part->aboveEllipsoid;
    raster.code = part->code;
    raster.nodata = part->nodata;
    for (int y = 0; y < part->height; ++y)
        for (int x = 0; x < part->width; ++x)
        {
            float& kept =
                raster.heights[std::size_t(tile.row + y) * std::size_t(raster.width) + std::size_t(tile.column + x)];
            const float height = part->at(x, y);
            // A void, or a nodata marker beyond kLargestHeight, does not replace a height of another tile.
            if (std::fabs(height) <= kLargestHeight || std::isnan(kept)) kept = height;
        }
    // Report warnings shared by several tiles once.
    for (const std::string& warning : part->warnings)
        if (std::find(raster.warnings.begin(), raster.warnings.end(), warning) == raster.warnings.end())
            raster.warnings.push_back(warning);
    return Status::ok();
}

}  // namespace

bool isTiffName(const std::string& path) { return endsWith(path, ".tif") || endsWith(path, ".tiff"); }

Result<TileFolder> lookAtFolder(const std::string& folder, std::uint64_t largestSide)
{
    Result<std::vector<FolderTile>> tiles = readHeaders(folder);
    if (!tiles) return tiles.error();
    std::int64_t west = 0, north = 0, east = 0, south = 0;
    for (const FolderTile& tile : *tiles)
    {
        west = std::min(west, tile.column);
        north = std::min(north, tile.row);
        east = std::max(east, tile.column + tile.header.width);
        south = std::max(south, tile.row + tile.header.height);
    }
    TileFolder result{tiles->front().header, std::move(*tiles)};
    Raster& raster = result.raster;
    raster.name = folder;
    raster.format = (isHgt(result.tiles.front().path) ? "HGT" : raster.format) + " tiles";
    raster.placement->x += double(west) * raster.placement->stepEast;
    raster.placement->y -= double(north) * raster.placement->stepSouth;
    raster.warnings.clear();
    if (Status status = checkSides(folder, std::uint64_t(east - west), std::uint64_t(south - north), largestSide);
        !status)
        return status.error();
    raster.width = int(east - west);
    raster.height = int(south - north);
    for (FolderTile& tile : result.tiles)
    {
        tile.column -= west;
        tile.row -= north;
        raster.bits = std::max(raster.bits, tile.header.bits);
    }
    return result;
}

Result<Raster> readTiles(const std::string& folder, const LoadProgress& callback, const SourceOverrides& overrides)
{
    Result<TileFolder> look = lookAtFolder(folder);
    if (!look) return look.error();
    Raster& raster = look->raster;
    std::uint64_t largest = 0;
    for (const FolderTile& tile : look->tiles)
        largest = std::max(largest, std::uint64_t(tile.header.width) * std::uint64_t(tile.header.height));
    const Status memory =
        allocateHeights(raster, std::uint64_t(raster.width), std::uint64_t(raster.height), largest * sizeof(float));
    if (!memory) return memory.error();
    Progress progress(callback, folder);
    for (std::size_t i = 0; i < look->tiles.size(); ++i)
    {
        if (!progress.at(i, look->tiles.size())) return progress.interrupted();
        if (Status status = copyTile(look->tiles[i], overrides, raster); !status) return status.error();
    }
    if (Status status = finalizeRaster(raster, overrides); !status) return status.error();
    return std::move(raster);
}

}  // namespace orogen
