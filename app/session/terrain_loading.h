// Loads an elevation model in the background, down to what the GPU gets, so that the window keeps drawing.
#pragma once

#include <memory>
#include <string>

#include "core/base/background_task.h"
#include "core/terrain/bounds/height_pyramid.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"

namespace orogen::app {

struct LoadedTerrain
{
    Raster raster;
    HeightField field;
    HeightPyramid pyramid;
};

using TerrainLoading = BackgroundTask<LoadedTerrain>;

// `dem`: a file, a folder of tiles or "synthetic:SIZE[:SEED]".  Error kLimit: no thread can be started.  The task's
// errors: of loadRaster(), kLimit (memory), kInterrupted.
Result<std::unique_ptr<TerrainLoading>> startLoading(const std::string& dem);

}  // namespace orogen::app
