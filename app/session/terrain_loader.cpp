#include "app/session/terrain_loader.h"

#include <new>

#include "core/terrain/io/load_raster.h"

namespace orogen::app {
namespace {

// Reading takes most of the time; what follows gets the rest of the bar.
constexpr double kReadingShare = 0.8;

}  // namespace

void TerrainLoader::start(std::string dem)
{
    cancel();
    fraction_ = 0.0;
    done_ = false;
    thread_ = std::jthread([this, dem = std::move(dem)](const std::stop_token& stop) { load(dem, stop); });
}

void TerrainLoader::cancel()
{
    thread_ = std::jthread();  // asks it to stop, and waits
    result_.reset();
}

std::string TerrainLoader::doing() const
{
    const std::lock_guard lock(mutex_);
    return doing_;
}

void TerrainLoader::load(const std::string& dem, const std::stop_token& stop)
{
    const auto report = [&](double fraction, const std::string& what) {
        fraction_ = fraction;
        const std::lock_guard lock(mutex_);
        doing_ = what;
        return !stop.stop_requested();
    };
    const auto work = [&]() -> Result<LoadedTerrain> {
        Result<Raster> raster =
            loadRaster(dem, [&](double f, const std::string& what) { return report(kReadingShare * f, what); });
        if (!raster) return raster.error();
        LoadedTerrain loaded;
        loaded.raster = std::move(*raster);
        report(kReadingShare, "coding heights");
        loaded.field = quantise(loaded.raster);
        report(0.9, "bounding heights and errors");
        loaded.pyramid = buildPyramid(loaded.field);
        return loaded;
    };
    try
    {
        result_ = work();
    }
    catch (const std::bad_alloc&)
    {
        result_ = Error{ExitCode::kLimit, dem + ": does not fit in memory"};
    }
    done_ = true;
}

std::optional<Result<LoadedTerrain>> TerrainLoader::take()
{
    if (!thread_.joinable() || !done_) return std::nullopt;
    thread_.join();
    thread_ = std::jthread();
    return std::exchange(result_, std::nullopt);
}

}  // namespace orogen::app
