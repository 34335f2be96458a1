// Loads an elevation model on a thread of its own, down to what the GPU gets, so that the window keeps drawing.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "core/base/status.h"
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

class TerrainLoader
{
public:
    ~TerrainLoader() { cancel(); }

    void start(std::string dem);  // gives up what was loading before
    void cancel();                // returns when the thread has stopped

    bool loading() const { return thread_.joinable(); }
    double fraction() const { return fraction_; }
    std::string doing() const;  // "reading", "building the pyramid", ...

    // What start() asked for, once it is there.
    std::optional<Result<LoadedTerrain>> take();

private:
    void load(const std::string& dem, const std::stop_token& stop);

    std::jthread thread_;
    std::atomic<double> fraction_{0.0};
    std::atomic<bool> done_{false};
    mutable std::mutex mutex_;
    std::string doing_;
    std::optional<Result<LoadedTerrain>> result_;
};

}  // namespace orogen::app
