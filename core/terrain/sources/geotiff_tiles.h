// GeoTIFF and BigTIFF of any size as tiles, without GDAL: in tiles or strips, with overviews or without.
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
    // What readGeoTiff() reads, up to kMaxTiledSide samples a side, of which the header is read and a few samples.
    // Overviews are the images of reduced resolution that are chained to the first; their samples are taken for means,
    // but in a file that `orogen import` wrote, whose stored bounds are taken, too (not where overrides change
    // heights). A level without one is read from the finest image, a sample of 2^l each way, which decodes every strip
    // or tile that holds one: a warning says so.  Errors, kInput: as of readGeoTiff(); no georeference
    // (overrides.pixelSize takes its place); an overview of other samples, or of sides that no scaling gives; a list of
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
    bool imported_ = false;                       // its coarse levels are samples
};

}  // namespace orogen
