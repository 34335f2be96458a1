// Imagery of the open terrain: the user's pictures in order, loaded in the background, and shown by the renderer.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/background_task.h"
#include "core/terrain/imagery/colour_tiles.h"
#include "core/terrain/imagery/image_source.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app {

using OpenedPictures = std::map<std::string, std::shared_ptr<const ImagerySource>>;

struct ImageryToLoad
{
    std::string shippedFolder;         // folder of the Earth's pictures below all layers; empty: a plane
    std::string aroundFolder;          // folder of the Earth's relief and picture, shown around a plane; empty: none
    std::vector<PictureLayer> layers;  // the lowest first
    OpenedPictures opened;             // pictures that need not be opened again
    int budgetMegabytes = 128;
    std::optional<TileView> view;  // view whose tiles are loaded before imagery is shown; empty: only coarse tiles
};

struct LoadedImagery
{
    std::shared_ptr<const ColourTiles> tiles;  // null: there is nothing to show
    std::shared_ptr<TileCache> cache;          // for `tiles`, with the coarse levels loaded
    OpenedPictures opened;
    std::vector<std::string> warnings;
};

// Opens pictures and loads their coarse levels.  `ground`: the terrain without its samples.  If shipped pictures are
// missing and no layers are wanted, returns a warning instead of an error.  Errors: those of openImage(), ColourTiles
// and TileCache::create(), and kInterrupted.
Result<LoadedImagery> loadImagery(const ImageryToLoad& wanted, const Raster& ground, const LoadProgress& progress);

class OpenTerrain;
class Renderer;

class ImageryLayers
{
public:
    const std::vector<PictureLayer>& layers() const { return wanted_; }  // the lowest first

    // Adopts layers that were loaded together with a terrain.
    void adopt(std::vector<PictureLayer> layers);
    // Requests other layers, which the next take() starts to load.  The present layers stay until the new ones are
    // loaded.
    void change(std::vector<PictureLayer> layers) { wanted_ = std::move(layers); }

    // Starts to load requested layers, and shows those that have been loaded; call at a frame's start while a terrain
    // is open.  `how`: passed to loadImagery(), with the layers and opened pictures filled in.  Returns the warnings of
    // newly shown imagery.  On an error the earlier imagery and layers stay.
    Result<std::vector<std::string>> take(OpenTerrain& terrain, Renderer& renderer, ImageryToLoad how);
    void cancel();  // drops layers that are not shown yet

    bool pending() const { return wanted_ != shown_; }
    std::optional<double> fraction() const;  // progress of the pending layers, 0 to 1

private:
    using Task = BackgroundTask<LoadedImagery>;

    std::vector<PictureLayer> wanted_, loading_, shown_;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
