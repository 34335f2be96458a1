// Tile source for rasters read by GDAL: COG, virtual rasters of thousands of files, object storage.
#pragma once

#include <memory>
#include <string>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Calls GdalTiles::open(). Error, kInput, if the program was built without GDAL.
Result<std::shared_ptr<const TileSource>> openGdalTiles(const std::string& name, const SourceOverrides& overrides = {});

}  // namespace orogen

#ifdef OROGEN_HAVE_GDAL

#include <optional>
#include <vector>

#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/stored_source.h"
#include "core/terrain/tiles/stored_bounds.h"

namespace orogen {

class GdalTiles : public TileSource
{
public:
    // Opens a raster. `name`: a file, or a GDAL path such as /vsicurl/https://host/dem.tif or WMS:https://host/...,
    // which is the only access to a network. Caches, retries and credentials follow GDAL's configuration options and
    // environment variables. Without user settings, a request times out after 30 s and is retried twice. Overviews are
    // those of the band. They count as means, except in a file written by `orogen import`. Errors: those of
    // openGdal(), describeGdal(), finalizeDescription() and reading; kInput: an overview whose size matches no scaling.
    static Result<std::shared_ptr<const GdalTiles>> open(const std::string& name,
                                                         const SourceOverrides& overrides = {});

    const Raster& raster() const override { return raster_; }
    Result<std::unique_ptr<TileReader>> openReader() const override;
    std::optional<TileBounds> bounds(const TileKey& key) const override;
    bool decimated() const override { return samples_; }
    bool remote() const override { return isGdalPath(raster_.name); }
    // Returns whether GDAL counts the bytes that it fetches: only its file systems do.
    bool countsBytes() const { return remote() && !isWebService(raster_.name); }

    std::vector<int> storedLevels() const override { return levels_.levels(); }
    Result<std::string> version() const override { return filesVersion(files_); }

    const StoredLevels& levels() const { return levels_; }

private:
    friend class GdalTileReader;
    GdalTiles() = default;
    Status addOverviews(GDALRasterBandH band);
    void readStoredBounds(const SourceOverrides& overrides);

    Raster raster_;
    std::vector<std::string> files_;  // as GDAL lists them: a virtual raster and the files that it names
    SampleRule rule_;
    StoredLevels levels_;
    std::vector<int> overviews_;  // index of the band's overview for each of levels_.images but the first
    bool samples_ = false;        // every level consists of samples of the finest level, not of means
    std::optional<HeightsInMetres> metres_;
    std::unique_ptr<const StoredBounds> bounds_;  // null: none
    bool imported_ = false;                       // written by `orogen import`: overview i is level i + 1
    bool file_ = false;                           // the source is remote, and a file rather than a folder
};

}  // namespace orogen

#endif  // OROGEN_HAVE_GDAL
