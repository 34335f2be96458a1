// Tile source for a folder of up to thousands of files that form one raster: GeoTIFF or .hgt, and with GDAL .hgt in zip
// archives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/io/tiles.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

class FolderTiles : public TileSource
{
public:
    // Opens a folder by the rules of readTiles(), up to kMaxTiledSide samples per side. Reads every file's header and
    // some samples (estimateHeightRange()) now, and other samples on request. Each reader keeps the last used files
    // open, and the last two zip archives unpacked. Errors: those of lookAtFolder(), of finalizeDescription() and of
    // reading.
    static Result<std::shared_ptr<const FolderTiles>> open(const std::string& folder,
                                                           const SourceOverrides& overrides = {});

    const Raster& raster() const override { return raster_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey&) const override { return std::nullopt; }
    bool decimated() const override { return true; }
    Result<std::string> version() const override;

private:
    friend class FolderTileReader;
    FolderTiles() = default;

    Raster raster_;
    std::vector<FolderTile> tiles_;
    SourceOverrides overrides_;
};

}  // namespace orogen
