#include "app/session/imagery.h"

#include <utility>

#include "app/render/renderer.h"
#include "app/session/open_terrain.h"
#include "core/base/text.h"
#include "core/terrain/earth/earth_inset.h"

namespace orogen::app {
namespace {

constexpr int kRemoteThreads = 6;      // loader threads if pictures come over a network
constexpr double kSettleFor = 5;       // longest wait for the view's tiles before imagery is shown (seconds)
constexpr double kOpeningShare = 0.7;  // share of the progress for opening the pictures

struct ShippedImagery
{
    std::vector<ImageLayer> layers;
    EarthExtras extras;
};

Result<ShippedImagery> openShipped(const std::string& folder)
{
    ShippedImagery shipped;
    shipped.layers.resize(1);
    const std::pair<const char*, std::shared_ptr<const ImagerySource>*> pictures[] = {
        {"blue_marble.tif", &shipped.layers.front().image},
        {"city_lights.tif", &shipped.extras.lights},
        {"sea_ice.tif", &shipped.extras.ice}};
    for (const auto& [name, place] : pictures)
    {
        Result<std::shared_ptr<const ImagerySource>> image = openImage(folder + "/" + name);
        if (!image) return image.error();
        *place = std::move(*image);
    }
    return shipped;
}

}  // namespace

Result<LoadedImagery> loadImagery(const ImageryToLoad& wanted, const Raster& ground, const LoadProgress& progress)
{
    LoadedImagery loaded;
    const bool earth = !wanted.shippedFolder.empty();
    Result<ShippedImagery> below = earth ? openShipped(wanted.shippedFolder) : ShippedImagery();
    if (!below && !wanted.layers.empty()) return below.error();
    if (!below)
    {
        loaded.warnings.push_back(below.error().message + "; the ground is drawn without imagery");
        return loaded;
    }
    std::vector<ImageLayer> layers = std::move(below->layers);
    for (std::size_t i = 0; i < wanted.layers.size(); ++i)
    {
        const PictureLayer& layer = wanted.layers[i];
        std::shared_ptr<const ImagerySource>& image = loaded.opened[layer.name];
        if (const auto known = wanted.opened.find(layer.name); known != wanted.opened.end()) image = known->second;
        if (!image)
        {
            Result<std::shared_ptr<const ImagerySource>> opened =
                openImage(layer.name, [&](double fraction, const std::string& what) {
                    return !progress ||
                           progress(kOpeningShare * (double(i) + fraction) / double(wanted.layers.size()), what);
                });
            if (!opened) return opened.error();
            image = std::move(*opened);
            for (const std::string& warning : image->raster().warnings)
                if (!earth || !isAboutPlanes(warning))
                    loaded.warnings.push_back(printable(layer.name) + ": " + warning);
        }
        if (layer.visible && layer.opacity > 0) layers.push_back({image, layer.opacity});
    }
    if (layers.empty()) return loaded;
    Result<std::shared_ptr<const ColourTiles>> tiles =
        earth ? ColourTiles::forEarth(layers, below->extras, ground) : ColourTiles::onPlane(layers, ground);
    if (!tiles) return tiles.error();
    for (const std::string& warning : (*tiles)->raster().warnings)
        loaded.warnings.push_back(warning);
    if (progress && !progress(kOpeningShare, "reading coarse tiles of pictures"))
        return Error{ExitCode::kInterrupted, "imagery: interrupted"};
    Result<std::unique_ptr<TileCache>> cache =
        TileCache::create(*tiles, std::uint64_t(wanted.budgetMegabytes) << 20, (*tiles)->remote() ? kRemoteThreads : 2);
    if (!cache) return cache.error();
    if (wanted.view) (void)(*cache)->settle(*wanted.view, kSettleFor, [] {});
    loaded.tiles = std::move(*tiles);
    loaded.cache = std::move(*cache);
    return loaded;
}

void ImageryLayers::adopt(std::vector<PictureLayer> layers)
{
    task_.reset();
    wanted_ = shown_ = std::move(layers);
}

void ImageryLayers::cancel()
{
    task_.reset();
    wanted_ = shown_;
}

Result<std::vector<std::string>> ImageryLayers::take(OpenTerrain& terrain, Renderer& renderer, ImageryToLoad how)
{
    std::vector<std::string> warnings;
    if (task_ && wanted_ != loading_) task_.reset();
    if (!pending()) return warnings;
    if (!task_)
    {
        loading_ = how.layers = wanted_;
        how.opened = terrain.pictures();
        // The task copies the terrain's description, because another terrain may be opened meanwhile.
        Result<std::unique_ptr<Task>> task =
            Task::start("imagery", [how = std::move(how), raster = terrain.raster()](const TaskContext& context) {
                return loadImagery(how, raster, [&context](double fraction, const std::string& what) {
                    context.progress.enter(what, fraction);
                    return !context.stop.stop_requested();
                });
            });
        if (!task) return wanted_ = shown_, task.error();
        task_ = std::move(*task);
    }
    if (task_->running()) return warnings;
    const std::unique_ptr<Task> task = std::move(task_);
    Result<LoadedImagery> loaded = task->take();
    if (!loaded) return wanted_ = shown_, loaded.error();
    if (Status s = renderer.setImagery(loaded->cache); !s) return wanted_ = shown_, s.error();
    shown_ = loading_;
    warnings = loaded->warnings;
    terrain.takeImagery(std::move(*loaded));
    return warnings;
}

std::optional<double> ImageryLayers::fraction() const
{
    if (!pending()) return std::nullopt;
    return task_ ? task_->progress().fraction() : 0.0;
}

}  // namespace orogen::app
