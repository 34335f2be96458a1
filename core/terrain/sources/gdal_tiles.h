// What GDAL reads as tiles: COG, virtual rasters of thousands of files, object storage.
#pragma once

#include <memory>
#include <string>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// See GdalTiles::open().  Error, kInput, where the program was built without GDAL: a sentence that says so.
Result<std::shared_ptr<const TileSource>> openGdalTiles(const std::string& name, const SourceOverrides& overrides = {});

}  // namespace orogen

#ifdef OROGEN_HAVE_GDAL

#include <optional>
#include <vector>

#include "core/terrain/io/gdal_dataset.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/heights_in_metres.h"
#include "core/terrain/sources/stored_levels.h"
#include "core/terrain/tiles/stored_bounds.h"

namespace orogen {

class GdalTiles : public TileSource
{
public:
    // `name`: a file, or a path of GDAL's such as /vsicurl/https://host/dem.tif, the only way to a network.  Caches,
    // retries and credentials are GDAL's, by its configuration options and environment variables; where the user sets
    // none, a request may take 30 s and is made three times.  Overviews are the band's, taken for means but in a file
    // that `orogen import` wrote.  Errors, kInput, one line: of openGdal() and describeGdal(); no georeference
    // (overrides.pixelSize takes its place); overviews of sides that no scaling gives.
    static Result<std::shared_ptr<const GdalTiles>> open(const std::string& name,
                                                         const SourceOverrides& overrides = {});

    const Raster& raster() const override { return raster_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override;
    bool decimated() const override { return samples_; }
    bool remote() const override { return isGdalPath(raster_.name); }

    std::vector<int> storedLevels() const override { return levels_.levels(); }
    Result<std::string> version() const override { return filesVersion(files_); }

    const StoredLevels& levels() const { return levels_; }

private:
    friend class GdalTileReader;
    GdalTiles() = default;
    Status addOverviews(GDALRasterBandH band);
    void readStoredBounds(const SourceOverrides& overrides);

    Raster raster_;
    std::vector<std::string> files_;  // that GDAL says it is made of: a virtual raster and those that it names
    SampleRule rule_;
    StoredLevels levels_;
    std::vector<int> overviews_;  // the band's, of each of levels_.images but the first
    bool samples_ = false;        // every level has samples of the finest
    std::optional<HeightsInMetres> metres_;
    std::unique_ptr<const StoredBounds> bounds_;  // null: none
    bool imported_ = false;
    bool file_ = false;  // remote, and a file, not a folder of them
};

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
