// The image that is draped over the terrain: read in the background, led into the terrain's coordinate system, shown by
// the renderer.  It goes with its terrain.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/session/messages.h"
#include "core/base/background_task.h"
#include "core/terrain/raster/drape.h"

namespace orogen::app {

class Renderer;

class ImageSession
{
public:
    // Begins to read the image, once there is a terrain.  What is shown stays until it is there.
    void open(std::string file);
    void drop(Renderer& renderer);  // what is shown and what is on its way
    void forget();                  // the same: the terrain that it lay on is gone

    // At a frame's start; `terrain`: what is open, without heights, or null.  Errors: of readPicture(), drape() and
    // the renderer; whatever was shown before is shown still.
    Status take(const Raster* terrain, Renderer& renderer, Messages& messages);
    // After the context was lost: the image is read again.
    void readAgain();

    const std::string& file() const { return wanted_.empty() ? shown_ : wanted_; }  // empty: none
    const std::string& shown() const { return shown_; }                             // empty: none
    bool pending() const { return !wanted_.empty(); }
    std::optional<double> fraction() const;  // done, of one that is on its way

private:
    using Task = BackgroundTask<DrapedPicture>;

    std::string wanted_, shown_;
    std::unique_ptr<Task> task_;
};

}  // namespace orogen::app
