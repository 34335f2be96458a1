// Tile source for GeoTIFF and BigTIFF of any size, without GDAL: in tiles or strips, with or without overviews.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/terrain/io/source_files.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/sources/heights_in_metres.h"
#include "core/terrain/sources/stored_levels.h"
#include "core/terrain/sources/tiff_samples.h"
#include "core/terrain/tiles/stored_bounds.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

class GeoTiffTiles : public TileSource
{
public:
    // Opens a file that readGeoTiff() can read, up to kMaxTiledSide samples a side; reads its header and a few samples.
    // Overviews are the images of reduced resolution chained to the first one. Their samples count as means, except in
    // a file written by `orogen import`, whose stored bounds are used, too (unless overrides change heights). A level
    // without an overview uses every 2^l-th sample of the finest image in each direction, which decodes every strip or
    // tile that holds one; a warning reports it. Errors, kInput: those of readGeoTiff(); no georeference (unless
    // overrides.pixelSize is set); an overview of another sample type, or whose size matches no scaling; a list of
    // strips or tiles that the file cannot hold.
    static Result<std::shared_ptr<const GeoTiffTiles>> open(const std::string& path,
                                                            const SourceOverrides& overrides = {});

    const Raster& raster() const override { return raster_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override;
    bool decimated() const override { return !levels_.means; }

    std::vector<int> storedLevels() const override { return levels_.levels(); }
    Result<std::string> version() const override { return filesVersion({raster_.name}); }

    const StoredLevels& levels() const { return levels_; }
    bool boundsStored() const { return bounds_ != nullptr; }

private:
    friend class GeoTiffTileReader;
    GeoTiffTiles() = default;
    Status readStoredBounds(const SourceOverrides& overrides, std::size_t directories);
    Status addOverviews(TiffFile& file, const std::vector<std::uint64_t>& directories);
    Result<std::optional<int>> levelOf(const TiffLayout& overview) const;
    Status addOverview(const TiffFile& file, const TiffImage& image);
    void warnOfSlowLevels();

    Raster raster_;
    std::vector<TiffImage> images_;
    StoredLevels levels_;
    std::optional<HeightsInMetres> metres_;
    std::unique_ptr<const ByteSource> boundsFile_;
    std::unique_ptr<const StoredBounds> bounds_;  // null: none
    bool imported_ = false;                       // coarse levels are samples, not means
};

}  // namespace orogen
