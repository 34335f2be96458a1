#include "core/terrain/sources/open_source.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_layout.h"
#include "core/terrain/io/geotiff_reader.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/geotiff_tiles.h"
#include "core/terrain/synthetic/synthetic.h"

namespace orogen {
namespace {

bool isLarge(const Raster& raster) { return std::max(raster.width, raster.height) > kLargestImageSide; }

// What a file is, from its header alone.
enum class FileKind
{
    kImage,         // or of a kind whose size only its reader tells
    kLargeGeoTiff,  // read by tiles
};

Result<FileKind> kindOf(const std::string& path)
{
    const Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    std::array<unsigned char, 4> head{};
    source->read(0, head.data(), head.size());
    if (!isTiff(head)) return FileKind::kImage;
    const Result<TiffFile> file = TiffFile::open(*source, TiffFile::Index::kOnDemand);
    if (!file) return file.error();
    const Result<GeoTiffHeader> header = readGeoTiffHeader(*file, kMaxTiledSide);
    if (!header) return header.error();
    return isLarge(header->raster) ? FileKind::kLargeGeoTiff : FileKind::kImage;
}

Result<OpenedTerrain> inTiles(std::shared_ptr<const TileSource> tiles)
{
    Raster description = tiles->raster();
    return OpenedTerrain{std::move(description), std::move(tiles)};
}

}  // namespace

Result<OpenedTerrain> openTerrain(const std::string& dem, const SourceOverrides& overrides, TerrainTiles,
                                  const LoadProgress& progress)
{
    std::error_code ignored;
    if (!isSyntheticName(dem) && !std::filesystem::is_directory(dem, ignored))
    {
        const Result<FileKind> kind = kindOf(dem);
        if (!kind) return kind.error();
        if (*kind == FileKind::kLargeGeoTiff)
        {
            auto tiles = GeoTiffTiles::open(dem, overrides);
            if (!tiles) return tiles.error();
            return inTiles(*tiles);
        }
    }
    Result<Raster> raster = loadRaster(dem, progress, overrides);
    if (!raster) return raster.error();
    return OpenedTerrain{std::move(*raster), nullptr};
}

}  // namespace orogen
