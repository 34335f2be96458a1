#include "core/terrain/sources/open_source.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/io/tiles.h"
#include "core/terrain/sources/folder_tiles.h"
#include "core/terrain/sources/gdal_tiles.h"
#include "core/terrain/sources/geotiff_tiles.h"
#include "core/terrain/sources/raster_tiles.h"
#include "core/terrain/sources/synthetic_tiles.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

bool isLarge(const Raster& raster) { return std::max(raster.width, raster.height) > kLargestImageSide; }

Result<OpenedTerrain> inTiles(std::shared_ptr<const TileSource> tiles)
{
    Raster description = tiles->raster();
    return OpenedTerrain{std::move(description), std::move(tiles)};
}

template <class Source>
Result<OpenedTerrain> inTiles(const Result<std::shared_ptr<const Source>>& tiles)
{
    return tiles ? inTiles(std::shared_ptr<const TileSource>(*tiles)) : Result<OpenedTerrain>(tiles.error());
}

// Opens a file in tiles if its header shows a large raster or a sparse GeoTIFF. Empty: the file is to be read whole.
Result<std::optional<OpenedTerrain>> openLargeFile(const std::string& path, const SourceOverrides& overrides)
{
    const Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    std::array<unsigned char, 64> bytes{};
    const std::span head(bytes.data(), source->read(0, bytes.data(), bytes.size()));
    Result<OpenedTerrain> opened = OpenedTerrain{};
    if (isTiff(head))
    {
        const Result<TiffFile> file = TiffFile::open(*source, TiffFile::Index::kOnDemand);
        if (!file) return file.error();
        const Result<GeoTiffHeader> header = readGeoTiffHeader(*file, kMaxTiledSide);
        if (!header) return header.error();
        const bool sparse = !canHoldImage(header->layout, source->size());  // or damaged: open() below reports it
        if (!isLarge(header->raster) && !sparse) return std::optional<OpenedTerrain>();
        opened = inTiles(GeoTiffTiles::open(path, overrides));
    }
    else if (isReadByGdal(*source))
    {
        const Result<Raster> header = readGdalHeader(path, kMaxTiledSide);
        if (!header) return header.error();
        if (!isLarge(*header)) return std::optional<OpenedTerrain>();
        opened = inTiles(openGdalTiles(path, overrides));
    }
    else
        return std::optional<OpenedTerrain>();
    if (!opened) return opened.error();
    return std::optional(std::move(*opened));
}

Result<std::optional<OpenedTerrain>> openLargeFolder(const std::string& folder, const SourceOverrides& overrides)
{
    const Result<TileFolder> look = lookAtFolder(folder, kMaxTiledSide);
    if (!look) return look.error();
    if (!isLarge(look->raster)) return std::optional<OpenedTerrain>();
    Result<OpenedTerrain> opened = inTiles(FolderTiles::open(folder, overrides));
    if (!opened) return opened.error();
    return std::optional(std::move(*opened));
}

// Opens a large source in tiles. Empty: the source is to be read whole.
Result<std::optional<OpenedTerrain>> openLarge(const std::string& dem, const SourceOverrides& overrides)
{
    if (overrides.encoding) return std::optional<OpenedTerrain>();  // loadRaster() decodes colours
    std::error_code ignored;
    if (!isSyntheticName(dem))
        return std::filesystem::is_directory(dem, ignored) ? openLargeFolder(dem, overrides)
                                                           : openLargeFile(dem, overrides);
    const Result<SyntheticName> name = parseSyntheticName(dem);
    if (!name) return name.error();
    if (name->size <= kMaxLandscapeSize || overrides.any()) return std::optional<OpenedTerrain>();
    Result<OpenedTerrain> opened = inTiles(openSyntheticTiles(dem));
    if (!opened) return opened.error();
    return std::optional(std::move(*opened));
}

}  // namespace

Result<OpenedTerrain> openTerrain(const std::string& dem, const SourceOverrides& overrides, TerrainTiles tiles,
                                  const LoadProgress& progress)
{
    if (overrides.encoding && (isGdalPath(dem) || dem.find("://") != dem.npos))
        return Error{ExitCode::kUsage, fmt::format("{}: found a name of GDAL, expected a file for --encoding {}",
                                                   printable(dem), nameOf(*overrides.encoding))};
    if (isGdalPath(dem)) return inTiles(openGdalTiles(dem, overrides));
    if (dem.starts_with("http://") || dem.starts_with("https://"))
        return inTiles(openGdalTiles("/vsicurl/" + dem, overrides));
    if (Status s = checkNoUrl(dem); !s) return s.error();
    Result<std::optional<OpenedTerrain>> large = openLarge(dem, overrides);
    if (!large) return large.error();
    if (*large) return std::move(**large);
    // The source is small, or of a format that is always read whole.
    Result<Raster> raster = loadRaster(dem, progress, overrides);
    if (!raster) return raster.error();
    if (tiles != TerrainTiles::kAlways && !isLarge(*raster)) return OpenedTerrain{std::move(*raster), nullptr};
    return inTiles(rasterTiles(std::move(*raster)));
}

}  // namespace orogen
