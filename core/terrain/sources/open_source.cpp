#include "core/terrain/sources/open_source.h"

#include "core/terrain/io/load_raster.h"

namespace orogen {

Result<OpenedTerrain> openTerrain(const std::string& dem, const SourceOverrides& overrides, TerrainTiles,
                                  const LoadProgress& progress)
{
    Result<Raster> raster = loadRaster(dem, progress, overrides);
    if (!raster) return raster.error();
    return OpenedTerrain{std::move(*raster), nullptr};
}

}  // namespace orogen
